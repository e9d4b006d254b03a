/* SPDX-License-Identifier: Apache-2.0
 * The firmware's main program and its two ends.
 */
#ifndef DTRMC_FIRMWARE_CONTROLLER_H_
#define DTRMC_FIRMWARE_CONTROLLER_H_

#include "firmware/protocol.h"

/* Takes commands until END is complete or the run has failed; does not return. fw_reset() comes first. */
_Noreturn void fw_controller(void);

/* Ends the run: leaves the counters in the shared block, posts FAIL, halts. May be called from any depth. */
_Noreturn void fw_fail(enum dtrmc_fail reason);

#endif /* DTRMC_FIRMWARE_CONTROLLER_H_ */
