/* SPDX-License-Identifier: Apache-2.0
 * Places of a storage (enum fw_place):
 * - TABLE: it has a slot. In the pool: the slot is inserted. Not in the pool, that is locked: the slot is parked,
 * removed but kept with its cost and size, so that coming back takes one store.
 * - WAITING: in the pool, but no slot was free.
 * - UNFIT: in the pool, but a value is wider than the table's.
 * - NONE: all others.
 *
 * WAITING and UNFIT are searched in firmware while the unit searches, and merged with its winner by the same rule.
 *
 * The unit numbers insertions itself. Its numbers are those of the pool: where the two have parted (FW_OUT_OF_STEP),
 * since a storage went to or came from outside the table, NEXT_ORDER is written before the next insertion.
 *
 * Times in the table count from `epoch`, since its width may be smaller than the clock's. Once the clock less the epoch
 * no longer fits, the epoch moves to half the range before the clock and all times are written anew; what was used
 * before the epoch is too old for the table (UNFIT) until it is used again. Records keep all 64 bits, so no staleness
 * ever wraps, whatever the width. No storage in the table was used before the epoch, parked ones included.
 */
#include "firmware/unit.h"

#include "firmware/arena.h"
#include "firmware/controller.h"
#include "firmware/heuristic.h"
#include "firmware/search.h"

#define FIELD(value, name) (((value)&SCORING_UNIT_##name##_MASK) >> SCORING_UNIT_##name##_SHIFT)

