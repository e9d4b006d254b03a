/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pool.h"

#include "firmware/heuristic.h"
#include "firmware/search.h"

/* Orders count up to what the table can hold; then the pool is numbered anew from 0. A pool that fills more than half
 * of the range (a table with very narrow orders) goes beyond it instead, which keeps those entries out of the table,
 * since numbering anew would pay off for too short a time. */
static void renumber(void) {
  if (fw.pool_count > fw.order_max / 2 && fw.next_order != UINT32_MAX) return;
  uint32_t order = 0;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    storage->order = order++;
  }
  fw.next_order = order;
  if (fw.has_table) fw_unit_renumbered();
}

static inline void append(struct fw_storage* storage, bool in_range) {
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
  if (fw.has_table) {
    if (!in_range || !fw_unit_rejoins(storage)) fw_unit_joined(storage);
  } else {
    fw_scale_last_access(storage);
    if (storage->gain_stale) fw_note(storage); /* noted while it was locked, it may have been dropped from the list */
  }
}

__attribute__((noinline)) static void renumber_and_append(struct fw_storage* storage) {
  renumber();
  append(storage, false);
}

void fw_pool_append(struct fw_storage* storage) {
  if (fw.next_order > fw.order_max) {
    renumber_and_append(storage);
  } else {
    append(storage, true);
  }
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
  if (storage->place != FW_PLACE_NONE) fw_unit_left(storage);
}

void fw_last_access_changed(struct fw_storage* storage) {
  if (fw.has_table) {
    fw_unit_accessed(storage);
  } else {
    fw_scale_last_access(storage);
  }
}
