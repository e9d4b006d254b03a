/* SPDX-License-Identifier: Apache-2.0
 * The candidate table is brought up to date just before a decision, so that what changed back and forth in between
 * costs nothing: a slot whose storage left the pool is written over by one that joined, without touching VALID.
 *
 * Pool members that the table cannot hold are outside: WAITING (no slot was free) or UNFIT (a value is wider than the
 * table's). They are searched in firmware while the unit searches, and merged with its winner by the same rule.
 */
#include "firmware/unit.h"

#include "firmware/arena.h"
#include "firmware/controller.h"
#include "firmware/heuristic.h"
#include "firmware/search.h"
#include "rtl/generated/scoring_unit_regs.h"

#define FIELD(value, name) (((value)&SCORING_UNIT_##name##_MASK) >> SCORING_UNIT_##name##_SHIFT)

static uint64_t largest(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

void fw_unit_init(void) {
  struct fw_unit_state* const unit = &fw.unit;
  if (hal_unit_read(SCORING_UNIT_ID_OFFSET) != SCORING_UNIT_ID_RESET) fw_fail(DTRMC_FAIL_BAD_CONFIG);
  const uint32_t params = hal_unit_read(SCORING_UNIT_PARAMS_OFFSET);
  unit->depth = FIELD(params, PARAMS_DEPTH);
  if (FIELD(params, PARAMS_ARITHMETIC) != SCORING_UNIT_PARAMS_ARITHMETIC_EXACT || unit->depth == 0 ||
      unit->depth > SCORING_UNIT_CANDIDATE_COUNT) {
    fw_fail(DTRMC_FAIL_BAD_CONFIG);
  }
  const uint32_t widths = hal_unit_read(SCORING_UNIT_WIDTHS_OFFSET);
  const uint32_t cost_bits = FIELD(widths, WIDTHS_COST);
  if (cost_bits < 2 || cost_bits > 64) fw_fail(DTRMC_FAIL_BAD_CONFIG);
  unit->cost_bias = largest(cost_bits - 1) + 1;
  unit->cost_span = largest(cost_bits);
  unit->size_max = largest(FIELD(widths, WIDTHS_SIZE));
  unit->time_max = largest(FIELD(widths, WIDTHS_TIME));
  const uint64_t order_max = largest(FIELD(widths, WIDTHS_ORDER));
  unit->order_max = order_max > UINT32_MAX ? UINT32_MAX : (uint32_t)order_max;
  fw.order_max = unit->order_max;

  unit->owner = fw_arena_record(unit->depth * (uint32_t)sizeof(void*));
  unit->stale = fw_arena_record(unit->depth * (uint32_t)sizeof(unit->stale[0]));
  const uint32_t words = (unit->depth + 31) / 32;
  unit->free = fw_arena_record(words * (uint32_t)sizeof(unit->free[0]));
  for (uint32_t slot = 0; slot < unit->depth; ++slot) unit->free[slot / 32] |= UINT32_C(1) << slot % 32;

  hal_unit_write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
  hal_unit_write(SCORING_UNIT_MODE_OFFSET,
                 (fw.heuristic->uses_size ? SCORING_UNIT_MODE_USE_SIZE_MASK : 0) |
                     (fw.heuristic->uses_staleness ? SCORING_UNIT_MODE_USE_STALENESS_MASK : 0));
  hal_unit_write(SCORING_UNIT_IRQ_ENABLE_OFFSET, SCORING_UNIT_IRQ_ENABLE_DONE_MASK);
}

static inline bool cost_fits(const struct fw_storage* storage) {
  return (uint64_t)storage->cost + fw.unit.cost_bias <= fw.unit.cost_span;
}

static bool fits(const struct fw_storage* storage) {
  const struct fw_unit_state* const unit = &fw.unit;
  return cost_fits(storage) && (!fw.heuristic->uses_size || storage->size <= unit->size_max) &&
         (!fw.heuristic->uses_staleness || storage->last_access <= unit->time_max) && storage->order <= unit->order_max;
}

static inline uint32_t slot_offset(uint32_t slot) {
  return SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE;
}

static void write_pair(uint32_t offset, uint64_t value) {
  hal_unit_write(offset, (uint32_t)value);
  hal_unit_write(offset + (SCORING_UNIT_CANDIDATE_COST_HI_OFFSET - SCORING_UNIT_CANDIDATE_COST_LO_OFFSET),
                 (uint32_t)(value >> 32));
  fw.unit.writes += 2;
}

static void write_cost(const struct fw_storage* storage) {
  write_pair(slot_offset(storage->slot) + SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, (uint64_t)storage->cost);
}

static void write_place(const struct fw_storage* storage) {
  const uint32_t offset = slot_offset(storage->slot);
  if (fw.heuristic->uses_staleness) write_pair(offset + SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, storage->last_access);
  hal_unit_write(offset + SCORING_UNIT_CANDIDATE_ORDER_OFFSET, storage->order);
  ++fw.unit.writes;
}

static void write_valid(uint32_t slot, uint32_t valid) {
  hal_unit_write(slot_offset(slot) + SCORING_UNIT_CANDIDATE_VALID_OFFSET, valid);
  ++fw.unit.writes;
}

/* The lowest free slot (the unit scans up to the highest valid one), or depth. */
static uint32_t take_free_slot(void) {
  struct fw_unit_state* const unit = &fw.unit;
  const uint32_t words = (unit->depth + 31) / 32;
  for (uint32_t i = 0; i < words; ++i) {
    uint32_t bits = unit->free[i];
    if (bits == 0) continue;
    unit->free[i] = bits & (bits - 1);
    uint32_t slot = 32 * i;
    while ((bits & 0xf) == 0) {
      bits >>= 4;
      slot += 4;
    }
    while ((bits & 1) == 0) {
      bits >>= 1;
      ++slot;
    }
    return slot;
  }
  return unit->depth;
}

/* Puts a storage that fits into the table; false: it is full. */
static bool insert(struct fw_storage* storage) {
  struct fw_unit_state* const unit = &fw.unit;
  const bool overwrites = unit->stale_count != 0;
  if (!overwrites && unit->used == unit->depth) return false;
  if (overwrites) {
    storage->slot = unit->stale[--unit->stale_count];
  } else {
    storage->slot = take_free_slot();
    ++unit->used;
  }
  unit->owner[storage->slot] = storage;
  storage->place = FW_PLACE_TABLE;
  storage->changed = 0;
  write_cost(storage);
  const uint32_t offset = slot_offset(storage->slot);
  /* After reset a slot's fields are undefined: those that the heuristic leaves out are written once. Slots are first
   * used in ascending order, since the lowest free one is taken. */
  const bool unprepared = storage->slot >= unit->prepared;
  if (unprepared) unit->prepared = storage->slot + 1;
  if (fw.heuristic->uses_size || unprepared) {
    write_pair(offset + SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, storage->size);
  }
  if (!fw.heuristic->uses_staleness && unprepared) {
    write_pair(offset + SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, storage->last_access);
  }
  write_place(storage);
  if (!overwrites) write_valid(storage->slot, SCORING_UNIT_CANDIDATE_VALID_MASK);
  return true;
}

/* The storage's slot stays valid in the table until another storage takes it or the update ends. */
static void leave_table(struct fw_storage* storage) {
  fw.unit.stale[fw.unit.stale_count++] = (uint16_t)storage->slot;
  storage->place = FW_PLACE_NONE;
}

static void enter_outside(struct fw_storage* storage, uint8_t place) {
  struct fw_storage** const head = &fw.unit.outside[place - FW_PLACE_WAITING];
  storage->place = place;
  storage->changed = 0;
  storage->previous_outside = NULL;
  storage->next_outside = *head;
  if (*head != NULL) (*head)->previous_outside = storage;
  *head = storage;
  if (fw_gain_is_stale(storage)) fw_refresh_gain(storage);
}

static void leave_outside(struct fw_storage* storage) {
  struct fw_storage** const head = &fw.unit.outside[storage->place - FW_PLACE_WAITING];
  if (storage->next_outside != NULL) storage->next_outside->previous_outside = storage->previous_outside;
  if (storage->previous_outside != NULL) {
    storage->previous_outside->next_outside = storage->next_outside;
  } else {
    *head = storage->next_outside;
  }
  storage->place = FW_PLACE_NONE;
}

static void update_table(void) {
  struct fw_unit_state* const unit = &fw.unit;
  struct fw_storage* joining = NULL;
  struct fw_storage* storage = fw.changed;
  fw.changed = NULL;
  while (storage != NULL) {
    struct fw_storage* const next = storage->next_changed;
    storage->listed = false;
    const bool in_table = storage->place == FW_PLACE_TABLE;
    /* Of a pool member in the table, by far the most frequent change is that of its cost alone. */
    const bool stays = in_table && storage->pooled && storage->changed == FW_CHANGED_COST
                           ? cost_fits(storage)
                           : storage->pooled && fits(storage);
    if (in_table && stays) {
      if ((storage->changed & FW_CHANGED_COST) != 0) write_cost(storage);
      if ((storage->changed & FW_CHANGED_PLACE) != 0) write_place(storage);
      storage->changed = 0;
    } else {
      if (in_table) {
        leave_table(storage);
      } else if (storage->place != FW_PLACE_NONE) {
        leave_outside(storage);
      }
      if (stays) {
        storage->next_changed = joining;
        joining = storage;
      } else if (storage->pooled) {
        enter_outside(storage, FW_PLACE_UNFIT);
      } else {
        /* What changes while it is away is written when it joins again. */
        storage->changed = 0;
      }
    }
    storage = next;
  }
  for (; joining != NULL; joining = joining->next_changed) {
    if (!insert(joining)) enter_outside(joining, FW_PLACE_WAITING);
  }
  for (struct fw_storage* waiting = unit->outside[0]; waiting != NULL; waiting = unit->outside[0]) {
    if (unit->stale_count == 0 && unit->used == unit->depth) break;
    leave_outside(waiting);
    insert(waiting);
  }
  while (unit->stale_count != 0) {
    const uint32_t slot = unit->stale[--unit->stale_count];
    write_valid(slot, 0);
    unit->free[slot / 32] |= UINT32_C(1) << slot % 32;
    --unit->used;
  }
  fw.shared->table_writes += unit->writes;
  unit->writes = 0;
}

/* The unit cannot tell: the whole pool again, by the full rule. */
static struct fw_storage* decide_in_firmware(void) {
  ++fw.shared->redecided;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    if (fw_gain_is_stale(storage)) fw_refresh_gain(storage);
  }
  struct fw_best best;
  fw_search_begin(&best);
  return fw_search_pool(&best);
}

