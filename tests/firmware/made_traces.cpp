// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/made_traces.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "host/trace/parser.h"

namespace dtrmc::test {

namespace {

class Log {
 public:
  Log() { line(R"({"INSTRUCTION": "ANNOTATE", "ANNOTATION": "START"})"); }

  struct Result {
    std::uint64_t size;
    int alias; // -1: own storage
  };

  // Names of the results: x0, x1, ...; returns the number of the first.
  std::uint32_t call(const std::vector<std::uint32_t>& args, std::uint64_t cost, const std::vector<Result>& results) {
    const std::uint32_t first = next_;
    std::string names;
    std::string inputs;
    for (std::size_t i = 0; i < results.size(); ++i) names += fmt::format("{}\"x{}\"", i == 0 ? "" : ", ", first + i);
    for (std::size_t i = 0; i < args.size(); ++i) inputs += fmt::format("{}\"x{}\"", i == 0 ? "" : ", ", args[i]);
    line(fmt::format(R"({{"INSTRUCTION": "CALL", "NAME": "f", "ARGS": [{}], "RESULT": [{}], "TIME": "{}"}})", inputs,
                     names, cost));
    for (const Result& result : results) {
      line(fmt::format(R"({{"INSTRUCTION": "MEMORY", "NAME": "x{}", "MEMORY": "{}"}})", next_, result.size));
      line(fmt::format(R"({{"INSTRUCTION": "ALIAS", "NAME": "x{}", "ALIAS": "{}"}})", next_, result.alias));
      ++next_;
    }
    return first;
  }
  std::uint32_t constant(std::uint64_t size) {
    line(fmt::format(R"({{"INSTRUCTION": "CONSTANT", "NAME": "x{}"}})", next_));
    line(fmt::format(R"({{"INSTRUCTION": "MEMORY", "NAME": "x{}", "MEMORY": "{}"}})", next_, size));
    return next_++;
  }
  void release(std::uint32_t name) { line(fmt::format(R"({{"INSTRUCTION": "RELEASE", "NAME": "x{}"}})", name)); }
  trace::Schedule parse(const std::string& name) const { return trace::parse_text(text_, name + ".log"); }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string text_;
  std::uint32_t next_ = 0;
};

} // namespace

trace::Schedule near_ties(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Log log;
  std::vector<std::uint32_t> entries;
  const std::uint64_t size = (std::uint64_t{1} << 54) + random() % (std::uint64_t{1} << 54);
  const std::uint64_t cost = (std::uint64_t{1} << 53) + random() % (std::uint64_t{1} << 53);
  for (int i = 0; i < 24; ++i) {
    const std::uint64_t more = random() % 8;
    // Costs follow the sizes as closely as integers can, sometimes one apart.
    __extension__ const auto exact = static_cast<unsigned __int128>(cost) * (size + more) / size;
    entries.push_back(log.call({}, static_cast<std::uint64_t>(exact) + random() % 2, {{size + more, -1}}));
  }
  log.release(log.call(entries, 0, {{0, -1}}));                               // all are used at one time,
  log.release(log.call({}, 1 + random() % (1u << random() % 30), {{0, -1}})); // and age alike
  for (int i = 0; i < 20; ++i) log.call({}, 0, {{size + 8, -1}}); // each pushes one out (budget: what there is now)
  for (const std::uint32_t entry : entries) log.release(entry);
  return log.parse("near");
}

trace::Schedule drifting(std::uint64_t seed, std::uint32_t operators) {
  std::mt19937_64 random(seed);
  Log log;
  std::vector<std::uint32_t> live;
  const std::uint64_t largest_cost = 1 + random() % 3; // small: sums of the classes cancel often
  for (std::uint32_t i = 0; i < operators; ++i) {
    std::vector<std::uint32_t> args;
    const std::size_t arg_count = live.empty() ? 0 : random() % 4;
    for (std::size_t j = 0; j < arg_count; ++j) {
      const std::size_t back = random() % 3 == 0 ? live.size() : std::min<std::size_t>(live.size(), 6);
      args.push_back(live[live.size() - 1 - random() % back]);
    }
    std::vector<Log::Result> results;
    const std::size_t result_count = 1 + (random() % 4 == 0 ? random() % 3 : 0);
    for (std::size_t j = 0; j < result_count; ++j) {
      const bool alias = !args.empty() && random() % 6 == 0;
      results.push_back({alias ? 0 : random() % 9, alias ? static_cast<int>(random() % args.size()) : -1});
    }
    const std::uint64_t cost = random() % 2 == 0 ? 0 : random() % (largest_cost + 1);
    const std::uint32_t first = log.call(args, cost, results);
    for (std::size_t j = 0; j < result_count; ++j) live.push_back(first + static_cast<std::uint32_t>(j));
    while (live.size() > 20 || (!live.empty() && random() % 3 == 0)) {
      const std::size_t gone = random() % live.size();
      log.release(live[gone]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(gone));
    }
  }
  return log.parse("drifting");
}

trace::Schedule wide_pool(std::uint64_t seed, std::uint32_t entries, std::uint32_t decisions) {
  std::mt19937_64 random(seed);
  Log log;
  const auto of_length_up_to = [&](std::uint32_t bits) { return 1 + (random() >> (64 - bits)) / (1 + random() % 64); };
  std::vector<std::uint32_t> live;
  for (std::uint32_t i = 0; i < entries; ++i) {
    live.push_back(log.call({}, of_length_up_to(39), {{of_length_up_to(36), -1}}));
  }
  for (std::uint32_t i = 0; i < decisions; ++i) {
    live.push_back(log.call({}, of_length_up_to(39), {{std::uint64_t{1} << 35 | of_length_up_to(35), -1}}));
  }
  for (const std::uint32_t name : live) log.release(name); // nothing is to be brought back for the end
  return log.parse("wide");
}

trace::Schedule chain(std::uint32_t length) {
  Log log;
  std::uint32_t last = log.call({}, 1, {{1, -1}});
  for (std::uint32_t i = 1; i < length; ++i) {
    const std::uint32_t next = log.call({last}, 1, {{1, -1}});
    if (i + 1 < length) log.release(last); // evicted at once; the one before the end stays named
    last = next;
  }
  log.call({}, 1, {{2, -1}}); // pushes both remaining ones out of a budget of 3
  log.call({last}, 1, {{1, -1}});
  return log.parse("chain");
}

trace::Schedule training_steps(std::uint32_t layers, std::uint32_t iterations, Weights weights) {
  std::mt19937_64 random(layers);
  Log log;
  std::vector<std::uint64_t> sizes, costs;
  std::vector<std::uint32_t> weight;
  for (std::uint32_t i = 0; i <= layers; ++i) {
    sizes.push_back(1000 + random() % 1000);
    costs.push_back(100 + random() % 1000);
    weight.push_back(log.constant(64));
  }
  for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
    std::vector<std::uint32_t> a{log.call({}, costs[0], {{sizes[0], -1}})}, view(layers + 1);
    for (std::uint32_t i = 1; i <= layers; ++i) {
      std::vector<std::uint32_t> args{a[i - 1], weight[i]};
      if (i % 4 == 0) args.push_back(a[i - 4]); // skip connections
      a.push_back(log.call(args, costs[i], {{sizes[i], -1}}));
      view[i] = log.call({a[i]}, 1, {{0, 0}}); // used backward
    }
    std::uint32_t gradient = log.call({view[layers]}, 50, {{sizes[layers], -1}});
    for (std::uint32_t i = layers; i >= 1; --i) {
      const std::uint32_t both =
          log.call({gradient, a[i - 1], view[i], weight[i]}, 2 * costs[i], {{sizes[i - 1], -1}, {64, -1}});
      for (const std::uint32_t spent : {gradient, a[i], view[i]}) log.release(spent);
      gradient = both;
      if (weights == Weights::kUpdated) {
        const std::uint32_t updated = log.call({weight[i], both + 1}, 10, {{64, -1}});
        log.release(weight[i]);
        weight[i] = updated;
      }
      log.release(both + 1);
    }
    log.release(gradient);
    log.release(a[0]);
  }
  return log.parse("steps");
}

} // namespace dtrmc::test
