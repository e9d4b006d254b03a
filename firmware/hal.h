/* SPDX-License-Identifier: Apache-2.0
 * Everything the firmware asks of the hardware: mailbox, interrupt lines, scoring unit, activity mark, memory.
 * On the target these are single loads, stores and CSR accesses; on the host they call the test's or user's model
 * (hal_host.h), in the batch image they are nothing at all (batch.h). No other file of the firmware knows which of
 * them it is built for.
 *
 *   uint32_t hal_commands(void)               commands rung since reset, modulo 2^32
 *   void     hal_take(void)                   one command taken
 *   void     hal_action(word)                 append an action word; the queue must have room
 *   uint32_t hal_outstanding(void)            actions not carried out yet
 *   void     hal_threshold(value)             the accelerator line is high while outstanding < value
 *   uint64_t hal_ticks(void)                  the device clock, ticks
 *   void     hal_wait(line)                   return when the line may be high; callers check again
 *   uint32_t hal_unit_read(offset), void hal_unit_write(offset, value)
 *   void     hal_activity(mark)               enum dtrmc_activity, or-ed with DTRMC_IN_DECISION
 *   struct dtrmc_shared* hal_shared(void)     the block of protocol.h, ring included
 *   char*    hal_arena_begin(void), char* hal_arena_end(void)
 *   void     hal_halt(void)                   end of the run, does not return
 */
#ifndef DTRMC_FIRMWARE_HAL_H_
#define DTRMC_FIRMWARE_HAL_H_

#include <stdint.h>

#include "firmware/protocol.h"

#if defined(DTRMC_FIRMWARE_BATCH)
#include "firmware/hal_batch.h"
#elif defined(DTRMC_FIRMWARE_TARGET)
#include "firmware/hal_target.h"
#else
#include "firmware/hal_host.h"
#endif

#endif /* DTRMC_FIRMWARE_HAL_H_ */
