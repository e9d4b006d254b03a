/* SPDX-License-Identifier: Apache-2.0
 * Exact comparison of scores h = cost / denominator by simrd's rule: the quotients are rounded to binary64 (nearest,
 * ties to even) and then compared. Integer arithmetic throughout, any int64 cost, any 64-bit factors.
 */
#ifndef DTRMC_FIRMWARE_QUOTIENT_H_
#define DTRMC_FIRMWARE_QUOTIENT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fw_quotient {
  int64_t cost;  /* not 0 */
  uint64_t size; /* not 0 */
  uint64_t time; /* not 0; denominator = size x time */
};

/* -1, 0, 1: a's rounded quotient is smaller than, equal to, larger than b's. */
int fw_quotient_compare(const struct fw_quotient* a, const struct fw_quotient* b);

/* Number of bits up to the highest one set; 0 for 0. */
uint32_t fw_bit_length32(uint32_t value);
uint32_t fw_bit_length64(uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* DTRMC_FIRMWARE_QUOTIENT_H_ */
