/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/quotient.h"

#include <stdbool.h>

/* Wide unsigned numbers are arrays of 32-bit limbs, low limb first. */
#define DENOMINATOR_LIMBS 4u /* 64 x 64 bit */
#define PRODUCT_LIMBS 6u     /* 64 x 128 bit: cross products */
#define DIVISION_LIMBS 5u    /* 128 bit and one for the remainder's shift */
#define MANTISSA_BITS 53u

uint32_t fw_bit_length32(uint32_t value) {
  uint32_t length = 0;
  if (value >= UINT32_C(1) << 16) {
    value >>= 16;
    length = 16;
  }
  if (value >= 1u << 8) {
    value >>= 8;
    length += 8;
  }
  if (value >= 1u << 4) {
    value >>= 4;
    length += 4;
  }
  if (value >= 1u << 2) {
    value >>= 2;
    length += 2;
  }
  return length + (value >= 2 ? 2 : value);
}

uint32_t fw_bit_length64(uint64_t value) {
  const uint32_t high = (uint32_t)(value >> 32);
  return high != 0 ? 32 + fw_bit_length32(high) : fw_bit_length32((uint32_t)value);
}

/* product[count + 2] = factor[count] x multiplier */
static void multiply(uint32_t* product, const uint32_t* factor, uint32_t count, uint64_t multiplier) {
  const uint32_t low = (uint32_t)multiplier;
  const uint32_t high = (uint32_t)(multiplier >> 32);
  uint64_t carry = 0;
  for (uint32_t i = 0; i < count; ++i) {
    carry += (uint64_t)factor[i] * low;
    product[i] = (uint32_t)carry;
    carry >>= 32;
  }
  product[count] = (uint32_t)carry;
  carry = 0;
  for (uint32_t i = 0; i < count; ++i) {
    carry += (uint64_t)factor[i] * high + product[i + 1];
    product[i + 1] = (uint32_t)carry;
    carry >>= 32;
  }
  product[count + 1] = (uint32_t)carry;
}

