/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pool.h"

#include "firmware/heuristic.h"

/* Orders count up to what the table can hold; then the pool is numbered anew from 0. */
static void renumber(void) {
  uint32_t order = 0;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    storage->order = order++;
    if (fw.place_change != 0) fw_note(storage, fw.place_change);
  }
  fw.next_order = order;
}

void fw_pool_append(struct fw_storage* storage) {
  /* A pool that fills more than half of the range (a table with very narrow orders) goes beyond it instead, which
   * keeps those entries out of the table, since numbering anew would pay off for too short a time. */
  if ((fw.next_order > fw.order_max && fw.pool_count <= fw.order_max / 2) || fw.next_order == UINT32_MAX) renumber();
  storage->order = fw.next_order++;
  storage->next = NULL;
  storage->previous = fw.pool_tail;
  if (fw.pool_tail != NULL) {
    fw.pool_tail->next = storage;
  } else {
    fw.pool_head = storage;
  }
  fw.pool_tail = storage;
  storage->pooled = true;
  ++fw.pool_count;
  if (fw.heuristic->uses_staleness) storage->last_scaled = (uint32_t)(storage->last_access >> fw.time_shift);
  /* A change of cost while the storage was locked may have been dropped from the list: it is noted again. */
  const uint8_t change = (uint8_t)(storage->changed | fw.place_change);
  if (change != 0) fw_note(storage, change);
}

void fw_pool_remove(struct fw_storage* storage) {
  if (storage->next != NULL) {
    storage->next->previous = storage->previous;
  } else {
    fw.pool_tail = storage->previous;
  }
  if (storage->previous != NULL) {
    storage->previous->next = storage->next;
  } else {
    fw.pool_head = storage->next;
  }
  storage->pooled = false;
  --fw.pool_count;
  /* Its slot in the table, if it has one, is looked after at the next decision. */
  if (storage->place != FW_PLACE_NONE) fw_note(storage, FW_CHANGED_PLACE);
}

void fw_access(struct fw_storage* storage) {
  storage->last_access = fw.clock;
  /* Uses come with a lock, but the lock may come later: an undefined view of a resident storage is used before its
   * own operator has brought it back, and decisions in between see the new time at the old place in the pool. */
  if (storage->pooled && fw.heuristic->uses_staleness) {
    storage->last_scaled = (uint32_t)(fw.clock >> fw.time_shift);
    if (fw.place_change != 0) fw_note(storage, FW_CHANGED_PLACE);
  }
  if (fw.heuristic->accessed != NULL) fw.heuristic->accessed(storage);
}
