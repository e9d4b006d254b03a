// SPDX-License-Identifier: Apache-2.0
#include "host/sim/simulator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "host/record/eviction_hashes.h"
#include "host/sim/chooser.h"
#include "host/sim/classes.h"
#include "host/sim/fresh_region.h"
#include "host/sim/live_links.h"
#include "host/sim/policies.h"
#include "host/sim/pool.h"
#include "host/sim/regions.h"
#include "host/sim/shortlist.h"
#include "host/sim/state.h"

namespace dtrmc::sim {

namespace {

using record::Event;
using record::EventKind;
using record::Status;
using trace::OperatorId;
using trace::StorageId;
using trace::TensorId;

} // namespace

class Run::Simulator {
 public:
  Simulator(const trace::Schedule& schedule, const Topology& topology, const Settings& settings, std::uint64_t lowest,
            std::uint64_t highest)
      : schedule_(schedule),
        topology_(topology),
        settings_(settings),
        lowest_(lowest),
        highest_(highest),
        pool_(state_),
        shortlist_(schedule.storages.size()),
        defined_(schedule.tensors.size()),
        ran_(schedule.operators.size()),
        evictions_(schedule.storages.size()) {
    require_supported(settings.heuristic, settings.runtime);
    require_supported(settings.heuristic, settings.arithmetic);
    state_.storages.resize(schedule.storages.size());
    for (StorageId s = 0; s < schedule.storages.size(); ++s) state_.storages[s].size = schedule.storages[s].size;
    for (const StorageId s : settings.retained) ++state_.storages[s].locks; // a lock that is never taken off
    if (settings.runtime == Runtime::kV1) links_.emplace(schedule);
    switch (settings.heuristic.cost) {
      case CostMetric::kRegions:
      case CostMetric::kReverseRegion:
        regions_.emplace(topology_, state_);
        break;
      case CostMetric::kClasses:
        classes_.emplace(topology_, state_, shortlist_);
        break;
      case CostMetric::kFreshRegion:
        fresh_region_.emplace(schedule, topology_, state_, *links_);
        break;
      case CostMetric::kOne:
      case CostMetric::kLocal:
      case CostMetric::kLastAccess:
        break;
    }
    if (const PolicyEntry* policy = settings.heuristic.policy) {
      policy_ = PolicyOwner(policy->make({settings.heuristic.factor, settings.heuristic.number}, schedule, topology));
    }
    if (settings.hashes) hashes_.emplace();
  }

  // After a copy: the parts refer to each other within one simulator.
  void rebind() {
    pool_.rebind(state_);
    if (regions_) regions_->rebind(state_);
    if (classes_) classes_->rebind(state_, shortlist_);
    if (fresh_region_) fresh_region_->rebind(state_, *links_);
  }

  std::optional<std::uint64_t> advance() {
    disputed_.reset();
    while (step_ < schedule_.steps.size() && result_.record.status == Status::kOk) {
      perform(schedule_.steps[step_]);
      if (disputed_) return disputed_;
      ++step_;
    }
    return std::nullopt;
  }

  void narrow(std::uint64_t lowest, std::uint64_t highest) {
    lowest_ = lowest;
    highest_ = highest;
  }
  std::uint64_t lowest() const { return lowest_; }
  std::uint64_t highest() const { return highest_; }
  std::size_t steps_done() const { return step_; }
  std::uint64_t work() const { return work_; }
  std::uint64_t remat_compute() const { return result_.record.remat_compute; }

