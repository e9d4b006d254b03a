/* SPDX-License-Identifier: Apache-2.0
 * lru: h = last access, the least recently used storage goes first.
 */
#include "firmware/heuristic.h"
#include "firmware/pool.h"

static void accessed(struct fw_storage* storage) {
  storage->cost = (int64_t)storage->last_access;
  fw_cost_changed(storage);
}

extern const struct fw_heuristic fw_lru;
const struct fw_heuristic fw_lru = {.uses_size = false, .uses_staleness = false, .accessed = accessed};
