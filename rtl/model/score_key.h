/* SPDX-License-Identifier: Apache-2.0
 * The scoring unit's approximate arithmetics, bit for bit as the RTL has them (rtl/src/scoring_unit_key_*.sv): what a
 * finite score h = cost / (size x staleness) becomes, and which of two is smaller. C11 and C++17, integers only; shared
 * by the firmware (candidates outside the table), the software simulator and models of the unit.
 *
 *   log2      log2|cost| - log2 size - log2 staleness as fixed point; each logarithm is the leading bit's position, and
 *             a chord between table entries for what follows it (rounded down)
 *   Mitchell  the same with the bits after the leading one taken as the logarithm's fraction
 *   float     cost and size x staleness as floats (nearest, ties to even, the product rounded once more); the quotients
 *             of these are compared exactly, by cross products
 *
 * Values of any 64 bits have a key; the RTL's narrower tables are the same function of what fits them. A term that does
 * not take part is 1. Zero costs and zero denominators are classes of their own and never get here.
 */
#ifndef DTRMC_RTL_MODEL_SCORE_KEY_H_
#define DTRMC_RTL_MODEL_SCORE_KEY_H_

#include <stdint.h>

#include "rtl/generated/scoring_unit_log2_table.h"
#include "rtl/generated/scoring_unit_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the registers PARAMS.ARITHMETIC and FORMAT say. */
struct score_format {
  uint32_t kind;     /* SCORING_UNIT_PARAMS_ARITHMETIC_ */
  uint32_t fraction; /* bits after the point of logarithms (at most SCORE_FRACTION_MOST), or of a float's mantissa
                        without its leading one */
  uint32_t segments; /* log2: logarithm of the number of table segments, at most 8 and at most `fraction` */
};

#define SCORE_FRACTION_MOST 22u /* keys of three 64-bit values fit 32 bits; products of mantissas 64 */

struct score_key {
  int32_t exponent;     /* logarithms: the key; float: exponent of cost less that of the denominator */
  uint32_t numerator;   /* float: mantissa of |cost| with its leading one; else 0 */
  uint32_t denominator; /* float: mantissa of size x staleness; else 0 */
  uint32_t negative;
};

/* value > 0 */
static inline uint32_t score_exponent(uint64_t value) { return 63u - (uint32_t)__builtin_clzll(value); }

/* The `bits` bits after the leading one. */
static inline uint32_t score_fraction(uint64_t value, uint32_t exponent, uint32_t bits) {
  const uint64_t aligned = exponent >= bits ? value >> (exponent - bits) : value << (bits - exponent);
  return (uint32_t)aligned & ((UINT32_C(1) << bits) - 1u);
}

/* The table of the format's segments and bits, 0 <= index <= segments; see rtl/regs/generate_log2.py. */
static inline uint32_t score_log2_entry(const struct score_format* format, uint32_t index) {
  static const uint32_t entries[] = SCORING_UNIT_LOG2_ENTRIES;
  const uint32_t surplus = SCORING_UNIT_LOG2_FRACTION_BITS - format->fraction;
  const uint32_t entry = entries[index << (SCORING_UNIT_LOG2_SEGMENT_BITS - format->segments)];
  return (entry + (UINT32_C(1) << (surplus - 1u))) >> surplus;
}

/* Logarithm of value > 0, with format->fraction bits after the point. */
static inline uint32_t score_log2(const struct score_format* format, uint64_t value) {
  const uint32_t exponent = score_exponent(value);
  const uint32_t fraction = score_fraction(value, exponent, format->fraction);
  const uint32_t whole = exponent << format->fraction;
  if (format->kind == SCORING_UNIT_PARAMS_ARITHMETIC_MITCHELL) return whole + fraction;
  const uint32_t rest_bits = format->fraction - format->segments;
  const uint32_t index = fraction >> rest_bits;
  const uint32_t rest = fraction & ((UINT32_C(1) << rest_bits) - 1u);
  const uint32_t base = score_log2_entry(format, index);
  if (rest == 0) return whole + base;
  const uint32_t slope = score_log2_entry(format, index + 1u) - base;
  return whole + base + (uint32_t)(((uint64_t)slope * rest) >> rest_bits);
}

/* value > 0 to a mantissa of bits + 1 bits, nearest, ties to even; *exponent is raised by that of the leading one. */
static inline uint32_t score_round(uint64_t value, uint32_t bits, int32_t* exponent) {
  uint32_t leading = score_exponent(value);
  uint64_t mantissa;
  if (leading <= bits) {
    mantissa = value << (bits - leading);
  } else {
    const uint32_t surplus = leading - bits;
    const uint64_t half = UINT64_C(1) << (surplus - 1u);
    const uint64_t rest = value & ((half << 1) - 1u);
    mantissa = value >> surplus;
    if (rest > half || (rest == half && (mantissa & 1u) != 0)) ++mantissa;
    if (mantissa >> (bits + 1u) != 0) {
      mantissa >>= 1;
      ++leading;
    }
  }
  *exponent += (int32_t)leading;
  return (uint32_t)mantissa;
}

/* magnitude, size, staleness > 0 */
static inline struct score_key score_key_of(const struct score_format* format, uint64_t magnitude, uint32_t negative,
                                            uint64_t size, uint64_t staleness) {
  struct score_key key = {0, 0, 0, negative};
  if (format->kind != SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT) {
    key.exponent = (int32_t)(score_log2(format, magnitude) - score_log2(format, size) - score_log2(format, staleness));
    return key;
  }
  const uint32_t bits = format->fraction;
  int32_t denominator = 0;
  const uint64_t size_mantissa = score_round(size, bits, &denominator);
  const uint64_t staleness_mantissa = score_round(staleness, bits, &denominator);
  denominator -= (int32_t)(2u * bits); /* the product's leading one brings them back */
  key.denominator = score_round(size_mantissa * staleness_mantissa, bits, &denominator);
  key.numerator = score_round(magnitude, bits, &key.exponent);
  key.exponent -= denominator;
  return key;
}

/* -1, 0, 1: |h| of a is smaller than, equal to, larger than that of b. */
static inline int score_compare_magnitudes(const struct score_key* a, const struct score_key* b) {
  const int32_t distance = a->exponent - b->exponent;
  if (a->denominator == 0 || distance < -1 || distance > 1) { /* a product of mantissas is below 4 x any other */
    return distance < 0 ? -1 : distance > 0 ? 1 : 0;
  }
  const uint64_t left = ((uint64_t)a->numerator * b->denominator) << (distance == 1 ? 1 : 0);
  const uint64_t right = ((uint64_t)b->numerator * a->denominator) << (distance == -1 ? 1 : 0);
  return left < right ? -1 : left > right ? 1 : 0;
}

/* -1, 0, 1: h of a is smaller than, equal to, larger than that of b. */
static inline int score_compare(const struct score_key* a, const struct score_key* b) {
  if (a->negative != b->negative) return a->negative != 0 ? -1 : 1;
  return a->negative != 0 ? -score_compare_magnitudes(a, b) : score_compare_magnitudes(a, b);
}

#ifdef __cplusplus
}
#endif

#endif /* DTRMC_RTL_MODEL_SCORE_KEY_H_ */
