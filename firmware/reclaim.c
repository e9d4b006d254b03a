/* SPDX-License-Identifier: Apache-2.0
 * Which records can go. simrd keeps all of them; every decision must come out as if we did too.
 *
 * An operator is *inert* when it will never run again: for each of its outputs, the driver has said that it will not
 * name the tensor any more, and every operator that reads it is inert. (Operators run because an output is asked for by
 * name, or by an operator that runs and reads it.) `holds` counts what is missing. Inert stays inert: whoever could
 * read a tensor would have to name it.
 *
 * A storage is *frozen* when it is not material and all operators that made a tensor on it are inert: it will never be
 * material again. A storage that is neither frozen nor pinned may be in the pool now or later, and be scored. Dead
 * storages that were brought back as ancestors are: they stay until the heuristic chooses them.
 *
 * Besides by running, an operator influences scores through its links, from an input's storage to an output's. Pinned
 * storages are never scored or evicted and end all that follows links, so links from or to them are none. When an inert
 * operator's remaining links can influence no score, nothing else needs it:
 *
 *   no links, or a heuristic that does not look at any (dtr-local, lru, size)
 *   dtr-eq: the storages of all its links are frozen. Scores contain the values of classes of direct neighbours; two
 *     frozen neighbours are in the same class already (the one evicted later has joined the other's, and links are
 *     older than the first eviction: they come to be with material ends), and classes are never split. The class keeps
 *     what the storage has put into its value.
 *   dtr, msps: every input's storage is *sealed* (frozen, and so is all that it was made from, through any number of
 *     links), every output's is *clean* (the same downwards). Regions of a storage that is scored reach along links in
 *     one direction, so a link counts there exactly if its one end was made from such a storage, or its other end is
 *     read by one. While the cached regions may lag behind (regions.c, `walks`) nothing is known, and nothing goes.
 *
 * It goes once no other operator refers to its tensors (`readers`). A storage goes with the last tensor on it, unless
 * it is material; then when it is evicted.
 *
 * Three lists instead of recursion: operators found inert, storages to look at, operators to free. Everything here is
 * charged to the metadata activity.
 */
#include "firmware/reclaim.h"

#include "firmware/heuristic.h"

/* Storages that have only to leave the list of changed ones; it is searched for them when there are so many. */
#define LISTED_MAX 32u

static inline uint32_t outputs_bytes(uint32_t output_count) {
  return output_count * (uint32_t)sizeof(struct fw_tensor);
}
static inline uint32_t operator_bytes(uint32_t input_count, uint32_t output_count) {
  return (uint32_t)(outputs_bytes(output_count) + sizeof(struct fw_operator) + input_count * sizeof(struct fw_input));
}

struct fw_operator* fw_new_operator(uint32_t input_count, uint32_t output_count) {
  char* const record = fw_arena_record(operator_bytes(input_count, output_count));
  struct fw_operator* const op = (struct fw_operator*)(void*)(record + outputs_bytes(output_count));
  op->input_count = (uint16_t)input_count;
  op->output_count = (uint16_t)output_count;
  return op;
}

/* --- storages */

static void free_storage(struct fw_storage* storage) { fw_arena_free(storage, sizeof(struct fw_storage)); }

static void search_listed(void) {
  struct fw_storage** place = &fw.changed;
  while (*place != NULL) {
    struct fw_storage* const storage = *place;
    if ((storage->life & FW_LIFE_LEAVING) != 0) {
      *place = storage->next_changed;
      free_storage(storage);
    } else {
      place = &storage->next_changed;
    }
  }
}

/* No tensor is on it. */
static void storage_goes(struct fw_storage* storage) {
  if (fw.heuristic->gone != NULL) fw.heuristic->gone(storage);
  if (!storage->listed) {
    free_storage(storage);
    return;
  }
  storage->life |= FW_LIFE_LEAVING;
  if (++fw.reclaim.listed < LISTED_MAX) return;
  fw.reclaim.listed = 0;
  search_listed();
}

