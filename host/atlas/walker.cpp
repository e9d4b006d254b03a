// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/walker.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace dtrmc::atlas {

namespace {

constexpr std::size_t kRecordsPerState = 8;
constexpr std::uint64_t kRunsKept = 16;
// In snapshots' work. 12 gains up to 5 % where runs hardly ever meet again (treelstm), and costs 16 to 42 % elsewhere
// (transformer, densenet121, inceptionv4) for a third to two thirds of the memory; 24 costs twice as much there.
constexpr std::uint64_t kFirstSpacing = 4;
// In units of sim::Run::work().
constexpr std::uint64_t kWorkPerLeg = 8;       // beside its executions
constexpr std::uint64_t kLegsPerWork = 4;      // used again
constexpr std::uint64_t kEvictionsPerWork = 8; // hashed
constexpr std::size_t kLegsPerHash = 64;

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

sim::Settings without_observers(sim::Settings settings) {
  settings.events = nullptr;
  settings.decisions = nullptr;
  settings.allocations = nullptr;
  settings.hashes = false;
  return settings;
}

} // namespace

Walker::Walker(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
               std::size_t snapshots)
    : schedule_(schedule),
      settings_(without_observers(settings)),
      spacing_(kFirstSpacing * copy_work(schedule)),
      snapshot_limit_(std::max<std::size_t>(snapshots, 1)),
      evictions_(schedule.storages.size()) {
  sim::Run first(schedule, topology, settings_, 0, 0);
  start_ = first.fingerprint();
  snapshots_[start_] = {0, std::make_unique<sim::Run>(std::move(first))}; // stays for good
}

Interval Walker::at(std::uint64_t budget) {
  ++runs_;
  live_at_ = SIZE_MAX; // stands on the chain of an earlier run
  // What no check of the last chain tells apart stays.
  std::size_t same = 0;
  while (same < chain_.size() && chain_[same].lowest_short > budget) ++same;
  last_.assign(chain_.begin() + static_cast<std::ptrdiff_t>(same), chain_.end());
  chain_.resize(same);
  Point at;
  at.clock = 1;
  sim::Fingerprint begin = start_;
  bool ended = schedule_.steps.empty();
  const auto behind = [&](const Point& p) {
    at.clock = p.clock + p.record->leg.clock;
    at.remat = p.remat + p.record->leg.remat_compute;
    begin = p.record->end;
    ended = p.record->leg.last;
  };
  if (same > 0) behind(chain_.back());
  std::size_t ahead = 0; // where the last chain would go on, in last_
  while (!ended) {
    Record* record = nullptr;
    if (ahead < last_.size() && holds(*last_[ahead].record, at, begin, budget)) {
      record = last_[ahead].record;
    } else {
      record = find(at, begin, budget);
    }
    if (record == nullptr) {
      bring_live(at, begin, budget);
      record = simulate(begin, budget);
    } else if (record->place >= same && record->place - same < last_.size() &&
               last_[record->place - same].record == record) {
      ahead = record->place - same + 1;
    }
    at.record = record;
    at.lowest_short = record->leg.lowest_short;
    record->used = runs_;
    chain_.push_back(at);
    behind(chain_.back());
  }
  for (std::size_t i = same; i < chain_.size(); ++i) chain_[i].record->place = i;
  count_evictions(same);
  dropped_.clear();
  work_ += chain_.size() / kLegsPerWork;
  Interval out = interval();
  hash(same, out.result);
  if (records_kept_ > forget_at_) forget(budget);
  return out;
}

bool Walker::holds(const Record& r, const Point& at, const sim::Fingerprint& begin, std::uint64_t budget) const {
  if (r.begin != begin || budget < r.leg.highest_fit || budget >= r.leg.lowest_short) return false;
  if (at.clock + r.leg.clock > sim::kMaxClock) return false;
  return r.leg.status == record::Status::kThrash ? at.remat == r.remat_before
                                                 : at.remat + r.leg.remat_compute <= settings_.remat_limit;
}

Walker::Record* Walker::find(const Point& at, const sim::Fingerprint& begin, std::uint64_t budget) const {
  const auto found = records_.find(begin);
  if (found == records_.end()) return nullptr;
  for (const std::unique_ptr<Record>& r : found->second) {
    if (holds(*r, at, begin, budget)) return r.get();
  }
  return nullptr;
}

