/* SPDX-License-Identifier: Apache-2.0
 * What the controller's firmware and everything around it agree on: memory map, configuration block,
 * command descriptors, action words, interrupt lines, custom CSRs. C11 and C++17; the only definition.
 *
 * Units: bytes for sizes, nanoseconds for costs and the model clock, cycles of the controller clock elsewhere.
 * All words are little-endian 32 bit; 64-bit quantities are stored low word first, 8-byte aligned in the
 * configuration block, 4-byte aligned in command descriptors.
 */
#ifndef DTRMC_FIRMWARE_PROTOCOL_H_
#define DTRMC_FIRMWARE_PROTOCOL_H_

#include <stdint.h>

#define DTRMC_PROTOCOL_MAGIC 0x4d525444u /* "DTRM" */
#define DTRMC_PROTOCOL_VERSION 3u

/* Memory map of the controller (byte addresses). */
#define DTRMC_TIMER_BASE 0x02000000u   /* mtime, mtimecmp */
#define DTRMC_MAILBOX_BASE 0x10000000u /* commands, actions */
#define DTRMC_UNIT_BASE 0x20000000u    /* scoring unit, registers in rtl/generated/scoring_unit_regs.h */
#define DTRMC_RAM_BASE 0x80000000u     /* program, metadata, command ring */

/* Timer registers, offsets. mtime counts controller clock cycles. TICKS is the device clock that staleness counts under
 * DTRMC_TIME_DEVICE: (1 + ns since reset) / length of a tick, rounded down (the model clock starts at 1 as well). Two
 * words are one value only if the high word is the same before and after. */
#define DTRMC_TIMER_MTIME_LO 0x0u
#define DTRMC_TIMER_MTIME_HI 0x4u
#define DTRMC_TIMER_MTIMECMP_LO 0x8u
#define DTRMC_TIMER_MTIMECMP_HI 0xcu
#define DTRMC_TIMER_TICKS_LO 0x10u /* RO */
#define DTRMC_TIMER_TICKS_HI 0x14u /* RO */

/* Mailbox registers, offsets. */
#define DTRMC_MAILBOX_COMMANDS 0x00u    /* RO: commands rung since reset, modulo 2^32 */
#define DTRMC_MAILBOX_TAKE 0x04u        /* WO: firmware took one command; lowers the pending count by one */
#define DTRMC_MAILBOX_ACTION 0x08u      /* WO: append one action word; a full queue is a firmware fault */
#define DTRMC_MAILBOX_OUTSTANDING 0x0cu /* RO: actions not yet carried out by the accelerator */
#define DTRMC_MAILBOX_THRESHOLD 0x10u   /* RW: the accelerator line is high while OUTSTANDING < THRESHOLD */
#define DTRMC_MAILBOX_DOORBELL 0x40u    /* WO, for the driver: one more command lies in the ring */
#define DTRMC_MAILBOX_DONE 0x44u       /* WO, for an accelerator without a port of its own: so many actions more done */
#define DTRMC_MAILBOX_ACTION_SLOTS 64u /* capacity of the action queue, and largest queue depth Q */

/* Interrupt lines as bits of mip/mie. All are level sensitive. */
#define DTRMC_IRQ_TIMER 7u        /* standard MTIP: mtime >= mtimecmp */
#define DTRMC_IRQ_COMMAND 11u     /* standard MEIP: a rung command has not been taken */
#define DTRMC_IRQ_UNIT 16u        /* platform line: scoring unit, DONE and enabled */
#define DTRMC_IRQ_ACCELERATOR 17u /* platform line: see DTRMC_MAILBOX_THRESHOLD */

/* Custom machine CSR (read-write): the activity that the following cycles are charged to, in bits 3:0, and
 * DTRMC_IN_DECISION while an eviction is being decided. The write's own cycle counts to the new activity. */