static uint64_t largest(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

static void read_format(uint32_t params) {
  struct score_format* const format = &fw.unit.format;
  format->kind = FIELD(params, PARAMS_ARITHMETIC);
  if (format->kind == SCORING_UNIT_PARAMS_ARITHMETIC_EXACT) return;
  const uint32_t word = hal_unit_read(SCORING_UNIT_FORMAT_OFFSET);
  format->fraction = FIELD(word, FORMAT_FRACTION);
  format->segments = FIELD(word, FORMAT_SEGMENTS);
  const bool table = format->kind == SCORING_UNIT_PARAMS_ARITHMETIC_LOG2;
  if (format->kind > SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT || format->fraction == 0 ||
      format->fraction > SCORE_FRACTION_MOST ||
      (table && (format->segments > SCORING_UNIT_LOG2_SEGMENT_BITS || format->segments > format->fraction))) {
    fw_fail(DTRMC_FAIL_BAD_CONFIG);
  }
}

void fw_unit_init(void) {
  struct fw_unit_state* const unit = &fw.unit;
  if (hal_unit_read(SCORING_UNIT_ID_OFFSET) != SCORING_UNIT_ID_RESET) fw_fail(DTRMC_FAIL_BAD_CONFIG);
  const uint32_t params = hal_unit_read(SCORING_UNIT_PARAMS_OFFSET);
  unit->depth = FIELD(params, PARAMS_DEPTH);
  if (unit->depth == 0 || unit->depth > SCORING_UNIT_CANDIDATE_COUNT) fw_fail(DTRMC_FAIL_BAD_CONFIG);
  read_format(params);
  const uint32_t widths = hal_unit_read(SCORING_UNIT_WIDTHS_OFFSET);
  const uint32_t cost_bits = FIELD(widths, WIDTHS_COST);
  if (cost_bits < 2 || cost_bits > 64) fw_fail(DTRMC_FAIL_BAD_CONFIG);
  unit->cost_bias = largest(cost_bits - 1) + 1;
  unit->cost_span = largest(cost_bits);
  unit->size_max = largest(FIELD(widths, WIDTHS_SIZE));
  unit->time_max = largest(FIELD(widths, WIDTHS_TIME));
  const uint64_t order_max = largest(FIELD(widths, WIDTHS_ORDER));
  unit->order_max = order_max > UINT32_MAX ? UINT32_MAX : (uint32_t)order_max;
  if (unit->order_max < fw.order_max) fw.order_max = unit->order_max;

  unit->owner = fw_arena_record(unit->depth * (uint32_t)sizeof(void*));
  unit->special = FW_OUT_OF_STEP;
  unit->free = fw_arena_record(unit->depth * (uint32_t)sizeof(unit->free[0]));
  /* The lowest slots go first, since the unit scans up to the highest one inserted. */
  for (uint32_t i = 0; i < unit->depth; ++i) unit->free[i] = (uint16_t)(unit->depth - 1 - i);

  hal_unit_write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
  hal_unit_write(SCORING_UNIT_MODE_OFFSET,
                 (fw.heuristic->uses_size ? SCORING_UNIT_MODE_USE_SIZE_MASK : 0) |
                     (fw.heuristic->uses_staleness ? SCORING_UNIT_MODE_USE_STALENESS_MASK : 0));
  hal_unit_write(SCORING_UNIT_IRQ_ENABLE_OFFSET, SCORING_UNIT_IRQ_ENABLE_DONE_MASK);
}

static inline bool cost_fits(const struct fw_storage* storage) {
  return (uint64_t)storage->cost + fw.unit.cost_bias <= fw.unit.cost_span;
}

static inline bool too_old(const struct fw_storage* storage) {
  return fw.heuristic->uses_staleness && storage->last_access < fw.unit.epoch;
}

/* Last access needs a look at its lower end alone: it is not later than the clock, and the epoch follows that. */
static bool fits(const struct fw_storage* storage) {
  const struct fw_unit_state* const unit = &fw.unit;
  return cost_fits(storage) && (!fw.heuristic->uses_size || storage->size <= unit->size_max) && !too_old(storage) &&
         storage->order <= unit->order_max;
}

static inline void write_field(const struct fw_storage* storage, uint32_t field, uint32_t word) {
  hal_unit_write(storage->entry + field, word);
}

static void write_cost(const struct fw_storage* storage) {
  const uint32_t low = (uint32_t)storage->cost;
  const uint32_t high = (uint32_t)(storage->cost >> 32);
  write_field(storage, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, low);
  if (high != (uint32_t)((int32_t)low >> 31)) write_field(storage, SCORING_UNIT_CANDIDATE_COST_HI_OFFSET, high);
}

static void write_size(const struct fw_storage* storage) {
  const uint32_t high = (uint32_t)(storage->size >> 32);
  write_field(storage, SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, (uint32_t)storage->size);
  if (high != 0) write_field(storage, SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET, high);
}

static inline void write_last(const struct fw_storage* storage, uint32_t field) {
  fw_unit_write_last(storage, field, storage->last_access - fw.unit.epoch);
}

/* `appended`: the last of the pool, so that the unit's number is right if it was. */
static void write_insert(const struct fw_storage* storage, bool appended) {
  struct fw_unit_state* const unit = &fw.unit;
  if ((unit->special & FW_OUT_OF_STEP) != 0 || !appended) {
    hal_unit_write(SCORING_UNIT_NEXT_ORDER_OFFSET, storage->order);
  }
  if (appended) {
    unit->special &= (uint8_t)~FW_OUT_OF_STEP;
  } else {
    unit->special |= FW_OUT_OF_STEP;
  }
  write_last(storage, SCORING_UNIT_CANDIDATE_INSERT_OFFSET);
}

/* Slots whose owner is not in the pool. */
static inline uint32_t parked(void) { return fw.unit.used - (fw.pool_count - fw.unit.outside_count); }

static inline void write_remove(const struct fw_storage* storage) {
  write_field(storage, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET, 0);
}

static uint32_t slot_of(const struct fw_storage* storage) {
  return (storage->entry - SCORING_UNIT_CANDIDATE_OFFSET) / SCORING_UNIT_CANDIDATE_STRIDE;
}

/* A storage that fits gets a slot; one is free. */
static void enter_table(struct fw_storage* storage, bool appended) {
  struct fw_unit_state* const unit = &fw.unit;
  const uint32_t slot = unit->free[unit->depth - ++unit->used];
  unit->owner[slot] = storage;
  storage->entry = SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE;
  storage->place = FW_PLACE_TABLE;
  write_cost(storage);
  /* After reset fields are undefined: sizes that the heuristic leaves out are written once. Slots are first used in
   * ascending order. */
  if (fw.heuristic->uses_size) {
    write_size(storage);
  } else if (slot == unit->prepared) {
    ++unit->prepared;
    write_size(storage);
  }
  write_insert(storage, appended);
}

/* Its slot, which is parked, becomes free. */
static void give_up_slot(struct fw_storage* storage) {
  struct fw_unit_state* const unit = &fw.unit;
  const uint32_t slot = slot_of(storage);
  unit->owner[slot] = NULL;
  unit->free[unit->depth - unit->used--] = (uint16_t)slot;
  storage->place = FW_PLACE_NONE;
}

static void enter_outside(struct fw_storage* storage, uint8_t place) {
  struct fw_storage** const head = &fw.unit.outside[place - FW_PLACE_WAITING];
  ++fw.unit.outside_count;
  storage->place = place;
  storage->previous_outside = NULL;
  storage->next_outside = *head;
  if (*head != NULL) (*head)->previous_outside = storage;
  *head = storage;
  if (fw_gain_is_stale(storage)) fw_refresh_gain(storage);
  fw_scale_last_access(storage);
}

static void leave_outside(struct fw_storage* storage) {
  struct fw_storage** const head = &fw.unit.outside[storage->place - FW_PLACE_WAITING];
  if (storage->next_outside != NULL) storage->next_outside->previous_outside = storage->previous_outside;
  if (storage->previous_outside != NULL) {
    storage->previous_outside->next_outside = storage->next_outside;
  } else {
    *head = storage->next_outside;
  }
  --fw.unit.outside_count;
  storage->place = FW_PLACE_NONE;
}

/* A pool member without a place gets one. */
static void enter(struct fw_storage* storage, bool appended) {
  if (!fits(storage)) {
    enter_outside(storage, FW_PLACE_UNFIT);
  } else if (fw.unit.used == fw.unit.depth) {
    enter_outside(storage, FW_PLACE_WAITING);
  } else {
    enter_table(storage, appended);
    return;
  }
  if (appended) fw.unit.special |= FW_OUT_OF_STEP; /* its number stays unused in the unit */
}

void fw_unit_joined(struct fw_storage* storage) {
  if (storage->place == FW_PLACE_TABLE) {
    if (storage->order <= fw.unit.order_max) {
      write_insert(storage, true);
      return;
    }
    give_up_slot(storage);
  }
  enter(storage, true);
}

void fw_unit_left(struct fw_storage* storage) {
  if (storage->place == FW_PLACE_TABLE) {
    write_remove(storage);
  } else {
    leave_outside(storage);
  }
}

void fw_unit_gone(struct fw_storage* storage) { give_up_slot(storage); }

void fw_unit_renumbered(void) {
  fw.unit.special |= FW_OUT_OF_STEP;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    if (storage->place == FW_PLACE_TABLE && storage->order <= fw.unit.order_max) {
      write_insert(storage, true);
    } else {
      fw_unit_left(storage);
      if (storage->place == FW_PLACE_TABLE) give_up_slot(storage);
      enter(storage, true);
    }
  }
}