// A run that stands at the end of the chain so far: the one at hand goes on, or a copy of a snapshot.
void Walker::bring_live(const Point& at, const sim::Fingerprint& begin, std::uint64_t budget) {
  std::size_t from = chain_.size();
  while (live_at_ != from) {
    const auto found = snapshots_.find(from == chain_.size() ? begin : chain_[from].record->begin);
    if (found != snapshots_.end()) {
      found->second.used = runs_;
      live_.reset();
      live_.emplace(*found->second.run);
      const Point& there = from == chain_.size() ? at : chain_[from];
      live_->rebase(there.clock, there.remat);
      unsaved_ = 0;
      work_ += copy_work(schedule_);
      break;
    }
    --from; // that of the start is there
  }
  for (; from < chain_.size(); ++from) {
    run_leg(budget, scratch_);
    keep_snapshot(chain_[from].record->end);
  }
}

Walker::Record* Walker::simulate(const sim::Fingerprint& begin, std::uint64_t budget) {
  auto record = std::make_unique<Record>();
  record->remat_before = live_->remat_compute();
  run_leg(budget, record->leg);
  record->leg.evictions.shrink_to_fit();
  record->by_policy = static_cast<std::size_t>(std::count_if(record->leg.evictions.begin(), record->leg.evictions.end(),
                                                             [](const sim::Eviction& e) { return e.policy; }));
  live_at_ = chain_.size() + 1;
  record->begin = begin;
  if (!record->leg.last) {
    record->end = live_->fingerprint();
    keep_snapshot(record->end);
  }
  std::vector<std::unique_ptr<Record>>& all = records_[begin];
  if (all.size() >= kRecordsPerState) {
    const auto oldest =
        std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->used < b->used; });
    dropped_.push_back(std::move(*oldest));
    all.erase(oldest);
    --records_kept_;
  }
  all.insert(all.begin(), std::move(record));
  ++records_kept_;
  return all.front().get();
}

// Budgets ascend: what is short of this one holds for none that comes. And what no run used for long.
void Walker::forget(std::uint64_t budget) {
  for (const Point& p : chain_) p.record->used = runs_;
  for (auto at = records_.begin(); at != records_.end();) {
    std::vector<std::unique_ptr<Record>>& all = at->second;
    const std::size_t before = all.size();
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const auto& r) {
                               return r->used != runs_ &&
                                      (r->leg.lowest_short <= budget || r->used + kRunsKept < runs_);
                             }),
              all.end());
    records_kept_ -= before - all.size();
    at = all.empty() ? records_.erase(at) : std::next(at);
  }
  forget_at_ = std::max(4 * chain_.size() + 20000, 2 * records_kept_);
}

void Walker::run_leg(std::uint64_t budget, sim::Leg& leg) {
  const std::uint64_t before = live_->work();
  live_->run_leg(budget, leg);
  const std::uint64_t work = live_->work() - before + kWorkPerLeg;
  work_ += work;
  unsaved_ += work;
}

// live_ stands at this state.
void Walker::keep_snapshot(const sim::Fingerprint& at) {
  if (unsaved_ < spacing_ || snapshot_limit_ < 2) return;
  unsaved_ = 0;
  if (const auto found = snapshots_.find(at); found != snapshots_.end()) {
    found->second.used = runs_;
    return;
  }
  if (snapshots_.size() >= snapshot_limit_) {
    if (runs_ == 1) {
      thin_out();
    } else {
      drop_oldest();
    }
  }
  if (snapshots_.size() >= snapshot_limit_) return;
  work_ += copy_work(schedule_);
  snapshots_[at] = {runs_, std::make_unique<sim::Run>(*live_)};
}

// The first run leaves room to the others: it goes on with fewer.
void Walker::thin_out() {
  spacing_ *= 4;
  std::size_t seen = 0;
  for (const Point& p : chain_) {
    const auto found = snapshots_.find(p.record->begin);
    if (found == snapshots_.end() || p.record->begin == start_ || ++seen % 4 == 0) continue;
    snapshots_.erase(found);
  }
}

// An eighth of them at a time: looking for them takes a while.
void Walker::drop_oldest() {
  std::vector<std::uint64_t> uses;
  for (const auto& [state, snapshot] : snapshots_) uses.push_back(snapshot.used);
  const auto enough = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 8);
  std::nth_element(uses.begin(), enough, uses.end());
  std::size_t left = uses.size() / 8 + 1;
  for (auto at = snapshots_.begin(); at != snapshots_.end() && left > 0;) {
    if (at->first == start_ || at->second.used > *enough) {
      ++at;
      continue;
    }
    at = snapshots_.erase(at);
    --left;
  }
}

