/* SPDX-License-Identifier: Apache-2.0
 * The memory for records: what the image leaves free of the RAM. Records grow up, the tensor table grows down; when
 * they would meet the run ends with FAIL(metadata_full). New memory is zero.
 */
#ifndef DTRMC_FIRMWARE_ARENA_H_
#define DTRMC_FIRMWARE_ARENA_H_

#include <stdint.h>

void fw_arena_init(void);

/* Room for one record of `bytes`, 8-byte aligned. */
void* fw_arena_record(uint32_t bytes);

/* Extends the tensor table by `count` records. */
void fw_arena_tensors(uint32_t count);

#endif /* DTRMC_FIRMWARE_ARENA_H_ */