  void run_leg(std::uint64_t budget, Leg& leg) {
    lowest_ = highest_ = budget;
    leg_ = &leg;
    leg.highest_fit = 0;
    leg.lowest_short = UINT64_MAX;
    leg.evictions.clear();
    record::RunRecord& r = result_.record;
    leg_clock_ = r.clock;
    const std::uint64_t model_before = r.model_compute;
    const std::uint64_t remat_before = r.remat_compute;
    r.max_memory = 0;
    r.heuristic_evals = 0;
    result_.pinned_peak = 0;
    result_.depth_at_pinned_peak = 0;
    result_.max_nesting = 0;
    result_.candidates = 0;
    result_.most_candidates = 0;
    do {
      paused_ = false;
      perform(schedule_.steps[step_]);
      if (paused_) break;
      ++step_;
    } while (step_ < schedule_.steps.size() && r.status == Status::kOk && !can_execute(schedule_.steps[step_]));
    leg_ = nullptr;
    leg.last = r.status != Status::kOk || step_ >= schedule_.steps.size();
    leg.status = r.status;
    leg.failure = result_.failure;
    leg.clock = r.clock - leg_clock_;
    leg.model_compute = r.model_compute - model_before;
    leg.remat_compute = r.remat_compute - remat_before;
    leg.max_memory = r.max_memory;
    leg.pinned_peak = result_.pinned_peak;
    leg.depth_at_pinned_peak = result_.depth_at_pinned_peak;
    leg.max_nesting = result_.max_nesting;
    leg.heuristic_evals = r.heuristic_evals;
    leg.candidates = result_.candidates;
    leg.most_candidates = result_.most_candidates;
    leg.simrd_defined = !regions_ || regions_->simrd_defined();
  }

  // Left out because step_ settles them: references, computes, which tensors exist, which operators ran (each in its
  // own step, and last in it, or the run ended), what is pinned. Left out because others settle them: locks (v1 drops
  // some), memory. Left out because no execution is in progress: what it made. Left out because they only gather values
  // that can be had anew: caches of the classes, the shortlist, scratch. Left out because nothing decides by it: what
  // has been counted.
  Fingerprint fingerprint() {
    Fingerprint f;
    // Ages in ticks, and keys of approximate arithmetic (lru's), depend on the clock itself.
    if (settings_.tick_ns != 1 || !arithmetic::is_exact(settings_.arithmetic)) f.add(clock());
    f.add(step_);
    f.add(stack_.size());
    for (const Frame& frame : stack_) {
      f.add(static_cast<std::uint64_t>(frame.tensor) << 1 | (frame.waiting ? 1 : 0));
      f.add(frame.end); // the next one begins there
      f.add(frame.next);
    }
    for (const TensorId t : missing_) f.add(t);
    f.add(defined_parts_);
    if (links_) {
      add_storages(f);
    } else {
      add_ages(f);
    }
    if (regions_) regions_->add_to(f);
    if (classes_) classes_->add_to(f);
    if (links_) links_->add_to(f);
    if (policy_) {
      f.add(policy_->state());
      for (const std::uint32_t times : evictions_) f.add(times); // a rule may look at them
    }
    return f;
  }

  void rebase(std::uint64_t clock, std::uint64_t remat_compute) {
    const std::uint64_t by = clock - result_.record.clock; // modulo 2^64, as all below
    for (StorageState& s : state_.storages) {
      if (s.last_access != 0) s.last_access += by;
    }
    sibling_accesses_ += sibling_weights_ * static_cast<UInt128>(static_cast<std::int64_t>(by));
    shortlist_.invalidate();
    result_.record.clock = clock;
    result_.record.remat_compute = remat_compute;
  }

  Result finish() {
    if (regions_) result_.simrd_defined = regions_->simrd_defined();
    if (hashes_) hashes_->finish(result_.record);
    std::map<std::uint32_t, std::uint32_t> histogram;
    for (const std::uint32_t times : evictions_) {
      if (times != 0) ++histogram[times];
    }
    result_.eviction_histogram.assign(histogram.begin(), histogram.end());
    return result_;
  }

 private:
  // One materialisation in progress: the missing inputs are missing_[begin, end), `next` of them are done.
  struct Frame {
    TensorId tensor;
    bool waiting; // for missing_[next]
    std::size_t begin;
    std::size_t end;
    std::size_t next;
  };

  StorageState& storage_of(TensorId t) { return state_.storages[schedule_.tensors[t].storage]; }

