// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/explore.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "host/atlas/method_choice.h"
#include "host/atlas/rerun.h"
#include "host/atlas/walker.h"

namespace dtrmc::atlas {

namespace {

// Intervals of a part of the line that a thread takes at a time, about. Many: its walker then goes from neighbour to
// neighbour. Few: what is found is in order soon, and written.
constexpr std::size_t kIntervalsPerPart = 128;

// The interval that holds this budget.
Interval extent(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
                std::uint64_t budget) {
  sim::Settings own = settings;
  own.hashes = false;
  sim::Run run(schedule, topology, own, budget, budget);
  Interval out;
  out.hi = UINT64_MAX;
  sim::Leg leg;
  leg.last = schedule.steps.empty();
  while (!leg.last) {
    run.run_leg(budget, leg);
    out.lo = std::max(out.lo, leg.highest_fit);
    out.hi = std::min(out.hi, leg.lowest_short - 1); // a need is below 2^64 - 1
  }
  return out;
}

// Each thread has a walker of its own and takes the lowest part that nobody has taken yet, so that its budgets ascend.
class Explorer {
 public:
  Explorer(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
           std::uint64_t from, std::uint64_t to, const Limits& limits,
           const std::function<void(const Interval&)>& visit)
      : schedule_(schedule),
        topology_(topology),
        settings_(settings),
        from_(from),
        to_(to),
        limits_(limits),
        visit_(visit),
        next_part_(from),
        width_(std::max<std::uint64_t>((to - from) / 10000, 1)),
        next_(from) {}

  void run() {
    std::vector<std::thread> helpers;
    try {
      for (unsigned i = 1; i < limits_.threads; ++i) helpers.emplace_back([this] { work(); });
    } catch (const std::system_error&) { // fewer threads than asked for: the others do it all
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Over {}; // the exploration ended elsewhere

  void work() {
    try {
      Walker walker(schedule_, topology_, settings_, limits_.snapshots / limits_.threads);
      std::uint64_t lo = 0;
      std::uint64_t hi = 0;
      MethodChoice choice;
      while (take_part(lo, hi)) {
        const bool walks = limits_.method == Method::kReconverge || choice.next() == 1;
        const std::uint64_t before = walker.work();
        std::size_t found = 0;
        std::uint64_t work = 0;
        if (walks) {
          explore(walker, lo, hi, found);
          work = walker.work() - before;
        } else {
          work = explore_plainly(lo, hi, found);
        }
        if (found > 0) choice.took(walks ? 1 : 0, work, found);
        adapt(found);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  bool take_part(std::uint64_t& lo, std::uint64_t& hi) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_ || all_taken_) return false;
    lo = next_part_;
    hi = to_ - lo < width_ ? to_ : lo + width_ - 1;
    all_taken_ = hi == to_;
    next_part_ = hi + 1;
    return true;
  }

  void explore(Walker& walker, std::uint64_t lo, std::uint64_t hi, std::size_t& found) {
    for (std::uint64_t budget = lo;;) {
      Interval interval = walker.at(budget);
      // A run that holds below the part as well was found there.
      const bool known = budget == lo && lo != from_ && interval.lo < lo;
      interval.lo = std::max(interval.lo, from_);
      interval.hi = std::min(interval.hi, to_);
      const std::uint64_t last = interval.hi;
      if (!known) {
        ++found;
        if (!finish(std::move(interval))) return;
      }
      if (last >= hi) break;
      budget = last + 1;
    }
  }

  // The same by the plain method: the intervals that begin within the part, whole.
  std::uint64_t explore_plainly(std::uint64_t lo, std::uint64_t hi, std::size_t& found) {
    if (lo != from_) {
      const Interval first = extent(schedule_, topology_, settings_, lo);
      if (first.lo < lo && first.hi >= hi) return 0;
      if (first.lo < lo) lo = first.hi + 1;
    }
    if (hi != to_) hi = std::min(extent(schedule_, topology_, settings_, hi).hi, to_);
    Limits own = limits_;
    own.threads = 1;
    own.snapshots = std::max<std::size_t>(limits_.snapshots / limits_.threads, 1);
    const auto keep = [&](const Interval& interval) {
      ++found;
      if (!finish(interval)) throw Over();
    };
    try {
      return rerun(schedule_, topology_, settings_, lo, hi, own, keep);
    } catch (const Over&) {
      return 0;
    }
  }

  void adapt(std::size_t found) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (found < kIntervalsPerPart / 2 && width_ < UINT64_MAX / 4) width_ *= 2;
    if (found > kIntervalsPerPart * 2) width_ = std::max<std::uint64_t>(width_ / 2, 1);
  }

  // Visits what is next; the others wait for their turn. False: the exploration is over.
  bool finish(Interval interval) {
    if (interval.result.failure) {
      sim::Failure& f = *interval.result.failure;
      f.over_by = f.pinned + f.request - interval.lo;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_.emplace(interval.lo, std::move(interval));
    while (!finished_.empty() && finished_.begin()->first == next_ && !error_) {
      const auto first = finished_.extract(finished_.begin());
      next_ = first.mapped().hi + 1;
      try {
        visit_(first.mapped());
      } catch (...) { // noted under the lock: nothing may be visited behind a gap
        error_ = std::current_exception();
      }
    }
    return !error_;
  }

  const trace::Schedule& schedule_;
  const sim::Topology& topology_;
  const sim::Settings& settings_;
  const std::uint64_t from_;
  const std::uint64_t to_;
  const Limits limits_;
  const std::function<void(const Interval&)>& visit_;

  std::mutex mutex_;        // of all below
  std::uint64_t next_part_; // lowest budget that no thread has taken
  bool all_taken_ = false;
  std::uint64_t width_; // of a part, bytes
  std::map<std::uint64_t, Interval> finished_;
  std::uint64_t next_; // lowest budget not visited yet
  std::exception_ptr error_;
};

} // namespace

std::size_t default_snapshots(const trace::Schedule& schedule, const sim::Settings& settings) {
  const std::size_t storages = schedule.storages.size();
  std::size_t bytes = 4096 + storages * 160 + schedule.tensors.size() + schedule.operators.size();
  if (settings.runtime == sim::Runtime::kV1) bytes += schedule.tensors.size() * 200;
  if (settings.heuristic.cost == sim::CostMetric::kRegions ||
      settings.heuristic.cost == sim::CostMetric::kReverseRegion) {
    bytes += storages * 440 + storages * (storages / 8); // bit sets over all storages, for a part of them
  }
  return std::clamp<std::size_t>((std::size_t{1} << 30) / bytes, 4, 4096);
}

void explore(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
             std::uint64_t from, std::uint64_t to, const Limits& limits,
             const std::function<void(const Interval&)>& visit) {
  if (settings.heuristic.reads_budget) {
    throw std::invalid_argument("heuristic " + settings.heuristic.name +
                                " reads the budget at each decision: no interval of budgets shares a run");
  }
  sim::require_supported(settings.heuristic, settings.runtime);
  sim::Settings own = settings;
  own.events = nullptr;
  own.decisions = nullptr;
  own.allocations = nullptr;
  Limits set = limits;
  set.threads = std::max(set.threads, 1u);
  if (set.method == Method::kRerun) {
    rerun(schedule, topology, own, from, to, set, visit);
  } else {
    Explorer(schedule, topology, own, from, to, set, visit).run();
  }
}

} // namespace dtrmc::atlas
