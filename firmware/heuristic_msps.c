/* SPDX-License-Identifier: Apache-2.0
 * msps: cost = compute + the reverse region: what it takes to have the storage again. No staleness.
 */
#include "firmware/heuristic.h"
#include "firmware/regions.h"

extern const struct fw_heuristic fw_msps;
const struct fw_heuristic fw_msps = {.uses_size = true, .uses_staleness = false, FW_REGION_HOOKS};
