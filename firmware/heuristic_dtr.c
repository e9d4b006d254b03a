/* SPDX-License-Identifier: Apache-2.0
 * dtr: cost = compute + both evicted regions (e*).
 */
#include "firmware/heuristic.h"
#include "firmware/regions.h"

extern const struct fw_heuristic fw_dtr;
const struct fw_heuristic fw_dtr = {
    .uses_size = true, .uses_staleness = true, .uses_forward_region = true, FW_REGION_HOOKS};
