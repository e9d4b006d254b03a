/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/region_set.h"

#include "firmware/arena.h"

#define PAGE_ENTRIES 64u /* storages a page of the directory */

/* --- the directory: pages that never move, and a table of them that is replaced by one of twice the size */

/* An entry that no storage has is a link of the list of free ones: twice the index + 1 of the next, plus 1. Records lie
 * at even addresses. */
static struct fw_storage** entry(uint32_t index) {
  return &fw.regions.pages[index / PAGE_ENTRIES][index % PAGE_ENTRIES];
}

void fw_directory_enter(struct fw_storage* storage) {
  struct fw_region_state* const state = &fw.regions;
  if (state->free_index != 0) {
    storage->index = state->free_index - 1;
    struct fw_storage** const place = entry(storage->index);
    state->free_index = (uint32_t)((uintptr_t)*place >> 1);
    *place = storage;
    return;
  }
  storage->index = state->indices++;
  const uint32_t page = storage->index / PAGE_ENTRIES;
  if (page == state->page_capacity) {
    const uint32_t capacity = page == 0 ? 4u : 2u * page;
    struct fw_storage*** const pages = fw_arena_record(capacity * (uint32_t)sizeof(*pages));
    for (uint32_t i = 0; i < page; ++i) pages[i] = state->pages[i];
    if (page != 0) fw_arena_free(state->pages, page * (uint32_t)sizeof(*pages));
    state->pages = pages;
    state->page_capacity = capacity;
  }
  if (storage->index % PAGE_ENTRIES == 0) {
    state->pages[page] = fw_arena_record(PAGE_ENTRIES * (uint32_t)sizeof(struct fw_storage*));
  }
  *entry(storage->index) = storage;
}

void fw_directory_leave(struct fw_storage* storage) {
  struct fw_region_state* const state = &fw.regions;
  *entry(storage->index) = (struct fw_storage*)(((uintptr_t)state->free_index << 1) | 1u);
  state->free_index = storage->index + 1;
}

struct fw_storage* fw_directory_find(uint32_t index) {
  return *entry(index);
}

struct fw_storage* fw_directory_at(uint32_t index) {
  struct fw_storage* const storage = *entry(index);
  return ((uintptr_t)storage & 1u) != 0 ? NULL : storage;
}

/* --- sets */

/* An empty node before *place. */
static struct fw_set_node* add_node(struct fw_set_node** place, uint32_t block) {
  struct fw_set_node* node = fw.regions.free_nodes;
  if (node == NULL) {
    node = fw_arena_record(sizeof(struct fw_set_node));
  } else {
    fw.regions.free_nodes = node->next;
    for (uint32_t i = 0; i < FW_SET_WORDS; ++i) node->bits[i] = 0;
  }
  node->block = block;
  node->next = *place;
  *place = node;
  return node;
}

/* The link that leads to the block's node, or to where it would be. */
static struct fw_set_node** find(struct fw_set_node** set, uint32_t block) {
  while (*set != NULL && (*set)->block < block) set = &(*set)->next;
  return set;
}

bool fw_set_contains(const struct fw_set_node* set, uint32_t index) {
  const uint32_t block = index / FW_SET_BLOCK;
  while (set != NULL && set->block < block) set = set->next;
  return set != NULL && set->block == block && (set->bits[index / 32u % FW_SET_WORDS] >> (index % 32u) & 1u) != 0;
}

void fw_set_insert_near(struct fw_set_node** set, struct fw_set_node*** place, uint32_t index) {
  const uint32_t block = index / FW_SET_BLOCK;
  *place = find(**place != NULL && (**place)->block <= block ? *place : set, block);
  struct fw_set_node* node = **place;
  if (node == NULL || node->block != block) node = add_node(*place, block);
  node->bits[index / 32u % FW_SET_WORDS] |= UINT32_C(1) << (index % 32u);
}

bool fw_set_insert(struct fw_set_node** set, uint32_t index) {
  const uint32_t block = index / FW_SET_BLOCK;
  const uint32_t bit = UINT32_C(1) << (index % 32u);
  set = find(set, block);
  struct fw_set_node* node = *set;
  if (node == NULL || node->block != block) node = add_node(set, block);
  uint32_t* const word = &node->bits[index / 32u % FW_SET_WORDS];
  if ((*word & bit) != 0) return false;
  *word |= bit;
  return true;
}

bool fw_set_erase(struct fw_set_node** set, uint32_t index) {
  const uint32_t block = index / FW_SET_BLOCK;
  const uint32_t bit = UINT32_C(1) << (index % 32u);
  set = find(set, block);
  struct fw_set_node* const node = *set;
  if (node == NULL || node->block != block) return false;
  uint32_t* const word = &node->bits[index / 32u % FW_SET_WORDS];
  if ((*word & bit) == 0) return false;
  *word ^= bit;
  uint32_t left = 0;
  for (uint32_t i = 0; i < FW_SET_WORDS; ++i) left |= node->bits[i];
  if (left == 0) {
    *set = node->next;
    node->next = fw.regions.free_nodes;
    fw.regions.free_nodes = node;
  }
  return true;
}

void fw_set_clear(struct fw_set_node** set) {
  if (*set == NULL) return;
  struct fw_set_node** end = set;
  while (*end != NULL) end = &(*end)->next;
  *end = fw.regions.free_nodes;
  fw.regions.free_nodes = *set;
  *set = NULL;
}

__attribute__((always_inline)) static inline uint64_t unite(struct fw_set_node** set, const struct fw_set_node* other,
                                                            bool sum) {
  uint64_t computes = 0;
  for (; other != NULL; other = other->next) {
    set = find(set, other->block);
    struct fw_set_node* node = *set;
    if (node == NULL || node->block != other->block) node = add_node(set, other->block);
    for (uint32_t i = 0; i < FW_SET_WORDS; ++i) {
      uint32_t fresh = other->bits[i] & ~node->bits[i];
      node->bits[i] |= fresh;
      if (!sum) continue;
      const uint32_t first = other->block * FW_SET_BLOCK + i * 32u;
      while (fresh != 0) {
        const uint32_t lowest = fresh & (0u - fresh);
        fresh ^= lowest;
        computes += fw_directory_find(first + fw_bit_length32(lowest) - 1u)->compute;
      }
    }
  }
  return computes;
}

void fw_set_unite(struct fw_set_node** set, const struct fw_set_node* other) { unite(set, other, false); }

uint64_t fw_set_unite_computes(struct fw_set_node** set, const struct fw_set_node* other) {
  return unite(set, other, true);
}
