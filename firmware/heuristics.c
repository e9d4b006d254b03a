/* SPDX-License-Identifier: Apache-2.0
 * Registration: one line for each heuristic.
 */
#include "firmware/heuristic.h"

extern const struct fw_heuristic fw_dtr, fw_dtr_eq, fw_dtr_local, fw_lru, fw_msps, fw_size;

static const struct fw_heuristic* const heuristics[DTRMC_HEURISTIC_COUNT] = {
    // clang-format off
    [DTRMC_HEURISTIC_DTR_EQ] = &fw_dtr_eq,
    [DTRMC_HEURISTIC_DTR_LOCAL] = &fw_dtr_local,
    [DTRMC_HEURISTIC_LRU] = &fw_lru,
    [DTRMC_HEURISTIC_SIZE] = &fw_size,
    [DTRMC_HEURISTIC_DTR] = &fw_dtr,
    [DTRMC_HEURISTIC_MSPS] = &fw_msps,
    // clang-format on
};

const struct fw_heuristic* fw_heuristic_by_id(uint32_t id) {
  return id < DTRMC_HEURISTIC_COUNT ? heuristics[id] : NULL;
}