static void look_at(struct fw_storage* storage) {
  if ((storage->life & FW_LIFE_QUEUED) != 0) return;
  storage->life |= FW_LIFE_QUEUED;
  storage->next = fw.reclaim.frozen; /* it is not in the pool */
  fw.reclaim.frozen = storage;
}

static void freeze_if_dead(struct fw_storage* storage) {
  if (storage->pinned || storage->material || storage->references != 0 || (storage->life & FW_LIFE_FROZEN) != 0) return;
  for (const struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) {
    if (tensor->op->holds != 0) return;
  }
  storage->life |= FW_LIFE_FROZEN;
  if (storage->tensors == NULL) {
    storage_goes(storage);
  } else if (fw.heuristic->links != FW_LINKS_NONE) {
    look_at(storage);
  }
}

/* --- operators */

static void note_inert(struct fw_operator* op) {
  op->below = fw.reclaim.inert; /* it is not on the stack, which holds what it needs */
  fw.reclaim.inert = op;
}

/* No score can depend on a link of the inert operator. */
static bool is_without_influence(const struct fw_operator* op) {
  if (fw.heuristic->links == FW_LINKS_NONE) return true;
  const bool regions = fw.heuristic->links == FW_LINKS_REGIONS;
  const uint8_t above = regions ? FW_LIFE_SEALED : FW_LIFE_FROZEN;
  const uint8_t below = regions ? FW_LIFE_CLEAN : FW_LIFE_FROZEN;
  bool settled = !(regions && fw.regions.walks);
  const struct fw_storage* only = NULL;
  bool linked = false;
  for (uint32_t i = 0; i < op->input_count; ++i) {
    const struct fw_storage* const storage = op->inputs[i].tensor->storage;
    if (storage->pinned) continue;
    linked = linked || (only != NULL && only != storage);
    only = storage;
    settled = settled && (storage->life & above) != 0;
    if (linked && !settled) return false;
  }
  for (uint32_t i = 0; i < op->output_count; ++i) {
    const struct fw_storage* const storage = fw_output(op, i)->storage;
    if (storage->pinned) continue;
    linked = linked || (only != NULL && only != storage);
    only = storage;
    settled = settled && (storage->life & below) != 0;
    if (linked && !settled) return false;
  }
  return true;
}

static void consider(struct fw_operator* op) {
  if (op->leaving || op->holds != 0 || op->readers != 0 || !is_without_influence(op)) return;
  op->leaving = 1;
  op->below = fw.reclaim.leaving;
  fw.reclaim.leaving = op;
}

static void remove_tensor(struct fw_tensor* tensor) {
  struct fw_storage* const storage = tensor->storage;
  struct fw_tensor** place = &storage->tensors;
  while (*place != tensor) place = &(*place)->next;
  *place = tensor->next;
  if (storage->tensors == NULL && (!storage->material || storage->pinned)) storage_goes(storage);
}

static void remove_use(struct fw_input* input) {
  struct fw_storage* const storage = input->tensor->storage;
  if (fw.heuristic->links == FW_LINKS_NONE || storage->pinned) return; /* no list there */
  struct fw_input** place = &storage->uses;
  while (*place != input) place = &(*place)->next_use;
  *place = input->next_use;
}

static void operator_goes(struct fw_operator* op) {
  if (fw.regions.pending == op) fw.regions.pending = NULL;
  for (uint32_t i = 0; i < op->input_count; ++i) {
    struct fw_operator* const maker = op->inputs[i].tensor->op;
    remove_use(&op->inputs[i]);
    if (--maker->readers == 0) consider(maker);
  }
  for (uint32_t i = 0; i < op->output_count; ++i) remove_tensor(fw_output(op, i));
  const uint32_t outputs = outputs_bytes(op->output_count);
  fw_arena_free((char*)(void*)op - outputs, operator_bytes(op->input_count, op->output_count));
}

/* --- links of a frozen storage */

