/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/debug_layout.h"

#include "firmware/heuristic.h"
#include "firmware/state.h"

/* Referred to by nobody: the link command names it, so that it is kept. */
extern const struct dtrmc_debug_layout dtrmc_debug_layout;
const struct dtrmc_debug_layout dtrmc_debug_layout = {
    .magic = DTRMC_DEBUG_LAYOUT_MAGIC,
    .bytes = sizeof(struct dtrmc_debug_layout),
    .state = (uint32_t)&fw,
    .state_clock = offsetof(struct fw_state, clock),
    .state_memory = offsetof(struct fw_state, memory),
    .state_heuristic = offsetof(struct fw_state, heuristic),
    .state_pool_head = offsetof(struct fw_state, pool_head),
    .state_pool_count = offsetof(struct fw_state, pool_count),
    .state_nesting = offsetof(struct fw_state, nesting),
    .heuristic_uses_size = offsetof(struct fw_heuristic, uses_size),
    .heuristic_uses_staleness = offsetof(struct fw_heuristic, uses_staleness),
    .storage_next = offsetof(struct fw_storage, next),
    .storage_id = offsetof(struct fw_storage, id),
    .storage_cost = offsetof(struct fw_storage, cost),
    .storage_size = offsetof(struct fw_storage, size),
    .storage_last_access = offsetof(struct fw_storage, last_access),
};
