/* SPDX-License-Identifier: Apache-2.0
 * The pool: the evictable storages in the order in which they joined. Also where the scorer learns of changes of a
 * storage's score: the unit's table at once, the search in firmware by a list for the next decision.
 */
#ifndef DTRMC_FIRMWARE_POOL_H_
#define DTRMC_FIRMWARE_POOL_H_

#include "firmware/heuristic.h"
#include "firmware/state.h"
#include "firmware/unit.h"

void fw_pool_append(struct fw_storage* storage);
void fw_pool_remove(struct fw_storage* storage);

/* Locks count; the first takes the storage out of the pool, the last to go brings it back to its end. */
static inline void fw_lock(struct fw_storage* storage) {
  ++storage->locks;
  if (storage->pooled) fw_pool_remove(storage);
}

static inline void fw_unlock(struct fw_storage* storage) {
  if (--storage->locks == 0 && storage->material) fw_pool_append(storage);
}

/* For the search in firmware: the bounds of a pool member have to be derived again before it. */
static inline void fw_note(struct fw_storage* storage) {
  if (storage->listed) return;
  storage->listed = true;
  storage->next_changed = fw.changed;
  fw.changed = storage;
}

/* storage->cost has a new value. */
static inline void fw_cost_changed(struct fw_storage* storage) {
  storage->gain_stale = true;
  if (fw_unit_writes_cost(storage)) return;
  if (storage->place != FW_PLACE_NONE) {
    fw_unit_cost_slow(storage);
  } else if (storage->pooled) { /* else fw_pool_append notes it */
    fw_note(storage);
  }
}

/* The scorer's part of fw_access, for a pool member. */
void fw_last_access_changed(struct fw_storage* storage);

/* The clock that staleness counts, as of now. Under device time what happens together (the inputs of one operator, all
 * of one decision) gets one reading, as under the model clock. */
static inline void fw_look_at_clock(void) {
  if (fw.device_time) fw.clock = hal_ticks();
}

/* The storage is used at fw.clock. One that is locked before the next decision needs no more (fw_touch): the scorer
 * learns of its last access when it comes back to the pool. */
static inline void fw_touch(struct fw_storage* storage) {
  storage->last_access = fw.clock;
  if (fw.heuristic->accessed != NULL) fw.heuristic->accessed(storage);
}

static inline void fw_access(struct fw_storage* storage) {
  fw_touch(storage);
  if (storage->pooled) fw_last_access_changed(storage);
}

#endif /* DTRMC_FIRMWARE_POOL_H_ */
