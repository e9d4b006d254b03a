/* SPDX-License-Identifier: Apache-2.0
 * dtr-local: cost = the storage's own compute.
 */
#include "firmware/heuristic.h"
#include "firmware/pool.h"

static void compute_grew(struct fw_storage* storage, const struct fw_operator* by) {
  (void)by;
  storage->cost = (int64_t)storage->compute;
  fw_cost_changed(storage);
}

extern const struct fw_heuristic fw_dtr_local;
const struct fw_heuristic fw_dtr_local = {.uses_size = true, .uses_staleness = true, .compute_grew = compute_grew};
