/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/arena.h"

#include "firmware/controller.h"
#include "firmware/state.h"

#define ALIGNMENT 8u

static void count_use(void) {
  /* Memory is never given back, so use is its own peak. */
  fw.shared->metadata_peak = (uint32_t)((fw.arena_low - fw.arena_begin) + (fw.arena_end - fw.arena_high));
}

void fw_arena_init(void) {
  fw.arena_begin = hal_arena_begin(); /* aligned by whoever provides it */
  fw.arena_end = hal_arena_end();
  if ((uintptr_t)fw.arena_end <= (uintptr_t)fw.arena_begin) fw.arena_end = fw.arena_begin;
  fw.arena_end -= (uint32_t)(fw.arena_end - fw.arena_begin) % ALIGNMENT;
  fw.arena_low = fw.arena_begin;
  fw.arena_high = fw.arena_end;
}

static void clear(char* begin, uint32_t bytes) {
  uint32_t* word = (uint32_t*)(void*)begin;
  for (uint32_t i = 0; i < bytes / sizeof(uint32_t); ++i) word[i] = 0;
}

void* fw_arena_record(uint32_t bytes) {
  const uint32_t room = (uint32_t)(fw.arena_high - fw.arena_low);
  bytes = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  if (bytes > room) fw_fail(DTRMC_FAIL_METADATA_FULL);
  char* const record = fw.arena_low;
  fw.arena_low += bytes;
  count_use();
  clear(record, bytes);
  return record;
}

void fw_arena_tensors(uint32_t count) {
  const uint32_t room = (uint32_t)(fw.arena_high - fw.arena_low);
  if (count > room / sizeof(struct fw_tensor)) fw_fail(DTRMC_FAIL_METADATA_FULL);
  const uint32_t bytes = count * (uint32_t)sizeof(struct fw_tensor);
  fw.arena_high -= bytes;
  count_use();
  clear(fw.arena_high, bytes);
}