#define DTRMC_CSR_ACTIVITY 0x7c0
enum dtrmc_activity {
  DTRMC_ACTIVITY_COMMANDS = 0,         /* taking and decoding commands, posting actions */
  DTRMC_ACTIVITY_METADATA = 1,         /* tensors, storages, locks, pool order, materialisation */
  DTRMC_ACTIVITY_COST = 2,             /* equivalence classes and other cost metrics */
  DTRMC_ACTIVITY_SCORE = 3,            /* upkeep of the candidate table */
  DTRMC_ACTIVITY_SEARCH = 4,           /* the minimum search in firmware, overflow scans, re-decisions */
  DTRMC_ACTIVITY_WAIT_UNIT = 5,        /* waiting for the scoring unit's search */
  DTRMC_ACTIVITY_WAIT_ACCELERATOR = 6, /* a command is in hand, a completion or action slot is missing */
  DTRMC_ACTIVITY_IDLE = 7,             /* no command available */
  DTRMC_ACTIVITY_COUNT = 8
};
#define DTRMC_IN_DECISION 0x100u

enum dtrmc_heuristic { /* dtr-semantics section 4 */
                       DTRMC_HEURISTIC_DTR_EQ = 0,
                       DTRMC_HEURISTIC_DTR_LOCAL = 1,
                       DTRMC_HEURISTIC_LRU = 2,
                       DTRMC_HEURISTIC_SIZE = 3,
                       DTRMC_HEURISTIC_DTR = 4,
                       DTRMC_HEURISTIC_MSPS = 5,
                       DTRMC_HEURISTIC_COUNT = 6
};

enum dtrmc_scorer {
  DTRMC_SCORER_FIRMWARE = 0, /* exact search in C */
  DTRMC_SCORER_UNIT = 1      /* candidate table and search in the scoring unit */
};

enum dtrmc_time {                       /* what last accesses and staleness count */
                  DTRMC_TIME_MODEL = 0, /* the model clock: 1 + sum of the costs executed, in whole ticks */
                  DTRMC_TIME_DEVICE = 1 /* the timer's ticks, taken when the controller gets to it */
};

/* Reasons of DTRMC_ACTION_FAIL. */
enum dtrmc_fail {
  DTRMC_FAIL_OOM = 1,           /* nothing left to evict */
  DTRMC_FAIL_THRASH = 2,        /* rematerialisation cost above remat_limit */
  DTRMC_FAIL_METADATA_FULL = 3, /* an arena is full */
  DTRMC_FAIL_BAD_COMMAND = 4,   /* a descriptor contradicts itself or what came before: platform or driver fault */
  DTRMC_FAIL_BAD_CONFIG = 5     /* unknown heuristic, scorer, time or queue depth; scoring unit absent or unknown */
};

/* Command descriptors: records of 32-bit words in the ring, consumed in order.
 * word 0: opcode in 7:0, length of the record in words (this one included) in 31:8. A record never wraps:
 * where the rest of the ring is too short, the driver fills it with one DTRMC_COMMAND_SKIP record (not rung,
 * not taken, not completed). A record stays valid until its completion is posted. */
enum dtrmc_opcode {
  DTRMC_COMMAND_SKIP = 0,
  DTRMC_COMMAND_CONSTANT = 1, /* as COMPUTE with no inputs, one output and cost 0, then the output is pinned */
  DTRMC_COMMAND_COMPUTE = 2,
  DTRMC_COMMAND_GET = 3,     /* word 1: tensor id */
  DTRMC_COMMAND_RELEASE = 4, /* word 1: tensor id, perhaps with DTRMC_RELEASE_LAST */
  DTRMC_COMMAND_PIN = 5,     /* word 1: tensor id; rematerialised first where it is not defined */
  DTRMC_COMMAND_END = 6
};
/* CONSTANT and COMPUTE: word 1 operator id, word 2 inputs in 15:0 and outputs in 31:16, words 3-4 cost in ns; then one
 * tensor id per input (duplicates kept); then DTRMC_OUTPUT_WORDS per output. Operator and storage ids each count up
 * from 0 without gaps: they come back in actions. A tensor id is one that names no tensor now, or the lowest never
 * used: ids are used again (see DTRMC_RELEASE_LAST), so that the controller's table of them is as long as tensors are
 * known at a time. */
#define DTRMC_COMPUTE_WORDS 5u
#define DTRMC_OUTPUT_WORDS 5u      /* tensor id, storage id, size low, size high (bytes; 0 for an alias), alias */
#define DTRMC_NO_ALIAS 0xffffffffu /* alias word: own storage; otherwise index of the input it aliases */