static int compare(const uint32_t* a, const uint32_t* b, uint32_t count) {
  for (uint32_t i = count; i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

/* a -= b; a >= b */
static void subtract(uint32_t* a, const uint32_t* b, uint32_t count) {
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
    a[i] = (uint32_t)difference;
    borrow = (uint32_t)(difference >> 32) & 1u;
  }
}

static uint32_t bit_length(const uint32_t* a, uint32_t count) {
  for (uint32_t i = count; i-- > 0;) {
    if (a[i] != 0) return 32 * i + fw_bit_length32(a[i]);
  }
  return 0;
}

static void shift_left(uint32_t* a, uint32_t count, uint32_t bits) {
  const uint32_t limbs = bits / 32;
  const uint32_t rest = bits % 32;
  for (uint32_t i = count; i-- > 0;) {
    const uint32_t high = i >= limbs ? a[i - limbs] : 0;
    const uint32_t low = i > limbs ? a[i - limbs - 1] : 0;
    a[i] = rest == 0 ? high : (high << rest) | (low >> (32 - rest));
  }
}

/* A positive binary64 number: mantissa x 2^exponent, mantissa of exactly 53 bits. */
struct rounded {
  uint64_t mantissa;
  int32_t exponent;
};

/* Long division, one quotient bit a turn: slow, and needed only where two quotients nearly agree. */
static struct rounded round_quotient(uint64_t cost, const uint32_t denominator[DENOMINATOR_LIMBS]) {
  uint32_t rest[DIVISION_LIMBS] = {(uint32_t)cost, (uint32_t)(cost >> 32), 0, 0, 0};
  uint32_t divisor[DIVISION_LIMBS];
  for (uint32_t i = 0; i < DENOMINATOR_LIMBS; ++i) divisor[i] = denominator[i];
  divisor[DENOMINATOR_LIMBS] = 0;
  const uint32_t cost_bits = bit_length(rest, DIVISION_LIMBS);
  const uint32_t divisor_bits = bit_length(divisor, DIVISION_LIMBS);
  /* Aligned to the same length the ratio lies between 1/2 and 2, so that 55 bits of it start with a one among the
   * first two. */
  if (cost_bits < divisor_bits) {
    shift_left(rest, DIVISION_LIMBS, divisor_bits - cost_bits);
  } else {
    shift_left(divisor, DIVISION_LIMBS, cost_bits - divisor_bits);
  }
  const uint32_t turns = MANTISSA_BITS + 2;
  uint64_t quotient = 0;
  for (uint32_t i = 0; i < turns; ++i) {
    quotient <<= 1;
    if (compare(rest, divisor, DIVISION_LIMBS) >= 0) {
      subtract(rest, divisor, DIVISION_LIMBS);
      quotient |= 1;
    }
    shift_left(rest, DIVISION_LIMBS, 1);
  }
  bool sticky = bit_length(rest, DIVISION_LIMBS) != 0;
  struct rounded result;
  result.exponent = (int32_t)cost_bits - (int32_t)divisor_bits - (int32_t)(turns - 1);
  if ((quotient >> (turns - 1)) != 0) {
    sticky = sticky || (quotient & 1) != 0;
    quotient >>= 1;
    ++result.exponent;
  }
  const bool half = (quotient & 1) != 0;
  result.mantissa = quotient >> 1;
  ++result.exponent;
  if (half && (sticky || (result.mantissa & 1) != 0)) ++result.mantissa;
  if (result.mantissa >> MANTISSA_BITS != 0) {
    result.mantissa >>= 1;
    ++result.exponent;
  }
  return result;
}

/* Both quotients are positive; costs are magnitudes. */
static int compare_magnitudes(uint64_t a_cost, const struct fw_quotient* a, uint64_t b_cost,
                              const struct fw_quotient* b) {
  uint32_t a_denominator[DENOMINATOR_LIMBS];
  uint32_t b_denominator[DENOMINATOR_LIMBS];
  uint32_t left[PRODUCT_LIMBS];
  uint32_t right[PRODUCT_LIMBS];
  const uint32_t a_size[2] = {(uint32_t)a->size, (uint32_t)(a->size >> 32)};
  const uint32_t b_size[2] = {(uint32_t)b->size, (uint32_t)(b->size >> 32)};
  multiply(a_denominator, a_size, 2, a->time);
  multiply(b_denominator, b_size, 2, b->time);
  multiply(left, b_denominator, DENOMINATOR_LIMBS, a_cost);
  multiply(right, a_denominator, DENOMINATOR_LIMBS, b_cost);
  const int order = compare(left, right, PRODUCT_LIMBS);
  if (order == 0) return 0;
  /* Two quotients whose difference is more than 2^-51 of the larger have a double between them: rounding keeps their
   * order. Closer ones are rounded. */
  uint32_t* const larger = order > 0 ? left : right;
  const uint32_t* const smaller = order > 0 ? right : left;
  const uint32_t larger_bits = bit_length(larger, PRODUCT_LIMBS);
  subtract(larger, smaller, PRODUCT_LIMBS);
  const uint32_t difference_bits = bit_length(larger, PRODUCT_LIMBS);
  /* difference > larger >> 51 for certain; one bit of slack spares the exact comparison. */
  if (difference_bits + 50 > larger_bits) return order;
  const struct rounded a_rounded = round_quotient(a_cost, a_denominator);
  const struct rounded b_rounded = round_quotient(b_cost, b_denominator);
  if (a_rounded.exponent != b_rounded.exponent) return a_rounded.exponent < b_rounded.exponent ? -1 : 1;
  if (a_rounded.mantissa != b_rounded.mantissa) return a_rounded.mantissa < b_rounded.mantissa ? -1 : 1;
  return 0;
}

static uint64_t magnitude(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

int fw_quotient_compare(const struct fw_quotient* a, const struct fw_quotient* b) {
  if ((a->cost < 0) != (b->cost < 0)) return a->cost < 0 ? -1 : 1;
  const int order = compare_magnitudes(magnitude(a->cost), a, magnitude(b->cost), b);
  return a->cost < 0 ? -order : order;
}
