/* SPDX-License-Identifier: Apache-2.0
 * The exact minimum search in firmware: over the pool, or over any list merged with a winner found elsewhere.
 */
#ifndef DTRMC_FIRMWARE_SEARCH_H_
#define DTRMC_FIRMWARE_SEARCH_H_

#include "firmware/heuristic.h"
#include "firmware/state.h"
#include "rtl/model/score_key.h"

/* The best entries seen so far, by class of score. */
struct fw_best {
  struct fw_storage* finite;   /* smallest h, not 0; the last of equals */
  struct fw_storage* zero;     /* h == 0; the first */
  struct fw_storage* infinite; /* denominator 0; the last */
  /* What lets the search pass over an entry that cannot win, see search.c. */
  int32_t exponent;
  uint32_t bound;
  uint32_t now;
  struct score_key key; /* of `finite`, under approximate arithmetic */
};

/* The unit decides by approximate arithmetic: then the search in firmware does, too, so that it makes no difference
 * which candidates the table holds. */
static inline bool fw_approximate(void) { return fw.unit.format.kind != SCORING_UNIT_PARAMS_ARITHMETIC_EXACT; }

/* Recomputes the storage's bounds where its cost changed since. Before an entry takes part in a search. */
static inline bool fw_gain_is_stale(const struct fw_storage* storage) { return storage->gain_stale; }
void fw_refresh_gain(struct fw_storage* storage);

/* The scaled last access of a pool member; fw_search_begin scales the whole pool anew where the scale changes. */
static inline void fw_scale_last_access(struct fw_storage* storage) {
  if (fw.heuristic->uses_staleness) storage->last_scaled = (uint32_t)(storage->last_access >> fw.time_shift);
}

/* Brings the scale of times up to the clock; once per decision, before anything below. */
void fw_search_begin(struct fw_best* best);

/* Takes one entry into account. */
void fw_search_consider(struct fw_best* best, struct fw_storage* storage);

/* Takes the entries of an `outside` list (fw_unit_state) into account, to its end. */
void fw_search_outside(struct fw_best* best, struct fw_storage* first);

/* Victim by the scan rule over the whole pool, which is not empty. */
struct fw_storage* fw_search_pool(struct fw_best* best);

#endif /* DTRMC_FIRMWARE_SEARCH_H_ */
