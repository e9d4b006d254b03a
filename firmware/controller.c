/* SPDX-License-Identifier: Apache-2.0
 * Main program: configuration, the command loop, decoding. A descriptor is checked completely before anything depends
 * on it, so that a driver's mistake ends as FAIL(bad_command) and nothing else.
 */
#include "firmware/controller.h"

#include "firmware/actions.h"
#include "firmware/arena.h"
#include "firmware/graph.h"
#include "firmware/heuristic.h"
#include "firmware/pool.h"
#include "firmware/reclaim.h"
#include "firmware/scorer.h"
#include "rtl/generated/scoring_unit_regs.h"

/* Largest size and cost, and largest sum of all: sums of a few of them stay inside 64 bits (host/trace/schedule.h). */
#define QUANTITY_MAX (UINT64_C(1) << 62)

FW_STATE struct fw_state fw;

void fw_reset(void) { fw = (struct fw_state){0}; }

static void publish(void) {
  fw.shared->clock = 1 + fw.shared->model_compute + fw.shared->remat_compute;
  if (fw.unit.depth != 0) {
    fw.shared->search_cycles = hal_unit_read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET);
    fw.shared->search_cycles |= (uint64_t)hal_unit_read(SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET) << 32;
  }
}

_Noreturn void fw_fail(enum dtrmc_fail reason) {
  publish();
  fw_post(DTRMC_ACTION_FAIL, (uint32_t)reason, DTRMC_ACTIVITY_COMMANDS);
  hal_halt();
}

static _Noreturn void bad_command(void) { fw_fail(DTRMC_FAIL_BAD_COMMAND); }

static void configure(void) {
  struct dtrmc_shared* const shared = hal_shared();
  fw.shared = shared;
  shared->clock = shared->model_compute = shared->remat_compute = 0;
  shared->decisions = shared->candidates = 0;
  shared->overflow_scans = shared->redecided = shared->search_cycles = 0;
  shared->candidates_max = shared->metadata_peak = shared->max_nesting = 0;
  fw.tick_ns = shared->tick_ns;
  fw.counts_ns = shared->time == DTRMC_TIME_MODEL && fw.tick_ns == 1;
  fw.clock = fw.tick_ns == 1 ? 1 : 0;
  fw.beyond_tick = 1 - (uint32_t)fw.clock;
  fw.budget = shared->budget;
  fw.queue_depth = shared->queue_depth;
  fw.heuristic = fw_heuristic_by_id(shared->heuristic);
  fw.device_time = shared->time == DTRMC_TIME_DEVICE;
  if (fw.heuristic == NULL || fw.queue_depth == 0 || fw.queue_depth > DTRMC_MAILBOX_ACTION_SLOTS ||
      shared->time > DTRMC_TIME_DEVICE || fw.tick_ns == 0) {
    fw_fail(DTRMC_FAIL_BAD_CONFIG);
  }
  fw_arena_init();
  fw_scorer_init();
  hal_threshold(fw.queue_depth);
}

/* The ring is written while the firmware runs. */
static inline uint32_t ring_word(uint32_t position) { return ((const volatile uint32_t*)fw.shared->ring)[position]; }

/* Position of the next record; fw.ring_position moves behind it. */
static uint32_t next_record(uint32_t* length) {
  const uint32_t ring_words = fw.shared->ring_words;
  if (fw.ring_position == ring_words) fw.ring_position = 0;
  if (DTRMC_COMMAND_OPCODE(ring_word(fw.ring_position)) == DTRMC_COMMAND_SKIP) {
    /* Fills the ring to its end, so the record lies at its start. */
    if (DTRMC_COMMAND_LENGTH(ring_word(fw.ring_position)) != ring_words - fw.ring_position) bad_command();
    fw.ring_position = 0;
  }
  const uint32_t position = fw.ring_position;
  *length = DTRMC_COMMAND_LENGTH(ring_word(position));
  if (*length == 0 || *length > ring_words - position) bad_command();
  fw.ring_position += *length;
  return position;
}

static struct fw_tensor* named_tensor(uint32_t id) {
  struct fw_tensor* const tensor = id < fw.handle_count ? *fw_handle(id) : NULL;
  if (tensor == NULL) bad_command();
  return tensor;
}

/* Of a record that names a tensor and nothing else. */
static struct fw_tensor* only_tensor(uint32_t position, uint32_t length) {
  if (length != 2) bad_command();
  return named_tensor(ring_word(position + 1));
}

/* Creates one output; the operator's inputs are in place. */
static void create_output(struct fw_operator* op, uint32_t index, uint32_t position) {
  struct fw_tensor* const tensor = fw_output(op, index);
  const uint32_t storage_id = ring_word(position + 1);
  const uint64_t size = ring_word(position + 2) | (uint64_t)ring_word(position + 3) << 32;
  const uint32_t alias = ring_word(position + 4);
  struct fw_storage* storage;
  if (alias == DTRMC_NO_ALIAS) {
    if (storage_id != fw.storage_count || storage_id > DTRMC_MAX_ID || size > QUANTITY_MAX - fw.total_size) {
      bad_command();
    }
    storage = fw_arena_record(sizeof(struct fw_storage));
    storage->id = storage_id;
    storage->size = size;
    ++fw.storage_count;
    fw.total_size += size;
    op->total += size;
    FW_HOOK(created, storage);
  } else {
    if (alias >= op->input_count || size != 0) bad_command();
    storage = op->inputs[alias].tensor->storage;
    if (storage->id != storage_id) bad_command();
    tensor->alias = 1;
  }
  const bool counted = storage->tensors != NULL && storage->tensors->op == op; /* by an output before this one */
  const uint32_t handle = ring_word(position);
  if (handle == fw.handle_count && handle <= DTRMC_MAX_ID) fw_arena_handle();
  if (handle >= fw.handle_count || *fw_handle(handle) != NULL) bad_command();
  *fw_handle(handle) = tensor;
  ++op->holds;
  tensor->op = op;
  tensor->storage = storage;
  tensor->references = 1;
  tensor->next = storage->tensors;
  storage->tensors = tensor;
  ++storage->references;
  if (counted) return;
  storage->compute += op->cost;
  FW_HOOK(compute_grew, storage, op);
}

