/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdlib.h>

#include "firmware/controller.h"
#include "firmware/hal.h"
#include "firmware/state.h"

FW_STATE const struct dtrmc_host_hal* hal_host;
static FW_STATE jmp_buf halted;

/* The target halts by sleeping for good; here that has to unwind to the caller. Only C frames lie between. */
void hal_halt(void) { longjmp(halted, 1 + DTRMC_FIRMWARE_STOPPED); }

void hal_wait(uint32_t line) {
  if (!hal_host->wait(hal_host->context, line)) longjmp(halted, 1 + DTRMC_FIRMWARE_STARVED);
}

void hal_check(int holds) {
  if (!holds) abort();
}

enum dtrmc_firmware_end dtrmc_firmware_run(const struct dtrmc_host_hal* hal) {
  hal_host = hal;
  const int end = setjmp(halted);
  if (end == 0) {
    fw_reset();
    fw.next_order = hal->first_order;
    fw_controller();
  }
  return (enum dtrmc_firmware_end)(end - 1);
}
