/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/scorer.h"

#include "firmware/controller.h"
#include "firmware/heuristic.h"
#include "firmware/pool.h"
#include "firmware/reclaim.h"
#include "firmware/search.h"
#include "firmware/unit.h"

void fw_scorer_init(void) {
  fw.order_max = UINT32_MAX - 1; /* so that there is always a next one */
  switch (fw.shared->scorer) {
    case DTRMC_SCORER_FIRMWARE:
      fw.has_table = false; /* the search reads cost, order and last access from the records */
      return;
    case DTRMC_SCORER_UNIT:
      fw.has_table = true;
      fw_unit_init();
      return;
    default:
      fw_fail(DTRMC_FAIL_BAD_CONFIG);
  }
}

static struct fw_storage* choose_in_firmware(void) {
  fw_mark(DTRMC_ACTIVITY_SCORE | DTRMC_IN_DECISION);
  struct fw_storage* storage = fw.changed;
  fw.changed = NULL;
  while (storage != NULL) {
    struct fw_storage* const next = storage->next_changed;
    storage->listed = false;
    if (!storage->pooled) {
      fw_reclaim_unlisted(storage); /* others keep their mark until they are */
    } else if (storage->gain_stale) {
      fw_refresh_gain(storage);
    }
    storage = next;
  }
  fw_mark(DTRMC_ACTIVITY_SEARCH | DTRMC_IN_DECISION);
  struct fw_best best;
  fw_search_begin(&best);
  return fw_search_pool(&best);
}

struct fw_storage* fw_choose(void) {
  ++fw.shared->decisions;
  fw.shared->candidates += fw.pool_count;
  if (fw.pool_count > fw.shared->candidates_max) fw.shared->candidates_max = fw.pool_count;
#if defined(DTRMC_TEST_FIRST_ENTRY)
  /* The test image: a search that does not search. Comparing a run with the simulator must notice. */
  if (fw.pool_head != NULL) return fw.pool_head;
#endif
  if (fw.device_time) {
    fw_mark(DTRMC_ACTIVITY_SCORE | DTRMC_IN_DECISION);
    fw_look_at_clock();
  }
  if (fw.heuristic->settle != NULL) {
    fw_mark(DTRMC_ACTIVITY_COST | DTRMC_IN_DECISION);
    fw.heuristic->settle();
  }
  struct fw_storage* const victim = fw.shared->scorer == DTRMC_SCORER_UNIT ? fw_unit_choose() : choose_in_firmware();
  fw_mark(DTRMC_ACTIVITY_METADATA);
  return victim;
}