// Brings evictions_ from the last chain to this one. Most of the legs are in both, though not at the same places.
void Walker::count_evictions(std::size_t same) {
  const auto move = [&](Record& record) {
    for (const sim::Eviction& e : record.leg.evictions)
      evictions_[e.storage] += static_cast<std::uint32_t>(record.more);
    record.more = 0;
  };
  for (const Point& p : last_) --p.record->more;
  for (std::size_t i = same; i < chain_.size(); ++i) ++chain_[i].record->more;
  for (const Point& p : last_) move(*p.record);
  for (std::size_t i = same; i < chain_.size(); ++i) move(*chain_[i].record);
}

Interval Walker::interval() {
  Interval out;
  std::uint64_t highest_fit = 0;
  std::uint64_t lowest_short = UINT64_MAX;
  sim::Result& result = out.result;
  record::RunRecord& r = result.record;
  for (const Point& point : chain_) {
    const sim::Leg& leg = point.record->leg;
    highest_fit = std::max(highest_fit, leg.highest_fit);
    lowest_short = std::min(lowest_short, leg.lowest_short);
    r.clock += leg.clock;
    r.model_compute += leg.model_compute;
    r.remat_compute += leg.remat_compute;
    r.max_memory = std::max(r.max_memory, leg.max_memory);
    r.heuristic_evals += leg.heuristic_evals;
    if (leg.pinned_peak > result.pinned_peak) {
      result.pinned_peak = leg.pinned_peak;
      result.depth_at_pinned_peak = leg.depth_at_pinned_peak;
    }
    result.max_nesting = std::max(result.max_nesting, leg.max_nesting);
    result.candidates += leg.candidates;
    result.most_candidates = std::max(result.most_candidates, leg.most_candidates);
    r.all_evictions += leg.evictions.size();
    r.policy_evictions += point.record->by_policy;
  }
  out.lo = highest_fit;
  out.hi = lowest_short == UINT64_MAX ? UINT64_MAX : lowest_short - 1; // a need is below 2^64 - 1
  if (!chain_.empty()) {
    const sim::Leg& last = chain_.back().record->leg;
    r.status = last.status;
    result.failure = last.failure;
    result.simrd_defined = last.simrd_defined;
  }
  std::vector<std::uint32_t>& storages = histogram_; // by how often they were evicted
  std::fill(storages.begin(), storages.end(), 0);
  for (const std::uint32_t times : evictions_) {
    if (times >= storages.size()) storages.resize(times + 1);
    ++storages[times];
  }
  for (std::uint32_t times = 1; times < storages.size(); ++times) {
    if (storages[times] == 0) continue;
    r.distinct_evicted += storages[times];
    result.eviction_histogram.emplace_back(times, storages[times]);
  }
  return out;
}

// SHA-256 over the lines of all legs, going on from where the last chain was hashed and is still the same.
void Walker::hash(std::size_t changed, sim::Result& result) {
  while (!hashed_.empty() && hashed_.back()->leg > changed) hashed_.pop_back();
  auto now = hashed_.empty() ? std::make_unique<Hashes>() : std::make_unique<Hashes>(*hashed_.back());
  std::uint64_t lines = 0;
  for (std::size_t i = now->leg; i < chain_.size(); ++i) {
    if (i % kLegsPerHash == 0 && (hashed_.empty() || hashed_.back()->leg < i)) {
      now->leg = i;
      hashed_.push_back(std::make_unique<Hashes>(*now));
    }
    Record& record = *chain_[i].record;
    if (record.leg.evictions.empty()) continue;
    lines += record.leg.evictions.size();
    write_lines(record, chain_[i].clock);
    now->all.update(record.text[0]);
    now->policy.update(record.text[record.by_policy == record.leg.evictions.size() ? 0 : 1]);
  }
  work_ += lines / kEvictionsPerWork;
  result.record.all_sha256 = now->all.hex();
  result.record.policy_sha256 = now->policy.hex();
}

// As record::EvictionHashes takes them.
void Walker::write_lines(Record& record, std::uint64_t clock) const {
  if (record.has_text && record.text_clock == clock) return;
  record.has_text = true;
  record.text_clock = clock;
  record.text[0].clear();
  record.text[1].clear();
  const bool all_by_policy = record.by_policy == record.leg.evictions.size();
  for (const sim::Eviction& e : record.leg.evictions) {
    const std::size_t begin = record.text[0].size();
    record.text[0] += e.policy ? "p " : "e ";
    append_number(record.text[0], clock + e.clock);
    record.text[0] += ' ';
    record.text[0] += schedule_.storage_name(e.storage);
    record.text[0] += '\n';
    if (e.policy && !all_by_policy) record.text[1].append(record.text[0], begin, std::string::npos);
  }
}

} // namespace dtrmc::atlas