static struct fw_tensor* compute(uint32_t position, uint32_t length) {
  if (length < DTRMC_COMPUTE_WORDS) bad_command();
  const uint32_t id = ring_word(position + 1);
  const uint32_t input_count = ring_word(position + 2) & 0xffffu;
  const uint32_t output_count = ring_word(position + 2) >> 16;
  const uint64_t cost = ring_word(position + 3) | (uint64_t)ring_word(position + 4) << 32;
  if (output_count == 0 || length != DTRMC_COMPUTE_WORDS + input_count + DTRMC_OUTPUT_WORDS * output_count ||
      id != fw.operator_count || id > DTRMC_MAX_ID || cost > QUANTITY_MAX - fw.total_cost) {
    bad_command();
  }
  ++fw.operator_count;
  fw.total_cost += cost;

  fw_mark(DTRMC_ACTIVITY_METADATA);
  struct fw_operator* const op = fw_new_operator(input_count, output_count);
  op->cost = cost;
  op->id = id;
  position += DTRMC_COMPUTE_WORDS;
  for (uint32_t i = 0; i < input_count; ++i) {
    op->inputs[i].tensor = named_tensor(ring_word(position++));
    op->inputs[i].index = (uint16_t)i;
  }
  for (uint32_t i = 0; i < output_count; ++i, position += DTRMC_OUTPUT_WORDS) create_output(op, i, position);
  for (uint32_t i = 0; i < input_count; ++i) {
    struct fw_tensor* const tensor = op->inputs[i].tensor;
    ++tensor->op->holds;
    ++tensor->op->readers;
    if (fw.heuristic->links == FW_LINKS_NONE || tensor->storage->pinned) continue;
    op->inputs[i].next_use = tensor->storage->uses;
    tensor->storage->uses = &op->inputs[i];
  }
  FW_HOOK(linked, op);

  fw_materialise(fw_output(op, 0));
  fw_look_at_clock();
  for (uint32_t i = 0; i < output_count; ++i) fw_access(fw_output(op, i)->storage);
  return fw_output(op, 0);
}

static void constant(uint32_t position, uint32_t length) {
  if (length != DTRMC_COMPUTE_WORDS + DTRMC_OUTPUT_WORDS || ring_word(position + 2) != UINT32_C(1) << 16 ||
      ring_word(position + 3) != 0 || ring_word(position + 4) != 0) {
    bad_command();
  }
  fw_pin(compute(position, length));
}

static void await_command(void) {
  fw.rung = hal_commands();
  if (fw.rung != fw.taken) return;
  fw_mark(DTRMC_ACTIVITY_IDLE);
  do {
    hal_wait(DTRMC_IRQ_COMMAND);
    fw.rung = hal_commands();
  } while (fw.rung == fw.taken);
  fw_mark(DTRMC_ACTIVITY_COMMANDS);
}

_Noreturn void fw_controller(void) {
  fw_mark(DTRMC_ACTIVITY_COMMANDS);
  configure();
  for (;;) {
    if (fw.rung == fw.taken) await_command();
    hal_take();
    const uint32_t number = fw.taken++;
    uint32_t length;
    const uint32_t position = next_record(&length);
    bool end = false;
    switch (DTRMC_COMMAND_OPCODE(ring_word(position))) {
      case DTRMC_COMMAND_CONSTANT:
        constant(position, length);
        break;
      case DTRMC_COMMAND_COMPUTE:
        compute(position, length);
        break;
      case DTRMC_COMMAND_GET: {
        struct fw_tensor* const tensor = only_tensor(position, length);
        /* The count has 30 bits. */
        if (tensor->references == DTRMC_MAX_ID) bad_command();
        fw_get(tensor);
        break;
      }
      case DTRMC_COMMAND_RELEASE: {
        if (length != 2) bad_command();
        const uint32_t word = ring_word(position + 1);
        struct fw_tensor* const tensor = named_tensor(word & ~DTRMC_RELEASE_LAST);
        const bool last = (word & DTRMC_RELEASE_LAST) != 0;
        if (tensor->references == 0 || (last && tensor->references != 1)) bad_command();
        fw_mark(DTRMC_ACTIVITY_METADATA);
        fw_release(tensor);
        if (last) {
          *fw_handle(word & ~DTRMC_RELEASE_LAST) = NULL;
          fw_reclaim_forgotten(tensor);
        }
        break;
      }
      case DTRMC_COMMAND_PIN: {
        fw_mark(DTRMC_ACTIVITY_METADATA);
        struct fw_tensor* const tensor = only_tensor(position, length);
        fw_pin(tensor);
        ++tensor->op->holds; /* a result: its records stay */
        break;
      }
      case DTRMC_COMMAND_END:
        if (length != 1) bad_command();
        end = true;
        break;
      default:
        bad_command();
    }
    if (end) {
      /* The run is over once everything is carried out. */
      hal_threshold(1);
      fw_await(1, DTRMC_ACTIVITY_COMMANDS);
      publish();
    }
    fw_post(DTRMC_ACTION_COMPLETE, number, DTRMC_ACTIVITY_COMMANDS);
    if (end) hal_halt();
  }
}