void fw_unit_accessed(struct fw_storage* storage) {
  if (storage->place == FW_PLACE_TABLE) {
    write_last(storage, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET);
  } else if (storage->place == FW_PLACE_UNFIT && fw.unit.epoch != 0) { /* perhaps too old until now */
    leave_outside(storage);
    enter(storage, false);
  } else {
    fw_scale_last_access(storage);
  }
}

void fw_unit_cost_slow(struct fw_storage* storage) {
  if (storage->place == FW_PLACE_TABLE) {
    if (cost_fits(storage)) {
      write_cost(storage);
      return;
    }
    if (storage->pooled) fw_unit_left(storage);
    give_up_slot(storage);
    if (storage->pooled) enter_outside(storage, FW_PLACE_UNFIT);
  } else {
    leave_outside(storage);
    enter(storage, false);
  }
}

/* Waiting storages get free slots, and parked ones if there are enough of them: a parked slot will be wanted again,
 * but until then every waiting storage costs time in every decision. */
static void seat_waiting(void) {
  struct fw_unit_state* const unit = &fw.unit;
  struct fw_storage** const waiting = &unit->outside[0];
  const bool evict_parked = parked() > unit->depth / 64;
  while (*waiting != NULL) {
    if (unit->used == unit->depth) {
      if (!evict_parked || parked() == 0) return;
      const struct fw_storage* owner;
      do {
        unit->hand = unit->hand + 1 < unit->depth ? unit->hand + 1 : 0;
        owner = unit->owner[unit->hand]; /* never NULL: the table is full */
      } while (owner->pooled);
      give_up_slot(unit->owner[unit->hand]);
    }
    struct fw_storage* const storage = *waiting;
    leave_outside(storage);
    enter_table(storage, false);
  }
}

