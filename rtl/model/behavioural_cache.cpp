// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/behavioural_cache.h"

#include <algorithm>
#include <limits>

#include "rtl/model/behavioural_accumulate.h"

namespace dtrmc::unit {

namespace {

constexpr uint32_t kLaneLatency = pkg::LANE_LATENCY_EXACT;
constexpr uint32_t kCompareLatency = pkg::COMPARE_LATENCY_EXACT;
// From a block's winner leaving the tree to the last cycle of hold_o, in which the end of its time is written.
constexpr uint32_t kKeepLatency = pkg::LIFE_LATENCY + 2;
constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

// One bit more than all but one (scoring_unit_cache_plan).
bool most(uint32_t some, uint32_t all) {
  const uint32_t left = all & ~some;
  return (left & (left - 1)) == 0;
}

} // namespace

CachedSearch::CachedSearch(const BehaviouralParameters& parameters)
    : parameters_(parameters), arithmetic_(parameters), lane_(parameters, terms_), entries_(parameters.lanes) {
  const uint32_t group_rows = parameters.lanes * parameters.lanes;
  const uint32_t block_count = (parameters.rows() + group_rows - 1) / group_rows * parameters.lanes;
  blocks_.resize(block_count);
}

void CachedSearch::clear() {
  for (Block& block : blocks_) {
    block.touched = block.zero = block.negative = 0;
    block.kept = false;
  }
  terms_ = {};
  sat_ = false;
}

void CachedSearch::touch(uint32_t slot) {
  const uint32_t slots = parameters_.lanes * parameters_.lanes;
  Block& block = blocks_[slot / slots];
  block.touched |= 1u << slot % slots / parameters_.lanes;
  if (block.place == slot % slots) block.kept = false;
}

bool CachedSearch::expired(const Block& block) const {
  return block.kept && !parameters_.endless && !block.endless && clock_ > block.until;
}

uint32_t CachedSearch::rows_with_candidates(const CandidateTable& table, uint32_t block) const {
  uint32_t rows = 0;
  for (uint32_t row = 0; row < parameters_.lanes; ++row) {
    const uint32_t first = (block * parameters_.lanes + row) * parameters_.lanes;
    if (first >= table.depth()) break;
    if (table.valid_bits(first, parameters_.lanes) != 0) rows |= 1u << row;
  }
  return rows;
}

CacheDemand CachedSearch::demand(const Block& block) const {
  if (!block.kept || expired(block)) return {block.any, false};
  const uint32_t touched = block.any & block.touched;
  if (touched == 0) return {};
  if (most(touched, block.any)) return {block.any, false};
  return {touched, true};
}

void CachedSearch::load_winner(const Block& block, uint32_t number, Entry& entry) const {
  bool fits = false; // it does: nothing is kept of a search in which something did not
  lane_.load(block.winner, number * parameters_.lanes * parameters_.lanes + block.place, entry, fits);
  arithmetic_.complete(entry);
}

CachedSearch::Best CachedSearch::tree(std::vector<Entry>& entries, uint32_t cycle, bool lives) {
  Best best;
  for (uint32_t distance = 1; distance < parameters_.lanes; distance *= 2, cycle += kCompareLatency) {
    bool near = false;
    for (uint32_t i = 0; i < parameters_.lanes; i += 2 * distance) {
      const Entry& a = entries[i];
      const Entry& b = entries[i + distance];
      if (lives) best.life = std::min(best.life, life_of_comparison(a, b, parameters_.time_bits));
      if (!arithmetic_.first_wins(a, b, near)) entries[i] = entries[i + distance];
    }
    if (near) near_cycle_ = std::min(near_cycle_, cycle + pkg::NEAR_LATENCY);
  }
  best.entry = entries[0];
  return best;
}

CachedSearch::Best CachedSearch::read_group(uint32_t group, uint32_t cycle) {
  for (uint32_t l = 0; l < parameters_.lanes; ++l) {
    const uint32_t number = group * parameters_.lanes + l;
    const Block& block = blocks_[number];
    entries_[l] = {};
    if (block.kept && !expired(block)) load_winner(block, number, entries_[l]);
  }
  return tree(entries_, cycle, false);
}

CachedSearch::Best CachedSearch::read_row(const CandidateTable& table, uint32_t row, uint32_t cycle) {
  bool zero = false;
  bool negative = false;
  bool fresh = false; // a candidate of staleness 0, INFINITE now and not later
  for (uint32_t l = 0; l < parameters_.lanes; ++l) {
    const uint32_t slot = row * parameters_.lanes + l;
    Entry& entry = entries_[l];
    entry = {};
    if (!table.valid(slot)) continue;
    lane_.load(table.at(slot), slot, entry, outcome_.sat);
    arithmetic_.complete(entry);
    zero = zero || entry.score_class == pkg::CLASS_ZERO;
    negative = negative || (entry.score_class == pkg::CLASS_FINITE && entry.negative);
    fresh = fresh || entry.staleness == 0;
  }
  Block& block = blocks_[row / parameters_.lanes];
  const uint32_t bit = 1u << row % parameters_.lanes;
  const auto set = [bit](uint32_t& mask, bool value) { mask = value ? mask | bit : mask & ~bit; };
  set(block.zero, zero);
  set(block.negative, negative);
  set(block.touched, fresh);
  return tree(entries_, cycle, true);
}

// scoring_unit_cache_block: a row's best, or the single winner in front, is collected.
void CachedSearch::part(const Best& best, bool first) {
  if (first) {
    parts_.clear();
    parts_life_ = kForEver;
  }
  parts_.push_back(best.entry);
  parts_life_ = std::min(parts_life_, best.life);
}

// The parts of a block, side by side in the tree from `cycle` on.
void CachedSearch::combine(uint32_t number, uint32_t cycle) {
  parts_.resize(parameters_.lanes);
  const Best best = tree(parts_, cycle, true);
  const Entry& entry = best.entry;
  Block& block = blocks_[number];
  const Life life = std::min(parts_life_, best.life);
  block.winner.cost = entry.negative ? 0 - entry.magnitude : entry.magnitude;
  block.winner.size = entry.size;
  block.winner.last = terms_.staleness ? clock_ - entry.staleness : 0; // else of no effect
  block.winner.order = entry.order;
  block.place = entry.slot % (parameters_.lanes * parameters_.lanes);
  // INFINITE may be so for want of staleness.
  block.kept = life != 0 && (entry.score_class == pkg::CLASS_ZERO || entry.score_class == pkg::CLASS_FINITE);
  if (block.kept) block.endless = !end_of_life(life, clock_, parameters_.time_bits, block.until);
}

SearchOutcome CachedSearch::search(const CandidateTable& table, const SearchTerms& terms) {
  // What was learned holds for searches of the same kind that are no earlier, unless values did not fit.
  const bool forget =
      sat_ || terms.clock < terms_.clock || terms.size != terms_.size || terms.staleness != terms_.staleness;
  terms_ = terms;
  lane_ = Lane(parameters_, terms);
  clock_ = lane_.clock();
  outcome_ = {};
  outcome_.sat = !lane_.clock_fits();
  near_cycle_ = kNever;

  const uint32_t end = table.end();
  CachePlan plan(parameters_.lanes, static_cast<uint32_t>(blocks_.size()) / parameters_.lanes,
                 end == 0 ? 0 : (end - 1) / parameters_.lanes);
  const uint32_t seen = plan.groups() * parameters_.lanes; // blocks that are looked at: all with candidates
  for (uint32_t number = 0; number < blocks_.size(); ++number) {
    Block& block = blocks_[number];
    if (forget) block.kept = false;
    block.any = number < seen ? rows_with_candidates(table, number) : 0;
  }
  plan.run([this](uint32_t number) { return demand(blocks_[number]); }, slots_);

  Accumulator<ExactArithmetic> accumulator(arithmetic_);
  bool near = false; // in the accumulator
  uint32_t kept_cycle = 0;
  uint32_t cycle = 0; // in which the slot was read; the first one with BUSY is 1
  for (bool done = false; !done;) {
    const CacheSlot slot = ++cycle <= slots_.size() ? slots_[cycle - 1] : CacheSlot{};
    const uint32_t leaf = cycle + kLaneLatency; // enters the tree
    Best best;
    switch (slot.kind) {
      case CacheSlot::Kind::kGroup:
        best = read_group(slot.index, leaf);
        break;
      case CacheSlot::Kind::kRow:
        best = read_row(table, slot.index, leaf);
        part(best, slot.first);
        break;
      case CacheSlot::Kind::kSingle: {
        const Block& block = blocks_[slot.index];
        load_winner(block, slot.index, best.entry);
        best.life = block.endless ? kForEver : life_of_time(lane_.cut_time(block.until - clock_));
        part(best, slot.first);
        break;
      }
      default:
        break;
    }
    if (slot.last) {
      const uint32_t combined = leaf + plan.tree_latency() + 1;
      combine(slot.index / parameters_.lanes, combined);
      kept_cycle = combined + plan.tree_latency() + kKeepLatency;
    }
    const bool counts = slot.kind == CacheSlot::Kind::kGroup || slot.kind == CacheSlot::Kind::kRow;
    done = accumulator.step(counts ? &best.entry : nullptr, cycle <= slots_.size(), near);
  }

  outcome_.cycles = cycle + kLaneLatency + plan.tree_latency() + ExactArithmetic::kNearLag;
  outcome_.hold = std::max(outcome_.cycles, kept_cycle);
  outcome_.near = near || near_cycle_ <= outcome_.cycles;
  outcome_.score_class = accumulator.winner().score_class;
  outcome_.empty = outcome_.score_class == pkg::CLASS_NONE;
  outcome_.slot = outcome_.empty ? 0 : accumulator.winner().slot;
  // Bits of rows that lost their last candidate may be stale.
  bool zero = false;
  bool negative = false;
  for (const Block& block : blocks_) {
    zero = zero || (block.zero & block.any) != 0;
    negative = negative || (block.negative & block.any) != 0;
  }
  outcome_.mixed = zero && negative;
  sat_ = outcome_.sat;
  return outcome_;
}

} // namespace dtrmc::unit