struct fw_storage* fw_unit_choose(void) {
  struct fw_unit_state* const unit = &fw.unit;
  fw_mark(DTRMC_ACTIVITY_SCORE | DTRMC_IN_DECISION);
  update_table();
  const bool search = unit->used != 0;
  if (search) {
    if (fw.heuristic->uses_staleness) {
      hal_unit_write(SCORING_UNIT_CLOCK_LO_OFFSET, (uint32_t)fw.clock);
      hal_unit_write(SCORING_UNIT_CLOCK_HI_OFFSET, (uint32_t)(fw.clock >> 32));
    }
    /* Starting also clears the last search's DONE and with it the interrupt line. */
    hal_unit_write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK);
  }
  const bool outside = !search || unit->outside[0] != NULL || unit->outside[1] != NULL;
  struct fw_best best;
  if (outside) { /* while the unit searches */
    fw_mark(DTRMC_ACTIVITY_SEARCH | DTRMC_IN_DECISION);
    ++fw.shared->overflow_scans;
    fw_search_begin(&best);
    fw_search_outside(&best, unit->outside[0]);
    fw_search_outside(&best, unit->outside[1]);
  }
  if (search) {
    fw_mark(DTRMC_ACTIVITY_WAIT_UNIT | DTRMC_IN_DECISION);
    uint32_t result;
    do {
      hal_wait(DTRMC_IRQ_UNIT);
      result = hal_unit_read(SCORING_UNIT_RESULT_OFFSET);
    } while ((result & SCORING_UNIT_RESULT_DONE_MASK) == 0);
    fw_mark(DTRMC_ACTIVITY_SEARCH | DTRMC_IN_DECISION);
    if ((result & (SCORING_UNIT_RESULT_NEAR_MASK | SCORING_UNIT_RESULT_MIXED_MASK | SCORING_UNIT_RESULT_SAT_MASK)) !=
        0) {
      return decide_in_firmware();
    }
    struct fw_storage* const winner = unit->owner[FIELD(result, RESULT_SLOT)];
    if (!outside) return winner;
    if (fw_gain_is_stale(winner)) fw_refresh_gain(winner);
    fw_search_consider(&best, winner);
  }
  if (best.zero != NULL && best.finite != NULL && best.finite->cost < 0) return decide_in_firmware();
  return best.zero != NULL ? best.zero : best.finite != NULL ? best.finite : best.infinite;
}
