/* SPDX-License-Identifier: Apache-2.0
 * The memory for records: what the image leaves free of the RAM. Records grow up, the table of tensor ids grows down;
 * when they would meet the run ends with FAIL(metadata_full). New memory is zero.
 *
 * Freed records are kept by size, since the same sizes come again; large ones are cut. What a run needs does not depend
 * on how much there is, so the peak is what it takes to complete.
 */
#ifndef DTRMC_FIRMWARE_ARENA_H_
#define DTRMC_FIRMWARE_ARENA_H_

#include <stdint.h>

void fw_arena_init(void);

/* Room for one record of `bytes`, 8-byte aligned. */
void* fw_arena_record(uint32_t bytes);

/* Gives it back; `bytes` as when it was made. */
void fw_arena_free(void* record, uint32_t bytes);

/* Extends the table of tensor ids by one. */
void fw_arena_handle(void);

#endif /* DTRMC_FIRMWARE_ARENA_H_ */
