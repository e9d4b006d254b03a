// SPDX-License-Identifier: Apache-2.0
// Speed of the instruction-set simulator in cycle-counting mode against Unicorn, on the firmware's own work (the batch
// image, one run for each heuristic), measured in turns in one run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/cpu_seconds.h"
#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "systemc/batch/batch.h"
#include "systemc/cpu/core.h"
#ifdef DTRMC_HAVE_UNICORN
#include "bench/unicorn_engine.h"
#endif

namespace dtrmc::bench {

namespace {

struct Options {
  std::string trace = "cifar-resnet32-224";
  std::string profile = "ibex-small";
  double ratio = 0.3;
  int rounds = 5;
  bool iss_only = false;
};

// One engine; a round is the sum over the heuristics.
struct Engine {
  std::string name;
  const char* unit;                                                   // of what it counts
  std::function<double(batch::Ram& ram, std::uint64_t& counted)> run; // returns seconds
  double best = 1e300;
  std::uint64_t counted = 0;
};

int measure(const Options& options) {
  const trace::Schedule schedule = trace::parse_file(trace::find_trace(options.trace));
  batch::Setup setup;
  setup.budget = static_cast<std::uint64_t>(
      std::floor(options.ratio * static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager))));
  std::uint64_t instructions = 0;
  std::vector<Engine> engines;
  engines.push_back(
      {"ISS, " + options.profile, "cycles", [&](batch::Ram& ram, std::uint64_t& counted) {
         const double begin = cpu_seconds();
         const batch::Run run = batch::run(ram, [&](const cpu::RamView& view, cpu::Environment& environment) {
           return std::make_unique<cpu::Core>(cpu::timing_profile(options.profile), view, environment);
         });
         const double seconds = cpu_seconds() - begin;
         counted += run.cycles;
         instructions += run.instructions;
         return seconds;
       }});
#ifdef DTRMC_HAVE_UNICORN
  const auto unicorn = [](Hook hook) {
    return [hook](batch::Ram& ram, std::uint64_t& counted) {
      const UnicornRun run = run_on_unicorn(ram, hook);
      counted += run.counted;
      return run.seconds;
    };
  };
  if (!options.iss_only) {
    engines.push_back(
        {"Unicorn, counting hook on instructions", "cycles, branches not taken", unicorn(Hook::kInstruction)});
    engines.push_back({"Unicorn, counting hook on blocks", "instructions", unicorn(Hook::kBlock)});
    engines.push_back({"Unicorn, no hook", "", unicorn(Hook::kNone)});
  }
#endif
  for (int round = 0; round < options.rounds; ++round) {
    instructions = 0;
    for (Engine& engine : engines) {
      double seconds = 0;
      engine.counted = 0;
      for (int heuristic = 0; heuristic < DTRMC_HEURISTIC_COUNT; ++heuristic) {
        setup.heuristic = static_cast<dtrmc_heuristic>(heuristic);
        batch::Ram ram(DTRMC_BATCH_ELF, schedule, setup);
        seconds += engine.run(ram, engine.counted);
      }
      engine.best = std::min(engine.best, seconds);
    }
  }
  const double millions = static_cast<double>(instructions) / 1e6;
  std::printf("%s, ratio %.2f, all heuristics: %.1f million instructions; processor time, best of %d rounds\n",
              schedule.name.c_str(), options.ratio, millions, options.rounds);
  for (const Engine& engine : engines) {
    std::printf("%-40s %7.3f s %8.1f MIPS", engine.name.c_str(), engine.best, millions / engine.best);
    if (&engine != &engines.front()) std::printf("  ISS is %4.1f times as fast", engine.best / engines.front().best);
    if (engine.counted != 0) {
      std::printf("  counted %llu %s", static_cast<unsigned long long>(engine.counted), engine.unit);
    }
    std::printf("\n");
  }
#ifndef DTRMC_HAVE_UNICORN
  std::printf("Unicorn was not found when this was built (apt-get install libunicorn-dev), so there is no ratio\n");
#endif
  return 0;
}

} // namespace

} // namespace dtrmc::bench

int main(int argc, char** argv) {
  CLI::App app{"Speed of the instruction-set simulator on the firmware's batch image, against Unicorn"};
  dtrmc::bench::Options options;
  app.add_option("--trace", options.trace, "path or name");
  app.add_option("--profile", options.profile, "timing profile of the ISS");
  app.add_option("--ratio", options.ratio, "budget as a share of the unlimited peak");
  app.add_option("--rounds", options.rounds, "the best of so many counts")->check(CLI::Range(1, 1000));
  app.add_flag("--iss-only", options.iss_only, "for a profiler");
  CLI11_PARSE(app, argc, argv);
  try {
    return dtrmc::bench::measure(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 2;
  }
}
