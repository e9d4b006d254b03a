/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/actions.h"

#include "firmware/state.h"

void fw_await(uint32_t limit, uint32_t back) {
  fw.outstanding = hal_outstanding();
  if (fw.outstanding < limit) return;
  fw_mark(DTRMC_ACTIVITY_WAIT_ACCELERATOR);
  do {
    hal_wait(DTRMC_IRQ_ACCELERATOR);
    fw.outstanding = hal_outstanding();
  } while (fw.outstanding >= limit);
  fw_mark(back);
}

void fw_post(enum dtrmc_action kind, uint32_t id, uint32_t back) {
  fw_mark(DTRMC_ACTIVITY_COMMANDS);
  /* fw.outstanding counts what was posted since the register was last read: an upper bound, so that the register is
   * read only when the queue might be full. */
  if (fw.outstanding >= DTRMC_MAILBOX_ACTION_SLOTS) fw_await(DTRMC_MAILBOX_ACTION_SLOTS, DTRMC_ACTIVITY_COMMANDS);
  hal_action(DTRMC_ACTION_WORD(kind, id));
  ++fw.outstanding;
  fw_mark(back);
}
