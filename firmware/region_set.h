/* SPDX-License-Identifier: Apache-2.0
 * Sets of storages, for the evicted regions (regions.h): a list of nodes, ascending, each a bit field over a block of
 * consecutive storage indices that holds at least one member. Regions are unions of runs of nearby indices, and most
 * frontiers have a few members, so both are small; all nodes are equal, so what one set gives back any other can take
 * and nothing is ever lost to fragmentation.
 *
 * A set is the pointer to its first node, NULL for the empty set.
 */
#ifndef DTRMC_FIRMWARE_REGION_SET_H_
#define DTRMC_FIRMWARE_REGION_SET_H_

#include "firmware/quotient.h"
#include "firmware/state.h"

#define FW_SET_WORDS 2u /* of 32 members in a node: 16 bytes on the target */
#define FW_SET_BLOCK (32u * FW_SET_WORDS)

struct fw_set_node {
  struct fw_set_node* next;
  uint32_t block; /* holds the indices [block x FW_SET_BLOCK, (block + 1) x FW_SET_BLOCK) */
  uint32_t bits[FW_SET_WORDS];
};

/* The directory of storages: indices lead to records. Entering gives a storage its index: the lowest never used, or one
 * that a storage has left. */
void fw_directory_enter(struct fw_storage* storage);
void fw_directory_leave(struct fw_storage* storage); /* its index is in no set */
struct fw_storage* fw_directory_find(uint32_t index);
/* The same for any index below fw.regions.indices: NULL where no storage has it. */
struct fw_storage* fw_directory_at(uint32_t index);

bool fw_set_contains(const struct fw_set_node* set, uint32_t index);
/* True if it was not a member yet. */
bool fw_set_insert(struct fw_set_node** set, uint32_t index);
/* True if it was a member. */
bool fw_set_erase(struct fw_set_node** set, uint32_t index);
void fw_set_clear(struct fw_set_node** set);
void fw_set_unite(struct fw_set_node** set, const struct fw_set_node* other);
/* The same; returns the sum of the computes of the members that were new (ns, modulo 2^64). */
uint64_t fw_set_unite_computes(struct fw_set_node** set, const struct fw_set_node* other);

/* Inserts indices faster where each is near the one before. Start with `place` at the set; nothing may be erased from
 * the set meanwhile. */
void fw_set_insert_near(struct fw_set_node** set, struct fw_set_node*** place, uint32_t index);

/* Visits the members, ascending; the set must not change meanwhile. */
struct fw_set_cursor {
  const struct fw_set_node* node;
  uint32_t word;
  uint32_t rest; /* members of the word that are still to come */
};

static inline struct fw_set_cursor fw_set_begin(const struct fw_set_node* set) {
  return (struct fw_set_cursor){set, 0, set != NULL ? set->bits[0] : 0};
}

/* The next member, or NULL. */
static inline struct fw_storage* fw_set_next(struct fw_set_cursor* cursor) {
  while (cursor->rest == 0) {
    if (cursor->node == NULL) return NULL;
    if (++cursor->word == FW_SET_WORDS) {
      cursor->word = 0;
      cursor->node = cursor->node->next;
      if (cursor->node == NULL) return NULL;
    }
    cursor->rest = cursor->node->bits[cursor->word];
  }
  const uint32_t lowest = cursor->rest & (0u - cursor->rest);
  cursor->rest ^= lowest;
  return fw_directory_find(cursor->node->block * FW_SET_BLOCK + cursor->word * 32u + fw_bit_length32(lowest) - 1u);
}

#endif /* DTRMC_FIRMWARE_REGION_SET_H_ */