  // Accesses of storages that become material without one (Topology::accessed_first) always count; the others' while
  // they are in the pool, locked by a materialisation in progress, or about to be.
  void add_ages(Fingerprint& f) const {
    for (const Frame& frame : stack_) {
      for (const TensorId input : inputs_of(frame.tensor)) {
        const StorageState& s = state_.storages[schedule_.tensors[input].storage];
        f.add(s.pinned ? 0 : clock() - s.last_access); // never in the pool again
      }
    }
    for (StorageId id = pool_.first(); id != kNoStorage; id = pool_.next(id)) {
      const std::uint64_t accessed = state_.storages[id].last_access;
      f.add(id);
      f.add(clock() - accessed);
      if (accessed == 0) f.add(UINT64_MAX); // its staleness is the clock itself, and stays so
    }
    const UInt128 ages = sibling_weights_ * clock() - sibling_accesses_;
    f.add(static_cast<std::uint64_t>(ages));
    f.add(static_cast<std::uint64_t>(ages >> 64));
  }

  // All of them, whole: v1 unpins, drops locks, and dtr-unopt looks at evicted storages.
  void add_storages(Fingerprint& f) const {
    f.add(pool_.first());
    for (const StorageState& s : state_.storages) {
      const std::uint64_t flags = (s.in_pool ? 1U : 0U) | (s.material ? 2U : 0U) | (s.pinned ? 4U : 0U);
      f.add(static_cast<std::uint64_t>(s.locks) << 8 | flags);
      if (s.in_pool) f.add(s.next);
      f.add(s.last_access == 0 ? UINT64_MAX : clock() - s.last_access);
      if (s.in_pool && s.last_access == 0) f.add(clock()); // its staleness is the clock itself
    }
  }

  static UInt128 weight(StorageId id) {
    const Parts part = Parts::of(id);
    return static_cast<UInt128>(part.a) << 64 | part.b | 1;
  }

  void access(StorageId id) {
    StorageState& s = state_.storages[id];
    if (topology_.accessed_first[id] == 0 && !s.pinned) {
      if (s.last_access == 0) sibling_weights_ += weight(id);
      sibling_accesses_ += weight(id) * (clock() - s.last_access);
    }
    s.last_access = clock();
  }

  // --- steps

  void perform(const trace::Step& step) {
    switch (step.kind) {
      case trace::StepKind::kConstant:
        if (compute(step.id)) pin(schedule_.operators[step.id].first_output);
        break;
      case trace::StepKind::kCompute:
        compute(step.id);
        break;
      case trace::StepKind::kGet:
        ++storage_of(step.id).references;
        break;
      case trace::StepKind::kRelease:
        release(schedule_.tensors[step.id].storage);
        break;
      case trace::StepKind::kPin:
        if (defined_[step.id] != 0 || materialise(step.id)) pin(step.id);
        break;
    }
  }

  // A step that stopped in the middle of a materialisation (its frames are on the stack) goes on there.
  bool compute(OperatorId id) {
    const trace::Operator& op = schedule_.operators[id];
    const TensorId end = op.first_output + op.output_count;
    if (stack_.empty()) create(id);
    if (!materialise(op.first_output)) return false;
    for (TensorId t = op.first_output; t < end; ++t) access(schedule_.tensors[t].storage);
    return true;
  }

  // The outputs exist, with their links and costs, before anything runs.
  void create(OperatorId id) {
    const trace::Operator& op = schedule_.operators[id];
    const TensorId end = op.first_output + op.output_count;
    state_.tensors_created = end;
    for (TensorId t = op.first_output; t < end; ++t) ++storage_of(t).references;
    for (TensorId t = op.first_output; t < end; ++t) charged(t, true);
    for (TensorId t = op.first_output; t < end; ++t) charged(t, false);
    if (links_) links_->create(id);
    if (regions_) announce(op);
    if (classes_) {
      for (TensorId t = op.first_output; t < end; ++t) classes_->on_created(schedule_.tensors[t].storage);
    }
  }

  void announce(const trace::Operator& op) {
    regions_->on_created();
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const trace::Tensor& tensor = schedule_.tensors[t];
      if (tensor.alias < 0) {
        regions_->on_pending(tensor.storage);
      } else if (!state_.storages[tensor.storage].material) {
        regions_->on_grown(tensor.storage, op.cost);
      }
    }
  }

  // Adds the operator's cost to each storage it writes, once: the first pass marks, the second clears.
  void charged(TensorId t, bool first_pass) {
    StorageState& s = storage_of(t);
    if (first_pass && !s.charged) s.compute += schedule_.operators[schedule_.tensors[t].op].cost;
    s.charged = first_pass;
  }

