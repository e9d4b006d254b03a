// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/rerun.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace dtrmc::atlas {

namespace {

// A part of the line that is not explored yet: [its key, hi], and the run that all its budgets share so far.
struct Piece {
  std::uint64_t hi = 0;
  std::optional<sim::Run> run; // none: from the start
};

class Explorer {
 public:
  Explorer(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
           std::uint64_t from, const Limits& limits, const std::function<void(const Interval&)>& visit)
      : schedule_(schedule),
        topology_(topology),
        settings_(settings),
        snapshot_limit_(std::max<std::size_t>(limits.snapshots, 1)),
        visit_(visit),
        next_(from) {}

  std::uint64_t run(std::uint64_t from, std::uint64_t to, unsigned threads) {
    pending_.emplace(from, Piece{to, std::nullopt});
    std::vector<std::thread> helpers;
    try {
      for (unsigned i = 1; i < threads; ++i) helpers.emplace_back([this] { work(); });
    } catch (const std::system_error&) { // fewer threads than asked for: the others do it all
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
    return work_;
  }

 private:
  // The lowest piece is always taken first: intervals are finished almost in order, so that few wait for lower ones,
  // and the pieces whose snapshots are dropped are those wanted last.
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return error_ || !pending_.empty() || active_ == 0; });
      if (error_ || pending_.empty()) return;
      auto node = pending_.extract(pending_.begin());
      if (node.mapped().run) --snapshots_;
      ++active_;
      lock.unlock();
      std::exception_ptr error;
      try {
        explore(node.key(), std::move(node.mapped()));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      --active_;
      if (error && !error_) error_ = error;
      if (error_ || (active_ == 0 && pending_.empty())) changed_.notify_all();
    }
  }

  void explore(std::uint64_t lo, Piece piece) {
    if (!piece.run) piece.run.emplace(schedule_, topology_, settings_, lo, piece.hi);
    sim::Run run = std::move(*piece.run);
    const std::uint64_t before = run.work();
    std::uint64_t copies = 1;
    while (const std::optional<std::uint64_t> need = run.advance()) {
      Piece fits{run.highest(), run};
      fits.run->narrow(*need, run.highest());
      run.narrow(run.lowest(), *need - 1);
      keep(*need, std::move(fits));
      ++copies;
    }
    Interval interval{run.lowest(), run.highest(), run.finish()};
    const std::lock_guard<std::mutex> lock(mutex_);
    work_ += run.work() - before + copies * copy_work(schedule_);
    finished_.emplace(interval.lo, std::move(interval));
    while (!finished_.empty() && finished_.begin()->first == next_ && !error_) {
      const auto first = finished_.extract(finished_.begin());
      next_ = first.mapped().hi + 1;
      try {
        visit_(first.mapped());
      } catch (...) { // noted under the lock: nothing may be visited behind a gap
        error_ = std::current_exception();
        changed_.notify_all();
      }
    }
  }

  void keep(std::uint64_t lo, Piece piece) {
    std::optional<sim::Run> dropped; // destroyed without the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    pending_.emplace(lo, std::move(piece));
    if (++snapshots_ > snapshot_limit_) {
      auto last = std::find_if(pending_.rbegin(), pending_.rend(), [](const auto& entry) { return entry.second.run; });
      dropped = std::move(last->second.run);
      last->second.run.reset();
      --snapshots_;
    }
    changed_.notify_one();
  }

  const trace::Schedule& schedule_;
  const sim::Topology& topology_;
  const sim::Settings settings_;
  const std::size_t snapshot_limit_;
  const std::function<void(const Interval&)>& visit_;

  std::mutex mutex_; // of all below
  std::condition_variable changed_;
  std::map<std::uint64_t, Piece> pending_; // by lowest budget
  std::size_t snapshots_ = 0;              // pieces in pending_ with a run
  unsigned active_ = 0;                    // pieces being explored
  std::map<std::uint64_t, Interval> finished_;
  std::uint64_t next_; // lowest budget not visited yet
  std::uint64_t work_ = 0;
  std::exception_ptr error_;
};

} // namespace

std::uint64_t rerun(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
                    std::uint64_t from, std::uint64_t to, const Limits& limits,
                    const std::function<void(const Interval&)>& visit) {
  return Explorer(schedule, topology, settings, from, limits, visit).run(from, to, std::max(limits.threads, 1u));
}

} // namespace dtrmc::atlas
