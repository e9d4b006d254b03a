/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/arena.h"

#include "firmware/controller.h"
#include "firmware/state.h"

#define ALIGNMENT 8u

struct fw_free_record {
  struct fw_free_record* next;
  uint32_t bytes;
};

static inline uint32_t rounded(uint32_t bytes) { return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1); }
static inline uint32_t list_of(uint32_t bytes) { return bytes / ALIGNMENT < FW_FREE_LISTS ? bytes / ALIGNMENT : 0; }

static void count_use(void) {
  /* The ends never come back, so what lies outside them is the peak. */
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

/* bytes: a multiple of ALIGNMENT. */
static inline void clear(void* begin, uint32_t bytes) {
  uint32_t* word = begin;
  uint32_t* const end = word + bytes / sizeof(uint32_t);
  if ((bytes & ALIGNMENT) != 0) {
    word[0] = word[1] = 0;
    word += 2;
  }
  for (; word != end; word += 4) word[0] = word[1] = word[2] = word[3] = 0;
}

void fw_arena_free(void* record, uint32_t bytes) {
  bytes = rounded(bytes);
  struct fw_free_record* const freed = record;
  struct fw_free_record** const list = &fw.free_records[list_of(bytes)];
  freed->next = *list;
  freed->bytes = bytes;
  *list = freed;
}

/* Takes the record out of its list, and gives back what is left over. */
static void* take(struct fw_free_record** place, uint32_t bytes) {
  struct fw_free_record* const record = *place;
  *place = record->next;
  const uint32_t rest = record->bytes - bytes;
  if (rest != 0) fw_arena_free((char*)record + bytes, rest);
  return record;
}

/* The first one among the larger records that is large enough. */
static void* take_large(uint32_t bytes) {
  for (struct fw_free_record** place = &fw.free_records[0]; *place != NULL; place = &(*place)->next) {
    if ((*place)->bytes >= bytes) return take(place, bytes);
  }
  return NULL;
}

void* fw_arena_record(uint32_t bytes) {
  bytes = rounded(bytes);
  const uint32_t list = list_of(bytes);
  void* record = NULL;
  if (list == 0) {
    record = take_large(bytes);
  } else if (fw.free_records[list] != NULL) {
    record = fw.free_records[list];
    fw.free_records[list] = fw.free_records[list]->next;
  }
  if (record == NULL) {
    if (bytes > (uint32_t)(fw.arena_high - fw.arena_low)) fw_fail(DTRMC_FAIL_METADATA_FULL);
    record = fw.arena_low;
    fw.arena_low += bytes;
    count_use();
  }
  clear(record, bytes);
  return record;
}

void fw_arena_handle(void) {
  if (sizeof(struct fw_tensor*) > (uint32_t)(fw.arena_high - fw.arena_low)) fw_fail(DTRMC_FAIL_METADATA_FULL);
  fw.arena_high -= sizeof(struct fw_tensor*);
  count_use();
  *(struct fw_tensor**)(void*)fw.arena_high = NULL;
  ++fw.handle_count;
}
