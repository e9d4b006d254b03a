/* SPDX-License-Identifier: Apache-2.0
 * size: h = 1 / size, the largest storage goes first.
 */
#include "firmware/heuristic.h"
#include "firmware/pool.h"

static void created(struct fw_storage* storage) {
  storage->cost = 1;
  fw_cost_changed(storage);
}

extern const struct fw_heuristic fw_size;
const struct fw_heuristic fw_size = {.uses_size = true, .uses_staleness = false, .created = created};
