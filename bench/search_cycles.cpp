// SPDX-License-Identifier: Apache-2.0
// Cycles of a scoring unit's searches on the update streams of real runs, in the Verilated RTL: median and tail, over
// the decisions with so many candidates. Every victim is checked where the table holds a whole pool; units ending in
// -checked also compare each search with a scan and stop where they differ.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "bench/update_stream.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "tests/rtl/unit_driver.h"

using namespace dtrmc;

namespace {

class WrongVictim : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

double percentile(const std::vector<std::uint32_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

struct Figures {
  std::vector<std::uint32_t> cycles; // of searches, then sorted
  std::uint64_t updates = 0;         // before these searches
  std::uint64_t checked = 0;         // victims compared with the simulator's
  std::uint64_t flagged = 0;         // NEAR or MIXED: firmware would decide again

  void add(const Figures& other) {
    cycles.insert(cycles.end(), other.cycles.begin(), other.cycles.end());
    updates += other.updates;
    checked += other.checked;
    flagged += other.flagged;
  }
  void print(const std::string& what) {
    std::sort(cycles.begin(), cycles.end());
    const double count = std::max<double>(1, static_cast<double>(cycles.size()));
    std::printf("%-44s %8zu %8.1f %7.0f %7.0f %7.0f %7.0f %8llu %8llu\n", what.c_str(), cycles.size(),
                static_cast<double>(updates) / count, percentile(cycles, 0.5), percentile(cycles, 0.9),
                percentile(cycles, 0.99), percentile(cycles, 1), static_cast<unsigned long long>(checked),
                static_cast<unsigned long long>(flagged));
  }
};

class Table final : public bench::TableUser {
 public:
  Table(const std::string& unit, test::Terms terms, std::uint64_t low, std::uint64_t high)
      : driver_(unit), low_(low), high_(high) {
    driver_.set_terms(terms);
  }

  std::uint32_t depth() const { return driver_.depth(); }
  Figures figures;

  void insert(std::uint32_t slot, const bench::TableEntry& entry) override {
    driver_.insert({slot, entry.cost, entry.size, entry.last, order_++});
    ++updates_;
  }
  void set_cost(std::uint32_t slot, std::int64_t cost) override {
    driver_.update_cost(slot, cost);
    ++updates_;
  }
  void set_last(std::uint32_t slot, std::uint64_t last) override {
    driver_.update_last(slot, last);
    ++updates_;
  }
  void remove(std::uint32_t slot) override {
    driver_.remove(slot);
    ++updates_;
  }
  void decide(std::uint64_t clock, std::uint32_t expected, std::uint64_t candidates) override {
    driver_.set_clock(clock);
    const test::Result result = driver_.search();
    const bool flagged = result.near() || result.mixed();
    if (result.sat()) throw WrongVictim("a value does not fit the unit");
    if (expected != bench::kUnknown && !flagged) {
      if (result.slot() != expected) {
        throw WrongVictim("decision " + std::to_string(decisions_) + ": slot " + std::to_string(result.slot()) +
                          " instead of " + std::to_string(expected));
      }
      ++figures.checked;
    }
    ++decisions_;
    if (candidates >= low_ && candidates <= high_) {
      figures.cycles.push_back(result.cycles);
      figures.updates += updates_;
      figures.flagged += flagged ? 1 : 0;
    }
    updates_ = 0;
  }

 private:
  test::UnitDriver driver_;
  std::uint64_t low_;
  std::uint64_t high_;
  std::uint32_t order_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t decisions_ = 0;
};

struct Options {
  std::vector<std::string> traces;
  std::vector<std::string> heuristics = {"dtr-eq"};
  std::vector<double> ratios = {0.3};
  std::string unit = "exact-l4-cache";
  std::uint32_t copies = 1;
  std::uint64_t limit = 2000;
  std::uint64_t low = 1;
  std::uint64_t high = UINT64_MAX;
};

Figures measure(const trace::Schedule& schedule, const sim::Topology& topology, const std::string& heuristic,
                double ratio, const Options& options) {
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(heuristic);
  const auto peak = static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager));
  settings.budget = static_cast<std::uint64_t>(std::floor(peak * ratio));
  settings.remat_limit = sim::remat_limit(schedule, 60);
  settings.hashes = false;
  Table table(options.unit, {settings.heuristic.size, settings.heuristic.staleness}, options.low, options.high);
  bench::UpdateStream stream(table, table.depth(), options.copies, options.limit);
  settings.decisions = &stream;
  settings.allocations = &stream;
  try {
    sim::simulate(schedule, topology, settings);
  } catch (const bench::UpdateStream::Enough&) { // as many decisions as asked for
  }
  return table.figures;
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("search cycles of a scoring unit on update streams of real runs");
  Options options;
  app.add_option("TRACE", options.traces, "trace files, or names of known ones")->required();
  app.add_option("--heuristic", options.heuristics, "default dtr-eq")->delimiter(',');
  app.add_option("--ratio", options.ratios, "budget, of the peak of an unlimited run; default 0.3")->delimiter(',');
  app.add_option("--unit", options.unit, "default exact-l4-cache");
  app.add_option("--copies", options.copies, "of the run, in one table; default 1")->check(CLI::Range(1, 64));
  app.add_option("--limit", options.limit, "decisions of each run of the simulator; default 2000");
  app.add_option("--from", options.low, "only decisions with at least so many candidates");
  app.add_option("--to", options.high, "and at most so many");
  CLI11_PARSE(app, argc, argv);
  try {
    std::printf("%-44s %8s %8s %7s %7s %7s %7s %8s %8s\n", options.unit.c_str(), "searches", "updates", "median", "p90",
                "p99", "max", "checked", "flagged");
    Figures all;
    for (const std::string& name : options.traces) {
      const trace::Schedule schedule = trace::parse_file(trace::find_trace(name));
      const sim::Topology topology(schedule);
      for (const std::string& heuristic : options.heuristics) {
        for (const double ratio : options.ratios) {
          Figures figures = measure(schedule, topology, heuristic, ratio, options);
          char budget[32];
          std::snprintf(budget, sizeof budget, " %g", ratio);
          figures.print(schedule.name + " " + heuristic + budget);
          all.add(figures);
        }
      }
    }
    all.print("all");
  } catch (const WrongVictim& error) {
    std::cerr << "search_cycles: error: " << error.what() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "search_cycles: error: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
