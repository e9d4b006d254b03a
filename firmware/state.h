/* SPDX-License-Identifier: Apache-2.0
 * The firmware's records and its one state. Sizes in bytes, costs in ns, times in ticks.
 *
 * Records never move. A tensor that nobody references may still be needed to recompute another, or count in scores:
 * reclaim.c says when a record goes.
 */
#ifndef DTRMC_FIRMWARE_STATE_H_
#define DTRMC_FIRMWARE_STATE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/hal.h"
#include "rtl/model/score_key.h"

struct fw_operator;
struct fw_storage;
struct fw_heuristic;
struct fw_eq_class;
struct fw_eq_link;
struct fw_regions;
struct fw_set_node;
struct fw_free_record;

/* Lies in its operator's record, below the operator: the first output nearest. */
struct fw_tensor {
  struct fw_operator* op;
  struct fw_storage* storage;
  struct fw_tensor* next; /* on the same storage, newest first */
  uint32_t references : 30;
  uint32_t alias : 1;
  uint32_t defined : 1;
};

/* One input of an operator, and a link of the chain of uses of the storage that it lies on. */
struct fw_input {
  struct fw_tensor* tensor;
  struct fw_input* next_use;
  uint16_t index;   /* among the operator's inputs: leads back to the operator */
  uint16_t missing; /* was not defined when materialisation of the operator began */
};

struct fw_operator {
  uint64_t cost;
  uint64_t total; /* sizes of the outputs that are not aliases */
  /* Materialisation stack: an operator is on it at most once. Of one that will never run again: reclaim.c's lists. */
  struct fw_operator* below;
  /* Reasons why it may have to run again: outputs that the driver may name, inputs of other such operators made by it,
   * one for each. */
  uint32_t holds;
  uint32_t readers; /* inputs of existing operators that it made */
  uint32_t id : 28;
  uint32_t ran : 1;
  uint32_t leaving : 1; /* in the list of those to be freed */
  uint16_t input_count;
  uint16_t output_count;
  uint16_t next_input; /* where its materialisation goes on */
  uint16_t wanted;     /* output that put it there */
  struct fw_input inputs[];
};

/* Where the scoring unit's upkeep has a storage (unit.c); always NONE without the unit. */
enum fw_place { FW_PLACE_NONE = 0, FW_PLACE_TABLE = 1, FW_PLACE_WAITING = 2, FW_PLACE_UNFIT = 3 };

enum fw_life {
  FW_LIFE_FRESH = 1,    /* became material in the execution in progress */
  FW_LIFE_FROZEN = 2,   /* not material, and never will be again */
  FW_LIFE_SEALED = 4,   /* frozen, and so is everything that it was made from */
  FW_LIFE_CLEAN = 8,    /* frozen, and so is everything that was made from it */
  FW_LIFE_LEAVING = 16, /* to be freed as soon as the scorer's list of changed storages lets go of it */
  FW_LIFE_QUEUED = 32,  /* reclaim.c: in the queue */
  FW_LIFE_SEEN = 64     /* reclaim.c: was in it since it is frozen */
};

struct fw_storage {
  /* What the search in firmware reads of every candidate (search.c explains the bounds). */
  struct fw_storage* next; /* in the pool */
  uint32_t last_scaled;
  uint32_t gain;
  int32_t gain_exponent;

  struct fw_storage* previous;
  uint32_t size_lead; /* leading bits of the size, and their exponent; 0: not known yet */
  int32_t size_exponent;
  uint32_t order; /* of insertion into the pool */
  int64_t cost;
  uint64_t size;
  uint64_t last_access;
  uint64_t compute;
  struct fw_tensor* tensors; /* newest first */
  struct fw_input* uses;
  uint32_t id;
  uint32_t references;
  uint32_t locks;
  bool material;
  bool pinned;
  bool pooled;
  uint8_t life; /* enum fw_life bits */

  /* Upkeep of the candidate table and of the search bounds. */
  bool listed;     /* in the list of changed storages */
  bool gain_stale; /* its cost has changed since its bounds were derived */
  uint8_t place;   /* enum fw_place */
  struct fw_storage* next_changed;
  union {
    uint32_t entry;                  /* FW_PLACE_TABLE: register offset of its slot */
    struct fw_storage* next_outside; /* FW_PLACE_WAITING, FW_PLACE_UNFIT */
  };
  struct fw_storage* previous_outside;

  union {
    /* Heuristic dtr-eq: a storage that is not material has a class, a material one has links to neighbouring ones. */
    struct {
      struct fw_eq_class* eq_class;
      union {
        struct fw_storage* eq_next; /* member of the class */
        struct fw_eq_link* eq_links;
      };
      struct fw_storage* eq_previous;
    };
    /* Heuristics with regions. */
    struct {
      struct fw_regions* regions;   /* NULL where the storage is pinned or not material */
      struct fw_storage* walk_next; /* queue or stack of a walk */
      uint32_t index;               /* in sets and in the directory; used again after the storage has gone */
      uint32_t mark;                /* fw.regions.mark: the current walk met it */
    };
  };
};

enum fw_special {
  FW_OUT_OF_STEP = 1, /* NEXT_ORDER is not fw.next_order (in joining: the order just given) */
  FW_EPOCH_MOVED = 2  /* epoch is not 0; for good */
};

