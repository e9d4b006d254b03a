/* SPDX-License-Identifier: Apache-2.0
 * Choosing a victim: in firmware (search.c) or with the scoring unit (unit.c).
 */
#ifndef DTRMC_FIRMWARE_SCORER_H_
#define DTRMC_FIRMWARE_SCORER_H_

#include "firmware/state.h"

void fw_scorer_init(void);

/* The storage that the heuristic evicts; the pool is not empty. */
struct fw_storage* fw_choose(void);

#endif /* DTRMC_FIRMWARE_SCORER_H_ */