  void release(StorageId id) {
    StorageState& s = state_.storages[id];
    --s.references;
    if (links_) {
      if (s.references == 0) try_banish(id);
      return;
    }
    if (settings_.runtime == Runtime::kV2Eager && s.references == 0 && s.material && !s.pinned) {
      evict(id, EventKind::kEvictEager);
    }
  }

  void pin(TensorId t) {
    StorageState& s = storage_of(t);
    if (s.pinned) return;
    if (const StorageId id = schedule_.tensors[t].storage; topology_.accessed_first[id] == 0 && s.last_access != 0) {
      sibling_weights_ -= weight(id);
      sibling_accesses_ -= weight(id) * s.last_access;
    }
    s.pinned = true;
    lock(t);
  }

  void lock(TensorId t) {
    const StorageId s = schedule_.tensors[t].storage;
    ++state_.storages[s].locks;
    pool_.remove(s);
  }

  void unlock(TensorId t) {
    const StorageId s = schedule_.tensors[t].storage;
    if (--state_.storages[s].locks == 0 && state_.storages[s].material) join_pool(s);
  }

  void join_pool(StorageId s) {
    pool_.append(s);
    shortlist_.touch(s);
  }

  // --- materialisation: depth first over missing inputs, on an explicit stack (real traces nest a thousand deep)