struct fw_unit_state {
  uint32_t depth;
  struct score_format format; /* of the unit's arithmetic; exact without a unit */
  uint64_t cost_bias;         /* a cost fits where cost + bias, unsigned, is at most the span */
  uint64_t cost_span;
  uint64_t size_max;
  uint64_t time_max;
  uint64_t epoch; /* the table's times count from here */
  uint32_t order_max;
  uint8_t special;               /* enum fw_special, any of: a joining storage needs more than one store */
  uint32_t clock_high;           /* CLOCK_HI likewise */
  uint32_t prepared;             /* slots below this have had their size written once */
  uint32_t used;                 /* slots that have an owner */
  uint32_t outside_count;        /* storages on the lists below */
  uint32_t hand;                 /* slot at which the last search for a parked one ended */
  struct fw_storage** owner;     /* [depth] NULL: the slot is free */
  uint16_t* free;                /* [depth] stack of the depth - used free slots */
  struct fw_storage* outside[2]; /* in the pool but not in the table: no slot was free; a value does not fit */
};

struct fw_eq_state { /* heuristic_dtr_eq.c */
  struct fw_eq_class* changed;
  struct fw_eq_class* current; /* that a walk over edges is about */
  struct fw_eq_class* free_classes;
  struct fw_eq_link* free_links;
};

struct fw_region_state {       /* regions.c, region_set.c */
  struct fw_operator* pending; /* in progress, with new storages */
  struct fw_storage* grown;    /* evicted, and its compute grew since: by grown_by, ns */
  uint64_t grown_by;
  uint32_t grown_stamp;
  bool walks; /* a view has linked existing storages */
  uint32_t mark;
  uint32_t page_capacity;
  uint32_t indices;           /* given out so far */
  uint32_t free_index;        /* list of those given back, by index + 1 */
  struct fw_storage*** pages; /* of the directory */
  struct fw_set_node* free_nodes;
  struct fw_regions* free_regions;
};

struct fw_reclaim_state {      /* reclaim.c; all lists are empty between operations */
  struct fw_operator* inert;   /* found to never run again */
  struct fw_storage* frozen;   /* queue, through `next` */
  struct fw_operator* leaving; /* to be freed */
  uint32_t listed;             /* storages that wait for leaving the list of changed ones, about */
  bool holds;                  /* what a walk over links has found so far */
};

/* Freed records of 8, 16, .. bytes, one list a size; the first list takes all that are larger. */
#define FW_FREE_LISTS 65u

struct fw_state {
  struct dtrmc_shared* shared;
  const struct fw_heuristic* heuristic;
  uint64_t budget;
  uint64_t clock; /* that staleness counts, in ticks: the model clock, or the device clock when last looked at */
  bool device_time;
  bool counts_ns; /* the model clock in ticks of 1 ns */
  uint32_t tick_ns;
  uint32_t beyond_tick; /* model time: ns since the last full tick */
  uint64_t memory;
  uint64_t total_size; /* of all storages */
  uint64_t total_cost; /* of all operators */
  uint32_t operator_count;
  uint32_t storage_count;
  uint32_t handle_count; /* tensor ids in use or used before */

  char* arena_low;  /* records grow up from here, */
  char* arena_high; /* the table of tensor ids grows down to here */
  char* arena_begin;
  char* arena_end;

  struct fw_free_record* free_records[FW_FREE_LISTS];

  struct fw_operator* stack;
  uint32_t nesting;
  struct fw_reclaim_state reclaim;

  struct fw_storage* pool_head;
  struct fw_storage* pool_tail;
  uint32_t pool_count;
  uint32_t next_order;
  uint32_t order_max;

  struct fw_storage* changed; /* search in firmware: pool members whose bounds are stale */
  bool has_table;             /* search in the unit: its table is kept up to date */
  uint8_t time_shift;         /* of last_scaled */

  uint32_t ring_position; /* words */
  uint32_t rung;          /* commands known to be rung */
  uint32_t taken;
  uint32_t outstanding; /* upper bound */
  uint32_t queue_depth;

  struct fw_eq_state eq;
  struct fw_region_state regions;
  struct fw_unit_state unit;
};

extern FW_STATE struct fw_state fw;

/* Everything as after reset. */
void fw_reset(void);

/* The tensor that the driver calls `id`, NULL where there is none. id < fw.handle_count. */
static inline struct fw_tensor** fw_handle(uint32_t id) { return (struct fw_tensor**)(void*)fw.arena_end - 1 - id; }

static inline struct fw_tensor* fw_output(const struct fw_operator* op, uint32_t index) {
  return (struct fw_tensor*)(void*)(uintptr_t)op - 1 - index;
}
static inline uint16_t fw_output_index(const struct fw_tensor* tensor) {
  return (uint16_t)((struct fw_tensor*)(void*)tensor->op - 1 - tensor);
}

static inline struct fw_operator* fw_operator_of_input(struct fw_input* input) {
  return (struct fw_operator*)(void*)((char*)(input - input->index) - offsetof(struct fw_operator, inputs));
}

/* Activity marks; see enum dtrmc_activity. */
static inline void fw_mark(uint32_t activity) { hal_activity(activity); }

#endif /* DTRMC_FIRMWARE_STATE_H_ */
