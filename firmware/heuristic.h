/* SPDX-License-Identifier: Apache-2.0
 * What a heuristic is: which terms its score has, and how it keeps the cost of every storage up to date as the graph
 * changes. One heuristic is one file that defines a `const struct fw_heuristic`, and one line in heuristics.c.
 *
 *   h = cost / ((size if uses_size) x (clock - last_access if uses_staleness)); neither: h = cost, an exact integer
 *
 * Hooks are called after the change; NULL where a heuristic does not care. A hook that changes storage->cost calls
 * fw_cost_changed(storage). The cost only matters while the storage is material.
 */
#ifndef DTRMC_FIRMWARE_HEURISTIC_H_
#define DTRMC_FIRMWARE_HEURISTIC_H_

#include "firmware/state.h"

/* Whose costs an operator's links (from an input's storage to an output's) take part in. */
enum fw_links { FW_LINKS_NONE = 0, FW_LINKS_NEIGHBOURS = 1 /* those at its ends */, FW_LINKS_REGIONS = 2 /* any */ };

struct fw_heuristic {
  bool uses_size;
  bool uses_staleness;
  enum fw_links links;
  bool uses_forward_region;                    /* of those with regions.h */
  void (*created)(struct fw_storage* storage); /* not material, compute still 0 */
  /* Operator `by` made a tensor on the storage, whose compute grew by its cost. */
  void (*compute_grew)(struct fw_storage* storage, const struct fw_operator* by);
  void (*linked)(struct fw_operator* op);           /* inputs and outputs of a new operator are in place */
  void (*accessed)(struct fw_storage* storage);     /* last_access was set */
  void (*materialised)(struct fw_storage* storage); /* in the order in which storages joined the pool */
  void (*evicted)(struct fw_storage* storage);
  void (*pinned)(struct fw_storage* storage);
  void (*gone)(struct fw_storage* storage); /* its record goes: it is pinned or not material, and has no links left */
  void (*settle)(void);                     /* a decision follows: the costs of all pool members must be right now */
};

/* The heuristic of enum dtrmc_heuristic, or NULL. */
const struct fw_heuristic* fw_heuristic_by_id(uint32_t id);

/* Calls a hook and charges it to the cost activity. */
#define FW_HOOK(hook, ...)              \
  do {                                  \
    if (fw.heuristic->hook != NULL) {   \
      fw_mark(DTRMC_ACTIVITY_COST);     \
      fw.heuristic->hook(__VA_ARGS__);  \
      fw_mark(DTRMC_ACTIVITY_METADATA); \
    }                                   \
  } while (0)

#endif /* DTRMC_FIRMWARE_HEURISTIC_H_ */
