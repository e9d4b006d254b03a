/* SPDX-License-Identifier: Apache-2.0
 * The scoring unit as scorer: its candidate table, what lies outside the table, and what it leaves to firmware.
 */
#ifndef DTRMC_FIRMWARE_UNIT_H_
#define DTRMC_FIRMWARE_UNIT_H_

#include "firmware/state.h"

/* Identifies and resets the unit; FAIL(bad_config) where it is absent or of an unknown kind. */
void fw_unit_init(void);

struct fw_storage* fw_unit_choose(void);

#endif /* DTRMC_FIRMWARE_UNIT_H_ */