  bool materialise(TensorId root) {
    if (stack_.empty()) enter(root);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.waiting) {
        frame.waiting = false;
        lock(missing_[frame.next++]);
      }
      while (frame.next < frame.end && defined_[missing_[frame.next]] != 0) lock(missing_[frame.next++]);
      if (frame.next < frame.end) {
        frame.waiting = true;
        enter(missing_[frame.next]); // invalidates frame
        continue;
      }
      if (!execute(frame.tensor)) return false;
      const OperatorId done = schedule_.tensors[frame.tensor].op;
      missing_.resize(frame.begin);
      stack_.pop_back();
      if (leg_ != nullptr && !stack_.empty() && halts_behind(done)) {
        paused_ = true;
        return false;
      }
    }
    return true;
  }

  struct Inputs {
    const TensorId* begin_;
    const TensorId* end_;
    const TensorId* begin() const { return begin_; }
    const TensorId* end() const { return end_; }
  };

  // What t is computed from: the operator's arguments, in v1 those not banished.
  Inputs inputs_of(TensorId t) const {
    if (links_) {
      const std::vector<TensorId>& live = links_->parents(t);
      return {live.data(), live.data() + live.size()};
    }
    const trace::Operator& op = schedule_.operators[schedule_.tensors[t].op];
    const TensorId* first = schedule_.inputs.data() + op.first_input;
    return {first, first + op.input_count};
  }

  // Some operators, spread by their number: a fingerprint takes about as long as the executions between two halts.
  bool halts_behind(OperatorId id) const {
    const unsigned bits = state_.storages.size() < 1000 ? 3 : 7;
    return (id * std::uint32_t{0x9E3779B1} >> (32 - bits)) == 0;
  }

  static bool can_execute(const trace::Step& step) {
    return step.kind != trace::StepKind::kGet && step.kind != trace::StepKind::kRelease;
  }

  void enter(TensorId t) {
    const Inputs inputs = inputs_of(t);
    const std::size_t begin = missing_.size();
    for (const TensorId input : inputs) {
      const StorageId s = schedule_.tensors[input].storage;
      if (!links_ || state_.storages[s].references > 0) access(s);
    }
    for (const TensorId input : inputs) {
      if (defined_[input] != 0) {
        lock(input);
      } else {
        missing_.push_back(input);
      }
    }
    stack_.push_back({t, false, begin, missing_.size(), begin});
    const auto nesting = static_cast<std::uint32_t>(stack_.size());
    result_.max_nesting = std::max(result_.max_nesting, nesting);
    if (settings_.allocations != nullptr) settings_.allocations->on_enter(step_, t, nesting);
  }

  // Steps 4 to 7: room, execution, unlocking, limit. False: the run is over.
  bool execute(TensorId t) {
    const OperatorId id = schedule_.tensors[t].op;
    const trace::Operator& op = schedule_.operators[id];
    const std::uint64_t request = topology_.operator_bytes[id];
    // First of all, so that a run which stops here goes on by entering again.
    while (!fits(id, request)) {
      if (disputed_) return false;
      if (pool_.empty()) {
        result_.failure =
            Failure{request, memory_ + request - lowest_, memory_, static_cast<std::uint32_t>(stack_.size()), id};
        return end(Status::kOom);
      }
      const StorageId victim = choose(request);
      if (settings_.decisions != nullptr) show_decision(victim, request);
      evict(victim, EventKind::kEvictPolicy);
    }
    ++work_;
    const bool first = ran_[id] == 0;
    ran_[id] = 1;
    emit(first ? EventKind::kFirstRun : EventKind::kRematerialize, id);
    if (clock() > kMaxClock - op.cost) throw ClockOverflow();
    result_.record.clock += op.cost;
    memory_ += request;
    result_.record.max_memory = std::max(result_.record.max_memory, memory_);

    fresh_.clear();
    defined_now_.clear();
    for (TensorId o = op.first_output; o < op.first_output + op.output_count; ++o) {
      if (o != t) define(o);
    }
    define(t);
    if (regions_) regions_->on_material(fresh_);
    if (classes_) classes_->on_material(fresh_);

    if (links_) {
      unlock_and_banish(t);
    } else {
      for (const TensorId input : inputs_of(t)) unlock(input);
    }
    (first ? result_.record.model_compute : result_.record.remat_compute) += op.cost;
    if (result_.record.remat_compute > settings_.remat_limit) return end(Status::kThrash);
    return true;
  }

  // An allocation check: every one samples what cannot be evicted. False and disputed_ set: the budgets disagree.
  bool fits(OperatorId id, std::uint64_t request) {
    const std::uint64_t pinned = memory_ - pool_.bytes();
    if (pinned > result_.pinned_peak) {
      result_.pinned_peak = pinned;
      result_.depth_at_pinned_peak = static_cast<std::uint32_t>(stack_.size());
    }
    const std::uint64_t need = memory_ + request;
    if (leg_ != nullptr) {
      if (need <= lowest_) {
        leg_->highest_fit = std::max(leg_->highest_fit, need);
      } else {
        leg_->lowest_short = std::min(leg_->lowest_short, need);
      }
    }
    if (settings_.allocations != nullptr) {
      settings_.allocations->on_check({step_, id, static_cast<std::uint32_t>(stack_.size()), request, memory_,
                                       need > lowest_ ? need - lowest_ : 0, pinned, pool_.size(), clock()});
    }
    if (need <= lowest_) return true;
    if (need <= highest_) disputed_ = need;
    return false;
  }

  void define(TensorId t) {
    const trace::Tensor& tensor = schedule_.tensors[t];
    StorageState& s = state_.storages[tensor.storage];
    if (defined_[t] != 0) { // a duplicate of what is still there
      if (tensor.alias < 0) memory_ -= s.size;
      return;
    }
    defined_[t] = 1;
    defined_parts_ += Parts::of(t);
    defined_now_.push_back(t);
    if (s.material) return;
    s.material = true;
    fresh_.push_back(tensor.storage);
    if (s.locks == 0) join_pool(tensor.storage);
  }

  // --- eviction

  void evict(StorageId id, EventKind kind) {
    StorageState& s = state_.storages[id];
    emit(kind, id);
    ++result_.record.all_evictions;
    if (kind == EventKind::kEvictPolicy) ++result_.record.policy_evictions;
    if (evictions_[id]++ == 0) ++result_.record.distinct_evicted;
    s.material = false;
    memory_ -= s.size;
    pool_.remove(id);
    for (const TensorId t : tensors_on(id)) {
      if (defined_[t] != 0) defined_parts_ -= Parts::of(t);
      defined_[t] = 0;
    }
    if (links_) {
      for (const TensorId t : tensors_on(id)) links_->join_dependents(t);
    }
    if (regions_) regions_->on_evicted(id);
    if (classes_) classes_->on_evicted(id);
  }

  Inputs tensors_on(StorageId s) const {
    const TensorId* all = topology_.tensors.data();
    return {all + topology_.tensors_begin[s], all + topology_.tensors_begin[s + 1]};
  }

  // --- runtime v1: what nobody refers to and nothing depends on is gone for good

  // Step 6 of v1. Banishing a parent takes it out of t's list, which closes up under the growing index: the parent
  // after it is passed over and keeps its lock, as in simrd.
  void unlock_and_banish(TensorId t) {
    for (std::size_t i = 0; i < links_->parents(t).size(); ++i) {
      const TensorId parent = links_->parents(t)[i];
      const StorageId s = schedule_.tensors[parent].storage;
      unlock(parent);
      for (const TensorId done : defined_now_) links_->leave_dependents(done, s);
      try_banish(s);
    }
  }

  void try_banish(StorageId id) {
    StorageState& s = state_.storages[id];
    if (s.references > 0 || links_->has_dependents(id)) return;
    if (s.material) {
      s.locks = 0;
      evict(id, EventKind::kEvictEager);
    }
    for (const TensorId t : tensors_on(id)) {
      for (const TensorId parent : links_->parents(t)) {
        const StorageId other = schedule_.tensors[parent].storage;
        if (other == id) continue;
        links_->leave_dependents(t, other);
        links_->remove_child(parent, t);
      }
      for (const TensorId child : links_->children(t)) {
        if (schedule_.tensors[child].storage == id) continue;
        links_->remove_parent(child, t);
        pin(child);
      }
    }
  }

  StorageId choose(std::uint64_t request) {
    constexpr std::uint64_t kExecutions = 4; // that take as long
    work_ += kExecutions;
    const Choice choice = policy_ ? policy_->choose(view(request)) : search();
    result_.record.heuristic_evals += choice.evaluated;
    result_.candidates += pool_.size();
    result_.most_candidates = std::max(result_.most_candidates, pool_.size());
    return choice.victim;
  }

  DecisionView view(std::uint64_t request) const {
    return {pool_,   state_, regions_ ? &*regions_ : nullptr, evictions_, clock(), settings_.tick_ns, memory_,
            request, lowest_};
  }

  Choice search() {
    const std::vector<StorageState>& storages = state_.storages;
    switch (settings_.heuristic.cost) {
      case CostMetric::kOne:
        return scored([](StorageId) -> Int128 { return 1; });
      case CostMetric::kLocal:
        return scored([&](StorageId s) -> Int128 { return storages[s].compute; });
      case CostMetric::kClasses:
        return search_classes();
      case CostMetric::kRegions:
        return scored([&](StorageId s) -> Int128 {
          return static_cast<Int128>(storages[s].compute) + regions_->forward_compute(s) + regions_->reverse_compute(s);
        });
      case CostMetric::kReverseRegion:
        return scored([&](StorageId s) -> Int128 {
          return static_cast<Int128>(storages[s].compute) + regions_->reverse_compute(s);
        });
      case CostMetric::kFreshRegion: {
        FreshRegion::Measure around; // of the candidate at hand: the chooser asks for its size first
        return quotient(
            [&](StorageId s) -> Int128 { return static_cast<Int128>(storages[s].compute) + around.compute; },
            [&](StorageId s) {
              around = fresh_region_->measure(s);
              return storages[s].size;
            },
            [&](StorageId) { return since(around.last_access); });
      }
      case CostMetric::kLastAccess:
        return integer([&](StorageId s) -> Int128 { return ticks(storages[s].last_access); });
    }
    return {};
  }

  Choice search_classes() {
    const auto cost = [&](StorageId s) { return classes_->cost(s); };
    const Heuristic& h = settings_.heuristic;
    if (!h.size || !h.staleness || settings_.tick_ns != 1 || !arithmetic::is_exact(settings_.arithmetic))
      return scored(cost);
    return shortlist_.choose(pool_, state_, clock(), *classes_);
  }

  template <typename Cost>
  Choice scored(Cost cost) {
    const std::vector<StorageState>& storages = state_.storages;
    const auto size = [&](StorageId s) { return storages[s].size; };
    const auto age = [&](StorageId s) { return clock() - storages[s].last_access; };
    const auto age_in_ticks = [&](StorageId s) { return since(storages[s].last_access); };
    const auto one = [](StorageId) { return std::uint64_t{1}; };
    const Heuristic& h = settings_.heuristic;
    const bool ns = settings_.tick_ns == 1; // the frequent case is spared the divisions
    if (h.size && h.staleness) return ns ? quotient(cost, size, age) : quotient(cost, size, age_in_ticks);
    if (h.size) return quotient(cost, size, one);
    if (h.staleness) return ns ? quotient(cost, one, age) : quotient(cost, one, age_in_ticks);
    return integer(cost);
  }

  template <typename Cost, typename Size, typename Age>
  Choice quotient(Cost cost, Size size, Age age) {
    if (arithmetic::is_exact(settings_.arithmetic)) return choose_quotient(pool_, cost, size, age);
    return choose_approximate(pool_, settings_.arithmetic, cost, size, age);
  }
  template <typename Score>
  Choice integer(Score score) {
    if (arithmetic::is_exact(settings_.arithmetic)) return choose_exact(pool_, score);
    const auto one = [](StorageId) { return std::uint64_t{1}; };
    return choose_approximate(pool_, settings_.arithmetic, score, one, one);
  }

  // A time in ticks, and the ticks since then.
  std::uint64_t ticks(std::uint64_t time) const { return time / settings_.tick_ns; }
  std::uint64_t since(std::uint64_t time) const { return ticks(clock()) - ticks(time); }

  // The terms of a candidate's score, as scored() and search() use them.
  Candidate candidate(StorageId id) {
    const StorageState& s = state_.storages[id];
    const Heuristic& h = settings_.heuristic;
    Candidate c;
    c.storage = id;
    c.cost = s.compute;
    std::uint64_t last_access = s.last_access;
    switch (h.cost) {
      case CostMetric::kOne:
        c.cost = 1;
        break;
      case CostMetric::kLocal:
        break;
      case CostMetric::kClasses:
        c.cost = classes_->cost(id);
        break;
      case CostMetric::kRegions:
        c.cost += static_cast<Int128>(regions_->forward_compute(id)) + regions_->reverse_compute(id);
        break;
      case CostMetric::kReverseRegion:
        c.cost += regions_->reverse_compute(id);
        break;
      case CostMetric::kFreshRegion: {
        const FreshRegion::Measure around = fresh_region_->measure(id);
        c.cost += around.compute;
        last_access = around.last_access;
        break;
      }
      case CostMetric::kLastAccess:
        c.cost = ticks(s.last_access);
        break;
    }
    if (h.size || h.cost == CostMetric::kFreshRegion) c.size = s.size;
    if (h.staleness || h.cost == CostMetric::kFreshRegion) c.staleness = since(last_access);
    c.clock = clock();
    c.last_access = last_access;
    return c;
  }

  void show_decision(StorageId victim, std::uint64_t request) {
    shown_.clear();
    for (StorageId s = pool_.first(); s != kNoStorage; s = pool_.next(s)) shown_.push_back(candidate(s));
    if (policy_) {
      const std::vector<double> scores = policy_->scores(view(request)); // as many as shown_, or none
      for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!std::isnan(scores[i])) shown_[i].rule_score = scores[i];
      }
    }
    settings_.decisions->on_decision(shown_, victim, memory_ - pool_.bytes(),
                                     static_cast<std::uint32_t>(stack_.size()));
  }

  // --- bookkeeping

  std::uint64_t clock() const { return result_.record.clock; }

  bool end(Status status) {
    result_.record.status = status;
    return false;
  }

  void emit(EventKind kind, std::uint32_t id) {
    if (hashes_ && (kind == EventKind::kEvictPolicy || kind == EventKind::kEvictEager)) {
      hashes_->add(kind == EventKind::kEvictPolicy, clock(), schedule_.storage_name(id));
    }
    if (leg_ != nullptr && (kind == EventKind::kEvictPolicy || kind == EventKind::kEvictEager)) {
      leg_->evictions.push_back({id, kind == EventKind::kEvictPolicy, clock() - leg_clock_});
    }
    if (settings_.events != nullptr) settings_.events->on_event({kind, id, clock()});
  }

  const trace::Schedule& schedule_;
  const Topology& topology_;
  const Settings settings_;
  std::uint64_t lowest_; // budgets that the run stands for, bytes
  std::uint64_t highest_;
  std::optional<std::uint64_t> disputed_; // need on which they disagree
  std::size_t step_ = 0;
  State state_;
  Pool pool_;
  Shortlist shortlist_;               // used by searches that can tell it whose cost may fall
  std::vector<std::uint8_t> defined_; // by tensor
  Parts defined_parts_;               // the defined tensors
  // Over the storages that become material without being accessed and are not pinned, once they were accessed: a weight
  // each, and weight x last access (modulo 2^128), so that all their ages are told by one number.
  UInt128 sibling_weights_ = 0;
  UInt128 sibling_accesses_ = 0;
  std::vector<std::uint8_t> ran_;        // by operator
  std::vector<std::uint32_t> evictions_; // by storage, so far
  std::optional<Regions> regions_;
  std::optional<Classes> classes_;
  std::optional<LiveLinks> links_; // runtime v1
  std::optional<FreshRegion> fresh_region_;
  PolicyOwner policy_; // a heuristic with a rule of its own
  std::optional<record::EvictionHashes> hashes_;
  std::vector<Frame> stack_;
  std::vector<TensorId> missing_;
  std::vector<Candidate> shown_;      // for settings_.decisions
  std::vector<StorageId> fresh_;      // storages that the current execution made material, in order
  std::vector<TensorId> defined_now_; // tensors that the current execution defined
  std::uint64_t memory_ = 0;          // bytes
  std::uint64_t work_ = 0;
  Leg* leg_ = nullptr;          // while run_leg is at work
  std::uint64_t leg_clock_ = 0; // at its begin
  bool paused_ = false;         // it halts within a step
  Result result_;
};

