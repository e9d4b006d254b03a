/* SPDX-License-Identifier: Apache-2.0
 * Memory map of the test board (tests/cpu/board.h), for its C++ model and for the assembler programs that run on it.
 */
#ifndef DTRMC_TESTS_CPU_BOARD_MAP_H_
#define DTRMC_TESTS_CPU_BOARD_MAP_H_

#define BOARD_RAM_BASE 0x80000000
#define BOARD_RAM_BYTES 0x10000

#define BOARD_BASE 0x10000000
#define BOARD_EXIT 0x00    /* WO: ends the program; 0 is success, anything else the number of the failed check */
#define BOARD_TIMECMP 0x04 /* RW: line 7 is high while cycle >= TIMECMP (32 bit) */
#define BOARD_LEVELS 0x08  /* RW: lines that software drives, as bits of mip */
#define BOARD_PULSE 0x0c   /* WO: lines that go high BOARD_DELAY cycles after the write, for BOARD_LENGTH cycles */
#define BOARD_DELAY 0x10   /* RW */
#define BOARD_LENGTH 0x14  /* RW */
#define BOARD_SCRATCH 0x18 /* RW: plain memory, also bytes and halves */
#define BOARD_SLOW 0x1c    /* RO: answers its own address after 7 wait cycles */
#define BOARD_ERROR 0x20   /* answers with a bus error after 2 wait cycles */
#define BOARD_CYCLE 0x24   /* RO: low word of the cycle at which the access started */
/* Everything else answers with a bus error. */

#define BOARD_SLOW_WAIT 7
#define BOARD_ERROR_WAIT 2

#endif /* DTRMC_TESTS_CPU_BOARD_MAP_H_ */
