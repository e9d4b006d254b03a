// SPDX-License-Identifier: Apache-2.0
// The parts of a sweep: grids, samples, refinement, CSV, and the pool of processes with workers that die.
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "host/sweep/csv.h"
#include "host/sweep/grid.h"
#include "host/sweep/sweep.h"
#include "host/sweep/worker_pool.h"

using namespace dtrmc::sweep;

TEST_CASE("ratios of a range are the doubles that one would write") {
  const std::vector<double> ratios = parse_ratios("0.05:0.60:0.01");
  REQUIRE(ratios.size() == 56);
  for (int i = 0; i < 56; ++i) {
    std::string text = std::to_string(5 + i);
    text = "0." + std::string(2 - text.size(), '0') + text;
    CHECK(ratios[static_cast<std::size_t>(i)] == std::strtod(text.c_str(), nullptr));
  }
  CHECK(parse_ratios("0.2343") == std::vector<double>{0.2343});
  CHECK(parse_ratios("0.1:0.15:0.02") == std::vector<double>{0.1, 0.12, 0.14});
  CHECK(parse_ratios(".5:1:0.5") == std::vector<double>{0.5, 1.0});
  for (const char* bad : {"", "0", "1.1", "x", "-0.1", "0.1:0.2", "0.1:0.2:0", "0.3:0.2:0.1", "0.1:0.2:0.1:0.1", "1e-1",
                          ":", "0.1:0.9:0.000000001", "0.1234567890123456", "0.1.2", "nan", "9999"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_ratios(bad), std::invalid_argument);
  }
}

TEST_CASE("budgets step in bytes") {
  const auto parse = [](const std::string& text) { return static_cast<std::uint64_t>(std::stoull(text)); };
  CHECK(parse_budgets("10:20:4", parse) == std::vector<std::uint64_t>{10, 14, 18});
  CHECK(parse_budgets("7", parse) == std::vector<std::uint64_t>{7});
  CHECK_THROWS_AS(parse_budgets("10:20:0", parse), std::invalid_argument);
}

TEST_CASE("samples are distinct, inside, and the same everywhere") {
  const auto draw = draw_samples(1000, 2000, 50, 7, "resnet32");
  CHECK(std::set<std::uint64_t>(draw.begin(), draw.end()).size() == 50);
  CHECK(draw.front() > 1000);
  CHECK(draw.back() < 2000);
  CHECK(draw == draw_samples(1000, 2000, 50, 7, "resnet32"));
  CHECK(draw != draw_samples(1000, 2000, 50, 8, "resnet32"));
  CHECK(draw != draw_samples(1000, 2000, 50, 7, "unet"));
  CHECK(draw_samples(0, 1u << 30, 3, 1, "a") == std::vector<std::uint64_t>{31317151, 43675355, 490574704});
  CHECK(draw_samples(10, 14, 50, 1, "a") == std::vector<std::uint64_t>{11, 12, 13});
  CHECK(draw_samples(10, 11, 50, 1, "a").empty());
  CHECK(draw_samples(10, 10, 50, 1, "a").empty());
}

TEST_CASE("refinement halves where status or cost differ, down to its step") {
  std::map<std::uint64_t, Outcome> done;
  CHECK(refine(done, 1).empty());
  done[100] = {"oom", {}};
  CHECK(refine(done, 1).empty());
  done[200] = {"ok", 2.0};
  done[300] = {"ok", 1.61};
  done[400] = {"ok", 1.0};
  done[500] = {"thrash", {}};
  done[600] = {"thrash", {}};
  CHECK(refine(done, 10) == std::vector<std::uint64_t>{150, 350, 450}); // 2.0 / 1.61 < 1.25 < 1.61
  CHECK(refine(done, 50) == std::vector<std::uint64_t>{150, 350, 450});
  CHECK(refine(done, 51).empty());
  CHECK(refine(done, 0).empty());
}

TEST_CASE("CSV lines come back as they were") {
  const std::vector<std::string> cells{"a", "", "1,5", "say \"x\"", " b ", "\"", "c"};
  const std::string line = csv_line(cells);
  CHECK(line == "a,,\"1,5\",\"say \"\"x\"\"\",\" b \",\"\"\"\",c");
  CHECK(parse_csv_line(line) == std::optional<std::vector<std::string>>(cells));
  CHECK(!parse_csv_line("a,\"b"));
  CHECK(parse_csv_line("")->size() == 1);
}

TEST_CASE("workers compute side by side; one that dies or throws takes its task alone with it") {
  WorkerPool pool(3, [](const std::string& task) -> std::string {
    if (task == "die") std::raise(SIGKILL);
    if (task == "exit") std::_Exit(7);
    if (task == "throw") throw std::runtime_error("no luck");
    return std::string(200000, 'x') + task; // more than a pipe holds
  });
  std::vector<std::string> tasks;
  for (int i = 0; i < 40; ++i) tasks.push_back(i % 7 == 3 ? "die" : i % 11 == 5 ? "exit" : i % 5 == 4 ? "throw" : "t");
  std::map<std::uint64_t, WorkerPool::Outcome> outcomes;
  std::size_t next = 0;
  while (next < tasks.size() || !pool.empty()) {
    while (next < tasks.size() && !pool.full()) {
      pool.start(next, tasks[next]);
      ++next;
    }
    WorkerPool::Outcome outcome;
    if (pool.wait(10000, outcome)) CHECK(outcomes.emplace(outcome.id, outcome).second);
  }
  REQUIRE(outcomes.size() == tasks.size());
  for (const auto& [id, outcome] : outcomes) {
    CHECK(outcome.failed == (tasks[id] != "t"));
    if (tasks[id] == "die") CHECK(outcome.text.find("signal 9") != std::string::npos);
    if (tasks[id] == "exit") CHECK(outcome.text.find("code 7") != std::string::npos);
    if (tasks[id] == "throw") CHECK(outcome.text == "no luck");
    if (tasks[id] == "t") CHECK(outcome.text == std::string(200000, 'x') + "t");
  }
}
