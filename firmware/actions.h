/* SPDX-License-Identifier: Apache-2.0
 * Posting actions to the accelerator, and waiting for it.
 */
#ifndef DTRMC_FIRMWARE_ACTIONS_H_
#define DTRMC_FIRMWARE_ACTIONS_H_

#include <stdint.h>

#include "firmware/protocol.h"

/* Appends one action, after waiting for room where the queue is full. `back` is the activity of the caller. */
void fw_post(enum dtrmc_action kind, uint32_t id, uint32_t back);

/* Returns once fewer than `limit` actions are outstanding; limit >= the threshold in force. */
void fw_await(uint32_t limit, uint32_t back);

#endif /* DTRMC_FIRMWARE_ACTIONS_H_ */
