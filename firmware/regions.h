/* SPDX-License-Identifier: Apache-2.0
 * Evicted regions (e*, dtr-semantics section 4), cached as simrd caches them: what would have to be recomputed below
 * (forward) and above (reverse) every storage that may still be evicted. The functions are hooks (heuristic.h); costs
 * are compute + reverse region, + forward region where the heuristic uses it.
 */
#ifndef DTRMC_FIRMWARE_REGIONS_H_
#define DTRMC_FIRMWARE_REGIONS_H_

#include "firmware/state.h"

void fw_regions_created(struct fw_storage* storage);
void fw_regions_compute_grew(struct fw_storage* storage, const struct fw_operator* by);
void fw_regions_linked(struct fw_operator* op);
void fw_regions_materialised(struct fw_storage* storage);
void fw_regions_evicted(struct fw_storage* storage);
void fw_regions_pinned(struct fw_storage* storage);
void fw_regions_gone(struct fw_storage* storage);

#define FW_REGION_HOOKS                                                                                \
  .created = fw_regions_created, .compute_grew = fw_regions_compute_grew, .linked = fw_regions_linked, \
  .materialised = fw_regions_materialised, .evicted = fw_regions_evicted, .pinned = fw_regions_pinned, \
  .gone = fw_regions_gone, .links = FW_LINKS_REGIONS

#endif /* DTRMC_FIRMWARE_REGIONS_H_ */
