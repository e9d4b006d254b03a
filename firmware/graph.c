/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph.h"

#include "firmware/actions.h"
#include "firmware/controller.h"
#include "firmware/heuristic.h"
#include "firmware/pool.h"
#include "firmware/reclaim.h"
#include "firmware/scorer.h"

/* Largest model clock less its first value: differences and the comparison of scores stay inside 64 bits. */
#define COMPUTE_MAX ((UINT64_C(1) << 63) - 1)

void fw_evict(struct fw_storage* storage, enum dtrmc_action kind) {
  fw_post(kind, storage->id, DTRMC_ACTIVITY_METADATA);
  storage->material = false;
  fw.memory -= storage->size;
  if (storage->pooled) fw_pool_remove(storage);
  if (storage->place != FW_PLACE_NONE) fw_unit_gone(storage);
  for (struct fw_tensor* tensor = storage->tensors; tensor != NULL; tensor = tensor->next) tensor->defined = 0;
  FW_HOOK(evicted, storage);
  fw_reclaim_evicted(storage);
}

void fw_pin(struct fw_tensor* tensor) {
  if (!tensor->defined) fw_materialise(tensor);
  struct fw_storage* const storage = tensor->storage;
  if (storage->pinned) return;
  storage->pinned = true;
  storage->uses = NULL; /* nobody follows them from a storage that stays */
  fw_lock(storage);
  if (storage->place != FW_PLACE_NONE) fw_unit_gone(storage); /* it never comes back to the pool */
  FW_HOOK(pinned, storage);
}

void fw_get(struct fw_tensor* tensor) {
  ++tensor->references;
  ++tensor->storage->references;
}

void fw_release(struct fw_tensor* tensor) {
  struct fw_storage* const storage = tensor->storage;
  --tensor->references;
  if (--storage->references == 0 && storage->material && !storage->pinned) fw_evict(storage, DTRMC_ACTION_EVICT_EAGER);
}

/* Steps 1 and 2 of Materialise, and the operator's place on the stack. */
static void enter(struct fw_tensor* tensor) {
  struct fw_operator* const op = tensor->op;
  fw_look_at_clock();
  for (uint32_t i = 0; i < op->input_count; ++i) fw_touch(op->inputs[i].tensor->storage);
  for (uint32_t i = 0; i < op->input_count; ++i) {
    struct fw_input* const input = &op->inputs[i];
    struct fw_storage* const storage = input->tensor->storage;
    input->missing = !input->tensor->defined;
    if (!input->missing) {
      fw_lock(storage);
    } else if (storage->pooled) {
      /* A view that is to be brought back, of a storage that is here: it is locked later, and decisions in between see
       * the new time at the old place in the pool. */
      fw_last_access_changed(storage);
    }
  }
  op->next_input = 0;
  op->wanted = fw_output_index(tensor);
  op->below = fw.stack;
  fw.stack = op;
  if (++fw.nesting > fw.shared->max_nesting) fw.shared->max_nesting = fw.nesting;
}

/* One output of the operator that has just run. */
static void define(struct fw_tensor* tensor) {
  struct fw_storage* const storage = tensor->storage;
  if (tensor->defined) {
    if (!tensor->alias) fw.memory -= storage->size; /* its duplicate is dropped */
    return;
  }
  tensor->defined = 1;
  if (storage->material) return;
  storage->material = true;
  storage->life |= FW_LIFE_FRESH; /* until the heuristic, if it cares, was told */
  if (storage->locks == 0) fw_pool_append(storage);
}

static void tell_heuristic(struct fw_storage* storage) {
  if ((storage->life & FW_LIFE_FRESH) == 0) return;
  storage->life &= (uint8_t)~FW_LIFE_FRESH;
  fw.heuristic->materialised(storage);
}

/* The model clock in ticks longer than 1 ns: like the platform's timer, whole ticks and what is beyond them. By
 * subtraction of tick x 2^k, since the firmware has no 64-bit division; out of line, to cost other runs nothing. */
__attribute__((noinline)) static void advance_ticks(uint64_t cost) {
  uint64_t ns = fw.beyond_tick + cost;
  uint32_t shift = 0;
  while (ns >> shift >> 1 >= fw.tick_ns) ++shift;
  for (;;) {
    const uint64_t step = (uint64_t)fw.tick_ns << shift;
    if (ns >= step) {
      ns -= step;
      fw.clock += UINT64_C(1) << shift;
    }
    if (shift == 0) break;
    --shift;
  }
  fw.beyond_tick = (uint32_t)ns;
}

/* Steps 4 to 7; all inputs are defined and locked. */
static void run(struct fw_operator* op) {
  /* Both sides below 2^63: commands.c bounds the sum of all sizes. */
  while (fw.memory + op->total > fw.budget) {
    if (fw.pool_head == NULL) fw_fail(DTRMC_FAIL_OOM);
    fw_evict(fw_choose(), DTRMC_ACTION_EVICT_POLICY);
  }
  fw_post(op->ran ? DTRMC_ACTION_EXECUTE_REMAT : DTRMC_ACTION_EXECUTE_FIRST, op->id, DTRMC_ACTIVITY_METADATA);
  fw_await(fw.queue_depth, DTRMC_ACTIVITY_METADATA);

  struct dtrmc_shared* const shared = fw.shared;
  if (op->ran) {
    shared->remat_compute += op->cost;
  } else {
    shared->model_compute += op->cost;
  }
  if (fw.counts_ns) {
    fw.clock += op->cost;
  } else if (!fw.device_time) {
    advance_ticks(op->cost);
  }
  fw.memory += op->total;
  for (uint32_t i = 0; i < op->output_count; ++i) {
    if (i != op->wanted) define(fw_output(op, i));
  }
  define(fw_output(op, op->wanted));
  if (fw.heuristic->materialised != NULL) {
    fw_mark(DTRMC_ACTIVITY_COST);
    for (uint32_t i = 0; i < op->output_count; ++i) {
      if (i != op->wanted) tell_heuristic(fw_output(op, i)->storage);
    }
    tell_heuristic(fw_output(op, op->wanted)->storage);
    fw_mark(DTRMC_ACTIVITY_METADATA);
  }
  for (uint32_t i = 0; i < op->input_count; ++i) fw_unlock(op->inputs[i].tensor->storage);
  if (op->ran) {
    /* The limit is one of compute: device time does not enter it. */
    if (shared->remat_compute > shared->remat_limit || shared->model_compute + shared->remat_compute > COMPUTE_MAX) {
      fw_fail(DTRMC_FAIL_THRASH);
    }
  } else {
    op->ran = 1;
  }
}

/* Depth first, as the recursion of the semantics; the stack runs through the operators themselves, so its depth is
 * bounded by the graph alone. */
void fw_materialise(struct fw_tensor* tensor) {
  enter(tensor);
  do {
    struct fw_operator* const op = fw.stack;
    struct fw_tensor* missing = NULL;
    for (; op->next_input < op->input_count; ++op->next_input) {
      struct fw_input* const input = &op->inputs[op->next_input];
      if (!input->missing) continue;
      if (!input->tensor->defined) {
        missing = input->tensor;
        break;
      }
      fw_lock(input->tensor->storage);
    }
    if (missing != NULL) {
      enter(missing);
    } else {
      run(op);
      fw.stack = op->below;
      --fw.nesting;
    }
  } while (fw.stack != NULL);
}