/* In word 1 of a RELEASE of the only reference: the driver will not name the tensor again. From then on its id names
 * nothing, and what the controller knows of the tensor may be forgotten once it can influence nothing any more. */
#define DTRMC_RELEASE_LAST 0x80000000u

#define DTRMC_COMMAND_OPCODE(word) ((word)&0xffu)
#define DTRMC_COMMAND_LENGTH(word) ((word) >> 8)

/* Action words: kind in 31:28, id in 27:0. Carried out strictly in order. */
enum dtrmc_action {
  DTRMC_ACTION_EXECUTE_FIRST = 1, /* operator id: first run */
  DTRMC_ACTION_EXECUTE_REMAT = 2, /* operator id: rematerialisation */
  DTRMC_ACTION_EVICT_POLICY = 3,  /* storage id: chosen by the heuristic */
  DTRMC_ACTION_EVICT_EAGER = 4,   /* storage id: last reference gone */
  DTRMC_ACTION_COMPLETE = 5,      /* the oldest command that is not complete; id is its number modulo 2^28 */
  DTRMC_ACTION_FAIL = 6           /* enum dtrmc_fail; nothing follows */
};
#define DTRMC_ACTION_WORD(kind, id) (((uint32_t)(kind) << 28) | ((uint32_t)(id)&0x0fffffffu))
#define DTRMC_ACTION_KIND(word) ((word) >> 28)
#define DTRMC_ACTION_ID(word) ((word)&0x0fffffffu)
#define DTRMC_MAX_ID 0x0fffffffu

#define DTRMC_NO_LIMIT UINT64_C(0xffffffffffffffff)

/* The block that the image exports as symbol `dtrmc_shared`. The platform checks `magic` and `version`, fills
 * the second group before reset is released, and reads the third after the run. */
struct dtrmc_shared {
  /* set by the image */
  uint32_t magic;
  uint32_t version;
  uint32_t ring_words; /* capacity of the command ring, behind the block; the platform may change it */
  uint32_t reserved0;
  /* set by the platform */
  uint32_t ram_bytes; /* RAM from DTRMC_RAM_BASE; the arenas take what the image leaves free */
  uint32_t heuristic; /* enum dtrmc_heuristic */
  uint32_t scorer;    /* enum dtrmc_scorer */
  uint32_t
      queue_depth;  /* 1 .. DTRMC_MAILBOX_ACTION_SLOTS: after an EXECUTE firmware goes on once OUTSTANDING is lower */
  uint32_t time;    /* enum dtrmc_time */
  uint32_t tick_ns; /* length of a tick, ns, at least 1 */
  uint64_t budget;  /* bytes */
  uint64_t remat_limit; /* ns; the run ends as thrash once rematerialisation cost is larger; DTRMC_NO_LIMIT: none */
  /* set by the firmware, valid once END is complete or FAIL was posted */
  uint64_t clock;          /* model clock, ns */
  uint64_t model_compute;  /* cost of first runs, ns */
  uint64_t remat_compute;  /* cost of rematerialisations, ns */
  uint64_t decisions;      /* evictions chosen by the heuristic */
  uint64_t candidates;     /* pool sizes summed over the decisions */
  uint64_t overflow_scans; /* decisions that also scanned candidates outside the table */
  uint64_t redecided;      /* decisions flagged by the unit and taken again in firmware */
  uint64_t search_cycles;  /* the unit's own count of busy cycles, summed */
  uint32_t candidates_max; /* largest pool at a decision */
  uint32_t metadata_peak;  /* bytes of arena in use, peak */
  uint32_t max_nesting;    /* deepest materialisation, 1 = an operator without missing inputs */
  uint32_t reserved1;
#ifndef __cplusplus
  uint32_t ring[]; /* the command ring: ring_words words; C++ finds it at DTRMC_RING_OFFSET */
#endif
};
#define DTRMC_RING_OFFSET ((uint32_t)sizeof(struct dtrmc_shared)) /* bytes from `dtrmc_shared` */

#endif /* DTRMC_FIRMWARE_PROTOCOL_H_ */