Run::Run(const trace::Schedule& schedule, const Topology& topology, const Settings& settings, std::uint64_t lowest,
         std::uint64_t highest)
    : simulator_(std::make_unique<Simulator>(schedule, topology, settings, lowest, highest)) {}
Run::Run(const Run& other) : simulator_(std::make_unique<Simulator>(*other.simulator_)) { simulator_->rebind(); }
Run::Run(Run&& other) noexcept = default;
Run& Run::operator=(Run&& other) noexcept = default;
Run::~Run() = default;

std::optional<std::uint64_t> Run::advance() { return simulator_->advance(); }
void Run::narrow(std::uint64_t lowest, std::uint64_t highest) { simulator_->narrow(lowest, highest); }
std::uint64_t Run::lowest() const { return simulator_->lowest(); }
std::uint64_t Run::highest() const { return simulator_->highest(); }
Result Run::finish() { return simulator_->finish(); }
std::size_t Run::steps_done() const { return simulator_->steps_done(); }
std::uint64_t Run::work() const { return simulator_->work(); }
void Run::run_leg(std::uint64_t budget, Leg& leg) { simulator_->run_leg(budget, leg); }
Fingerprint Run::fingerprint() { return simulator_->fingerprint(); }
std::uint64_t Run::remat_compute() const { return simulator_->remat_compute(); }
void Run::rebase(std::uint64_t clock, std::uint64_t remat_compute) { simulator_->rebase(clock, remat_compute); }

Result simulate(const trace::Schedule& schedule, const Topology& topology, const Settings& settings) {
  Run run(schedule, topology, settings, settings.budget, settings.budget);
  run.advance();
  return run.finish();
}

Result simulate(const trace::Schedule& schedule, const Settings& settings) {
  return simulate(schedule, Topology(schedule), settings);
}

std::uint64_t unlimited_peak(const trace::Schedule& schedule, Runtime runtime) {
  Settings settings;
  settings.heuristic = parse_heuristic("lru"); // never asked
  settings.runtime = runtime;
  settings.hashes = false;
  return simulate(schedule, settings).record.max_memory;
}

std::uint64_t remat_limit(const trace::Schedule& schedule, double overhead_limit) {
  const double limit = static_cast<double>(schedule.total_cost) * (overhead_limit - 1.0);
  // A whole number is above `limit` exactly if it is above its floor.
  return limit >= std::ldexp(1.0, 64) ? kNoLimit : static_cast<std::uint64_t>(limit);
}

} // namespace dtrmc::sim
