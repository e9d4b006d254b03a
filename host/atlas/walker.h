// SPDX-License-Identifier: Apache-2.0
// Runs over ascending budgets that share what they have in common, not only at their beginning.
//
// Two runs whose budgets differ by a byte part at one allocation, and mostly meet again a few operators later: the same
// storages are resident, as long ago accessed, with the same costs. From there on they are one run wherever no check
// tells their budgets apart. So a run is kept as legs (of a few operators each), and a leg is a function:
//
//   (state before it, budget) -> (state after it, what happened)
//
// - The state stands as its fingerprint (sim::Run::fingerprint: 128 bits over everything that decides what comes).
//   Times in it count from now, so runs of different clocks can meet (but for ticks and approximate arithmetic, which
//   see the clock itself); a leg is told relative to its beginning.
// - The budget enters only by the checks of the leg: it is the same for all budgets from its highest need that fit to
//   the byte below its lowest that did not.
// - Two more things enter, and are compared where a leg is used again: the limit on rematerialisation (the sum so far
//   and the leg's share stay within it, or the leg ended by it and began at the same sum) and the range of the clock.
//
// By induction over the legs, a chain of legs in which each begins at the state at which the one before it ends is the
// run at that budget, event for event. Its interval is the intersection of the legs' intervals, its counts are sums and
// maxima over them, its eviction lines follow each other. Only legs that no earlier run went through are simulated:
// from a snapshot (a copied sim::Run) on the chain, by going over the legs between it and there again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/atlas/explore.h"
#include "host/record/sha256.h"
#include "host/sim/simulator.h"

namespace dtrmc::atlas {

class Walker {
 public:
  // `snapshots`: copied runs in memory at most. Nothing visible depends on it. All must outlive the walker; hashes and
  // observers of the settings are not used. Throws as sim::Run does.
  Walker(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
         std::size_t snapshots);

  // The run at `budget`, with the whole interval on which it is valid. Budgets must ascend from call to call.
  // Throws sim::ClockOverflow.
  Interval at(std::uint64_t budget);

  // How much all runs took, in units of sim::Run::work().
  std::uint64_t work() const { return work_; }

 private:
  struct Record {
    sim::Fingerprint begin;
    sim::Fingerprint end;
    std::uint64_t remat_before = 0; // ns, when it was simulated
    std::uint64_t used = 0;         // run that used it last
    std::size_t place = 0;          // on the last chain with it
    std::size_t by_policy = 0;      // of its evictions
    std::int32_t more = 0;          // times that it is on this chain, above those on the last (count_evictions)
    sim::Leg leg;
    // Its eviction lines, at this clock.
    std::uint64_t text_clock = 0;
    bool has_text = false;
    std::string text[2]; // all lines; those of the heuristic, unless they are all
  };
  struct Point { // where a leg begins on the chain
    Record* record = nullptr;
    std::uint64_t lowest_short = 0; // of the leg
    std::uint64_t clock = 0;        // ns
    std::uint64_t remat = 0;        // ns
  };
  struct Snapshot {
    std::uint64_t used = 0;
    std::unique_ptr<sim::Run> run;
  };
  struct Spread {
    std::size_t operator()(const sim::Fingerprint& f) const { return f.a; }
  };
  struct Hashes { // over the lines before a leg
    std::size_t leg = 0;
    record::Sha256 all;
    record::Sha256 policy;
  };

  bool holds(const Record& record, const Point& at, const sim::Fingerprint& begin, std::uint64_t budget) const;
  Record* find(const Point& at, const sim::Fingerprint& begin, std::uint64_t budget) const;
  Record* simulate(const sim::Fingerprint& begin, std::uint64_t budget);
  void bring_live(const Point& at, const sim::Fingerprint& begin, std::uint64_t budget);
  void run_leg(std::uint64_t budget, sim::Leg& leg);
  void keep_snapshot(const sim::Fingerprint& at);
  void thin_out();
  void drop_oldest();
  void forget(std::uint64_t budget);
  void count_evictions(std::size_t same);
  Interval interval();
  void hash(std::size_t changed, sim::Result& result);
  void write_lines(Record& record, std::uint64_t clock) const;

  const trace::Schedule& schedule_;
  const sim::Settings settings_;
  std::unordered_map<sim::Fingerprint, std::vector<std::unique_ptr<Record>>, Spread> records_; // by begin
  std::size_t records_kept_ = 0;
  std::size_t forget_at_ = 100000;               // so many
  std::vector<std::unique_ptr<Record>> dropped_; // in this run; the last chain may hold them
  std::unordered_map<sim::Fingerprint, Snapshot, Spread> snapshots_;
  std::uint64_t spacing_;     // work from one snapshot to the next, at least: where legs are long, each gets its own
  std::uint64_t unsaved_ = 0; // work of live_ since it was at a snapshot
  std::size_t snapshot_limit_;
  sim::Fingerprint start_;

  std::vector<Point> chain_;     // of the last run
  std::vector<Point> last_;      // the one before, while the next is made
  std::optional<sim::Run> live_; // stands on the chain, before leg live_at_
  std::size_t live_at_ = 0;
  std::vector<std::unique_ptr<Hashes>> hashed_; // on the chain, ascending legs
  sim::Leg scratch_;
  std::vector<std::uint32_t> evictions_; // by storage, on the chain
  std::vector<std::uint32_t> histogram_; // scratch
  std::uint64_t runs_ = 0;
  std::uint64_t work_ = 0;
};

} // namespace dtrmc::atlas
