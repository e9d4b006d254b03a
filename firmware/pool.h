/* SPDX-License-Identifier: Apache-2.0
 * The pool: the evictable storages in the order in which they joined. Also where changes of a storage's score are
 * noted for the scorer, since the scorer cares about pool members alone.
 */
#ifndef DTRMC_FIRMWARE_POOL_H_
#define DTRMC_FIRMWARE_POOL_H_

#include "firmware/state.h"

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

/* Notes for the scorer what has changed about a pool member. */
static inline void fw_note(struct fw_storage* storage, uint8_t change) {
  storage->changed |= change;
  if (storage->listed) return;
  storage->listed = true;
  storage->next_changed = fw.changed;
  fw.changed = storage;
}

/* storage->cost has a new value. */
static inline void fw_cost_changed(struct fw_storage* storage) {
  storage->gain_stale = true;
  if (storage->pooled) {
    fw_note(storage, FW_CHANGED_COST);
  } else {
    storage->changed |= FW_CHANGED_COST; /* fw_pool_append notes it */
  }
}

/* The storage is used now. */
void fw_access(struct fw_storage* storage);

#endif /* DTRMC_FIRMWARE_POOL_H_ */