/* Calls visit(neighbour) for the storages that it was made from, or that were made from it; some come several times. */
__attribute__((always_inline)) static inline void for_each_above(const struct fw_storage* storage,
                                                                 bool (*visit)(struct fw_storage*)) {
  for (const struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) {
    const struct fw_operator* const op = tensor->op;
    for (uint32_t i = 0; i < op->input_count; ++i) {
      struct fw_storage* const other = op->inputs[i].tensor->storage;
      if (other != storage && !other->pinned && !visit(other)) return;
    }
  }
}

__attribute__((always_inline)) static inline void for_each_below(const struct fw_storage* storage,
                                                                 bool (*visit)(struct fw_storage*)) {
  for (struct fw_input* use = storage->uses; use != NULL; use = use->next_use) {
    struct fw_operator* const op = fw_operator_of_input(use);
    for (uint32_t i = 0; i < op->output_count; ++i) {
      struct fw_storage* const other = fw_output(op, i)->storage;
      if (other != storage && !other->pinned && !visit(other)) return;
    }
  }
}

static bool check_sealed(struct fw_storage* other) { return fw.reclaim.holds = (other->life & FW_LIFE_SEALED) != 0; }
static bool check_clean(struct fw_storage* other) { return fw.reclaim.holds = (other->life & FW_LIFE_CLEAN) != 0; }

static bool look_below(struct fw_storage* other) {
  if ((other->life & (FW_LIFE_FROZEN | FW_LIFE_SEALED)) == FW_LIFE_FROZEN) look_at(other);
  return true;
}
static bool look_above(struct fw_storage* other) {
  if ((other->life & (FW_LIFE_FROZEN | FW_LIFE_CLEAN)) == FW_LIFE_FROZEN) look_at(other);
  return true;
}

static void settle(struct fw_storage* storage) {
  bool changed = (storage->life & FW_LIFE_SEEN) == 0;
  storage->life = (uint8_t)((storage->life & ~FW_LIFE_QUEUED) | FW_LIFE_SEEN);
  if (fw.heuristic->links == FW_LINKS_REGIONS) {
    if ((storage->life & FW_LIFE_SEALED) == 0) {
      fw.reclaim.holds = true;
      for_each_above(storage, check_sealed);
      if (fw.reclaim.holds) {
        changed = true;
        storage->life |= FW_LIFE_SEALED;
        for_each_below(storage, look_below);
      }
    }
    if ((storage->life & FW_LIFE_CLEAN) == 0) {
      fw.reclaim.holds = true;
      for_each_below(storage, check_clean);
      if (fw.reclaim.holds) {
        changed = true;
        storage->life |= FW_LIFE_CLEAN;
        for_each_above(storage, look_above);
      }
    }
  }
  if (!changed) return;
  for (struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) consider(tensor->op);
  for (struct fw_input* use = storage->uses; use != NULL; use = use->next_use) consider(fw_operator_of_input(use));
}

/* --- the lists */

static void work(void) {
  struct fw_reclaim_state* const state = &fw.reclaim;
  for (;;) {
    if (state->inert != NULL) {
      struct fw_operator* const op = state->inert;
      state->inert = op->below;
      for (uint32_t i = 0; i < op->input_count; ++i) {
        struct fw_operator* const maker = op->inputs[i].tensor->op;
        if (--maker->holds == 0) note_inert(maker);
      }
      for (uint32_t i = 0; i < op->output_count; ++i) freeze_if_dead(fw_output(op, i)->storage);
      consider(op);
    } else if (state->frozen != NULL) {
      struct fw_storage* const storage = state->frozen;
      state->frozen = storage->next;
      settle(storage);
    } else if (state->leaving != NULL) { /* no storage is queued, so that any may go */
      struct fw_operator* const op = state->leaving;
      state->leaving = op->below;
      operator_goes(op);
    } else {
      return;
    }
  }
}

void fw_reclaim_inert(struct fw_operator* op) {
  note_inert(op);
  work();
}

void fw_reclaim_dead(struct fw_storage* storage) {
  freeze_if_dead(storage);
  work();
}
