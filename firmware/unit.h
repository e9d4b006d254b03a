/* SPDX-License-Identifier: Apache-2.0
 * The scoring unit as scorer: its candidate table, what lies outside the table, and what it leaves to firmware.
 *
 * The table is written at the moment of a change: a store for a storage that joins or leaves the pool, one for a cost
 * that fits 32 bits, else two. A storage keeps its slot while it is locked (parked), and with it cost and size.
 */
#ifndef DTRMC_FIRMWARE_UNIT_H_
#define DTRMC_FIRMWARE_UNIT_H_

#include "firmware/state.h"
#include "rtl/generated/scoring_unit_regs.h"

/* Identifies and resets the unit; FAIL(bad_config) where it is absent or of an unknown kind. */
void fw_unit_init(void);

struct fw_storage* fw_unit_choose(void);

/* Upkeep, called where fw.has_table. */
void fw_unit_joined(struct fw_storage* storage); /* the pool, at its end: order and last access are new */
void fw_unit_left(struct fw_storage* storage);   /* the pool; its place is not NONE */
void fw_unit_gone(struct fw_storage* storage);   /* it is not in the pool and will not be soon; place TABLE */
/* The whole pool has been numbered anew; NEXT_ORDER is not fw.next_order any more. */
void fw_unit_renumbered(void);
void fw_unit_accessed(struct fw_storage* storage);  /* it is in the pool, and its last access is new */
void fw_unit_cost_slow(struct fw_storage* storage); /* its cost is new; its place is not NONE */

/* Writes the new cost of a storage that has a slot, if it fits one store. */
static inline bool fw_unit_writes_cost(const struct fw_storage* storage) {
  const uint32_t low = (uint32_t)storage->cost;
  if (__builtin_expect(storage->place != FW_PLACE_TABLE, 0)) return false;
  if (__builtin_expect((int32_t)(storage->cost >> 32) != (int32_t)low >> 31, 0)) return false;
  hal_unit_write(storage->entry + SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, low);
  return true;
}

/* INSERT or LAST_LO; the unit takes the high word from its clock. `time`: last access as the table counts it. */
static inline void fw_unit_write_last(const struct fw_storage* storage, uint32_t field, uint64_t time) {
  const uint32_t high = (uint32_t)(time >> 32);
  hal_unit_write(storage->entry + field, (uint32_t)time);
  if (high != fw.unit.clock_high) hal_unit_write(storage->entry + SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET, high);
}

/* A storage that kept its slot joins the pool; its order fits. */
static inline bool fw_unit_rejoins(const struct fw_storage* storage) {
  if (storage->place != FW_PLACE_TABLE || fw.unit.special != 0) return false;
  fw_unit_write_last(storage, SCORING_UNIT_CANDIDATE_INSERT_OFFSET, storage->last_access);
  return true;
}

#endif /* DTRMC_FIRMWARE_UNIT_H_ */
