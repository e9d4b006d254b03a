/* SPDX-License-Identifier: Apache-2.0
 * The end of records: operators, with their tensors, and storages that can influence nothing any more. reclaim.c has
 * the rule.
 */
#ifndef DTRMC_FIRMWARE_RECLAIM_H_
#define DTRMC_FIRMWARE_RECLAIM_H_

#include "firmware/arena.h"
#include "firmware/state.h"

/* A zeroed operator with room for its inputs and outputs. */
struct fw_operator* fw_new_operator(uint32_t input_count, uint32_t output_count);

/* What the next two come to where something may go. */
void fw_reclaim_inert(struct fw_operator* op);
void fw_reclaim_dead(struct fw_storage* storage);

/* The driver will not name the tensor again; it has no reference left. */
static inline void fw_reclaim_forgotten(struct fw_tensor* tensor) {
  if (--tensor->op->holds == 0) fw_reclaim_inert(tensor->op);
}

/* The storage was evicted. It may be gone afterwards. */
static inline void fw_reclaim_evicted(struct fw_storage* storage) {
  if (storage->references == 0 && (storage->tensors == NULL || storage->tensors->op->holds == 0)) {
    fw_reclaim_dead(storage);
  }
}

/* For the scorer, when it takes a storage that is not in the pool off the list of changed ones: the storage may have
 * waited for that to go. */
static inline void fw_reclaim_unlisted(struct fw_storage* storage) {
  if ((storage->life & FW_LIFE_LEAVING) != 0) fw_arena_free(storage, sizeof(struct fw_storage));
}

#endif /* DTRMC_FIRMWARE_RECLAIM_H_ */
