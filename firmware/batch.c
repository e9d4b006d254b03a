/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/batch.h"

#include "firmware/hal.h"

/* Not in .bss, which start-up clears after the loader has filled this in. */
__attribute__((section(".data"))) struct dtrmc_batch dtrmc_batch;
