// SPDX-License-Identifier: Apache-2.0
// Mutated traces: whatever happens to a log, the parser either explains what is wrong or gives a schedule that runs.
// Seeded; DTRMC_MUTATIONS sets how many (default 20000).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

namespace {

using Random = std::mt19937_64; // its sequence is part of the standard, unlike the distributions

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string mutated(const std::string& text, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  const auto pick = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  for (std::size_t count = 1 + pick(3); count > 0; --count) {
    std::string& line = lines[pick(lines.size())];
    switch (pick(8)) {
      case 0: // a byte
        if (!line.empty()) line[pick(line.size())] = static_cast<char>(random());
        break;
      case 1: // a digit: names, sizes, indices
        for (char& c : line) {
          if (c >= '0' && c <= '9' && pick(4) == 0) c = static_cast<char>('0' + pick(10));
        }
        break;
      case 2:
        line.erase(pick(line.size() + 1));
        break;
      case 3:
        std::swap(line, lines[pick(lines.size())]);
        break;
      case 4:
        line = lines[pick(lines.size())];
        break;
      case 5: {
        const std::size_t at = line.find_first_of("0123456789");
        if (at != std::string::npos) line.insert(at, std::string(1 + pick(30), '9'));
        break;
      }
      case 6: {
        const std::size_t at = line.find("\"-1\"");
        if (at != std::string::npos) line.replace(at, 4, std::to_string(static_cast<int>(pick(5)) - 2));
        break;
      }
      default:
        if (lines.size() > 1) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(pick(lines.size())));
        break;
    }
    if (lines.empty()) lines.emplace_back();
  }
  return join(lines);
}

} // namespace

TEST_CASE("a mutated trace is refused with one line, or runs") {
  const char* wish = std::getenv("DTRMC_MUTATIONS");
  const long total = wish != nullptr ? std::strtol(wish, nullptr, 10) : 20000;
  std::vector<std::string> texts;
  test::for_each_random_trace("tests/data/random.jsonl.gz",
                              [&](const test::RandomTrace& random) { texts.push_back(random.text); });
  Random random(20260102);
  long accepted = 0;
  long refused = 0;
  const std::vector<sim::Runtime> runtimes = {sim::Runtime::kV2Eager, sim::Runtime::kV2, sim::Runtime::kV1};
  const std::vector<std::string> names = sim::heuristic_names();
  for (long i = 0; i < total; ++i) {
    const std::string text = mutated(texts[random() % texts.size()], random);
    trace::Schedule schedule;
    try {
      schedule = trace::parse_text(text, "m.log");
    } catch (const trace::TraceError& error) {
      const std::string message = error.what();
      if (message.compare(0, 6, "m.log:") != 0 || message.find('\n') != std::string::npos) FAIL_CHECK(message);
      ++refused;
      continue;
    }
    ++accepted;
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic(names[random() % names.size()]);
    settings.runtime = runtimes[random() % runtimes.size()];
    try {
      sim::require_supported(settings.heuristic, settings.runtime);
    } catch (const std::invalid_argument&) {
      continue;
    }
    const sim::Topology topology(schedule);
    const std::uint64_t peak = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager);
    settings.budget =
        static_cast<std::uint64_t>(static_cast<double>(peak) * static_cast<double>(20 + random() % 80) / 100);
    settings.remat_limit = schedule.total_cost;
    settings.hashes = false;
    const sim::Result result = sim::simulate(schedule, topology, settings);
    if (result.record.max_memory > settings.budget) FAIL_CHECK("memory above the budget");
    if (result.record.clock != 1 + result.record.model_compute + result.record.remat_compute) FAIL_CHECK("clock");
  }
  INFO(accepted << " ran, " << refused << " refused");
  CHECK(accepted > total / 20);
  CHECK(refused > total / 4);
}