static void move_epoch(void) {
  struct fw_unit_state* const unit = &fw.unit;
  unit->epoch = fw.clock - unit->time_max / 2;
  unit->special |= FW_EPOCH_MOVED;
  for (uint32_t slot = 0; slot < unit->depth; ++slot) {
    struct fw_storage* const storage = unit->owner[slot];
    if (storage == NULL) continue;
    if (!too_old(storage)) {
      if (storage->pooled) write_last(storage, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET);
    } else {
      if (storage->pooled) fw_unit_left(storage);
      give_up_slot(storage);
      if (storage->pooled) enter_outside(storage, FW_PLACE_UNFIT);
    }
  }
  for (struct fw_storage* storage = unit->outside[0]; storage != NULL;) {
    struct fw_storage* const next = storage->next_outside;
    if (too_old(storage)) {
      leave_outside(storage);
      enter_outside(storage, FW_PLACE_UNFIT);
    }
    storage = next;
  }
}

/* The unit cannot tell: the whole pool again, by the full rule. */
static struct fw_storage* decide_in_firmware(void) {
  ++fw.shared->redecided;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    if (fw_gain_is_stale(storage)) fw_refresh_gain(storage);
    fw_scale_last_access(storage);
  }
  struct fw_best best;
  fw_search_begin(&best);
  return fw_search_pool(&best);
}

struct fw_storage* fw_unit_choose(void) {
  struct fw_unit_state* const unit = &fw.unit;
  fw_mark(DTRMC_ACTIVITY_SCORE | DTRMC_IN_DECISION);
  if (fw.heuristic->uses_staleness && fw.clock - unit->epoch > unit->time_max) move_epoch();
  if (unit->outside[0] != NULL) seat_waiting();
  const bool search = fw.pool_count != unit->outside_count;
  if (search) {
    const uint64_t clock = fw.clock - unit->epoch;
    const uint32_t clock_high = (uint32_t)(clock >> 32);
    hal_unit_write(SCORING_UNIT_CLOCK_LO_OFFSET, (uint32_t)clock);
    if (clock_high != unit->clock_high) {
      unit->clock_high = clock_high;
      hal_unit_write(SCORING_UNIT_CLOCK_HI_OFFSET, clock_high);
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
    fw_scale_last_access(winner);
    fw_search_consider(&best, winner);
  }
  if (best.zero != NULL && best.finite != NULL && best.finite->cost < 0) return decide_in_firmware();
  return best.zero != NULL ? best.zero : best.finite != NULL ? best.finite : best.infinite;
}
