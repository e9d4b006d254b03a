// SPDX-License-Identifier: Apache-2.0
// One run of the simulator, repeated; processor time of the fastest, as a JSON line. bench/simulator sets it beside
// simrd.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/cpu_seconds.h"
#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"

using namespace dtrmc;

int main(int argc, char** argv) {
  CLI::App app("processor time of one simulator run");
  std::string name;
  std::string heuristic = "dtr";
  std::optional<double> ratio;
  std::optional<std::uint64_t> budget;
  double overhead_limit = 60;
  int rounds = 5;
  app.add_option("TRACE", name, "trace file, or name of a known one")->required();
  app.add_option("--heuristic", heuristic, "default dtr");
  auto* bytes = app.add_option("--budget", budget, "bytes");
  app.add_option("--ratio", ratio, "of the peak of an unlimited run of v2-eager")->excludes(bytes);
  app.add_option("--overhead-limit", overhead_limit, "default 60")->check(CLI::Range(1.0, 1e6));
  app.add_option("--rounds", rounds, "default 5")->check(CLI::Range(1, 1000000));
  CLI11_PARSE(app, argc, argv);
  try {
    if (!ratio && !budget) throw std::invalid_argument("give --budget or --ratio");
    const double start = bench::cpu_seconds();
    const std::string path = trace::find_trace(name);
    const trace::Schedule schedule = trace::parse_file(path);
    const sim::Topology topology(schedule);
    const double parsed = bench::cpu_seconds() - start;
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic(heuristic);
    settings.budget =
        budget ? *budget
               : static_cast<std::uint64_t>(
                     std::floor(static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)) * *ratio));
    settings.remat_limit = sim::remat_limit(schedule, overhead_limit);
    double best = std::numeric_limits<double>::infinity();
    sim::Result result;
    for (int round = 0; round < rounds; ++round) {
      const double begin = bench::cpu_seconds();
      result = sim::simulate(schedule, topology, settings);
      best = std::min(best, bench::cpu_seconds() - begin);
    }
    const nlohmann::ordered_json out = {{"trace", schedule.name},
                                        {"path", path},
                                        {"operators", schedule.operators.size()},
                                        {"budget", settings.budget},
                                        {"remat_limit", settings.remat_limit},
                                        {"status", record::to_string(result.record.status)},
                                        {"clock", result.record.clock},
                                        {"heuristic_evals", result.record.heuristic_evals},
                                        {"remat_compute", result.record.remat_compute},
                                        {"parse_s", parsed},
                                        {"run_s", best}};
    std::cout << out.dump() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "simulator_speed: error: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
