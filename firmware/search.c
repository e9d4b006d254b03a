/* SPDX-License-Identifier: Apache-2.0
 * The rule (dtr-semantics section 4): the pool is scanned in order, the last entry with the smallest h wins, the
 * scan stops at the first h == 0, a zero denominator is +infinity.
 *
 * Exact comparison takes hundreds of cycles, so most entries are passed over by bounds with 15 leading bits, which
 * are kept per entry instead of being derived in every search. With gain = size / cost, 1/h = gain x staleness and
 * the smallest positive h is the largest 1/h. Kept per entry:
 *
 *   gain, gain_exponent   size / |cost| <= gain x 2^gain_exponent < size / |cost| x 1.00015 (1 + 2^-13)
 *   last_scaled           last access >> time_shift, so that staleness >> time_shift needs one subtraction of words
 *
 * An upper bound of an entry's 1/h is then one 32 x 32 multiplication, compared with a lower bound of the best's. Both
 * leave a margin of 2^-13, far above the 2^-51 within which rounding to binary64 matters: an entry that is passed
 * over has a larger rounded h. Entries that the bounds do not settle are compared exactly.
 */
#include "firmware/search.h"

#include "firmware/heuristic.h"
#include "firmware/quotient.h"

/* Exponents beyond all real ones (those lie within +-200) steer entries and bounds past each other. */
#define EXPONENT_BEST_NEGATIVE 10000 /* of a best with h < 0: every positive entry is passed over, */
#define EXPONENT_NEGATIVE 20000      /* entries with cost < 0 (offset) */
#define EXPONENT_ZERO 40000          /* and cost 0 are not */

#define COST_BITS 16u /* leading bits of the cost that are used */
#define SIZE_BITS 31u
#define GAIN_SHIFT 15u /* (31-bit size / 16-bit cost) << 15 fits 32 bits */

#define TIME_BITS 31u /* of the scaled clock */
/* Without staleness every entry counts the same made-up one, which keeps one loop for all. */
#define NO_STALENESS_NOW (UINT32_C(1) << TIME_BITS)

static inline uint32_t multiply_high(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b) >> 32); }

static inline bool is_quotient(void) { return fw.heuristic->uses_size || fw.heuristic->uses_staleness; }

static uint32_t leading_bits(uint64_t value, uint32_t bits, int32_t* exponent) {
  const uint32_t high = (uint32_t)(value >> 32);
  const uint32_t low = (uint32_t)value;
  uint32_t word; /* the leading 32 bits */
  uint32_t length;
  if (high == 0) {
    length = fw_bit_length32(low);
    word = low << (32 - length);
  } else {
    const uint32_t high_length = fw_bit_length32(high);
    length = 32 + high_length;
    word = high_length == 32 ? high : (high << (32 - high_length)) | (low >> high_length);
  }
  *exponent = (int32_t)length - (int32_t)bits;
  return word >> (32 - bits);
}

void fw_refresh_gain(struct fw_storage* storage) {
  storage->gain_stale = false;
  if (!is_quotient()) return;
  if (storage->size_lead == 0) { /* once: sizes never change */
    const uint64_t size = fw.heuristic->uses_size ? storage->size : 1;
    if (size == 0) { /* h is infinite; gain stays 0 */
      return;
    }
    storage->size_lead = leading_bits(size, SIZE_BITS, &storage->size_exponent) + 1;
  }
  const int64_t cost = storage->cost;
  if (cost == 0) {
    storage->gain = UINT32_MAX;
    storage->gain_exponent = EXPONENT_ZERO;
    return;
  }
  int32_t cost_exponent;
  const uint32_t cost_lead = leading_bits(cost < 0 ? 0 - (uint64_t)cost : (uint64_t)cost, COST_BITS, &cost_exponent);
  storage->gain = (storage->size_lead / cost_lead + 1) << GAIN_SHIFT;
  storage->gain_exponent =
      storage->size_exponent - cost_exponent - (int32_t)GAIN_SHIFT + (cost < 0 ? EXPONENT_NEGATIVE : 0);
}

/* Bounds of |1/h| as (word x 2^exponent), the scale of times being common to all entries. */
static inline uint32_t upper_bound(const struct fw_storage* storage, uint32_t now) {
  return multiply_high(storage->gain, now - storage->last_scaled) + 1;
}

static inline uint32_t lower_bound(const struct fw_storage* storage, uint32_t now) {
  const uint32_t elapsed = now - storage->last_scaled; /* rounded up, by less than 2 */
  return elapsed <= 2 ? 0 : multiply_high(storage->gain - (storage->gain >> 12), elapsed - 2);
}

/* a x 2^exponent < b for certain (a, b < 2^32) */
static bool is_below(uint32_t a, int32_t exponent, uint32_t b) {
  if (exponent >= 32) return a == 0 && b != 0;
  if (exponent <= -32) return b != 0;
  return exponent >= 0 ? a < (b >> exponent) : (a >> -exponent) < b;
}

void fw_search_begin(struct fw_best* best) {
  uint32_t shift = fw.time_shift;
  while ((fw.clock >> shift) >> TIME_BITS != 0) ++shift;
  if (fw.heuristic->uses_staleness) {
    if (shift != fw.time_shift) {
      fw.time_shift = (uint8_t)shift;
      for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
        storage->last_scaled = (uint32_t)(storage->last_access >> shift);
      }
    }
    best->now = (uint32_t)(fw.clock >> shift) + 1;
  } else {
    best->now = NO_STALENESS_NOW; /* last_scaled stays 0 */
  }
  best->finite = NULL;
  best->zero = NULL;
  best->infinite = NULL;
  best->exponent = 0;
  best->bound = 0; /* nothing is passed over yet */
}

static struct fw_quotient quotient_of(const struct fw_storage* storage) {
  struct fw_quotient quotient;
  quotient.cost = storage->cost;
  quotient.size = fw.heuristic->uses_size ? storage->size : 1;
  quotient.time = !fw.heuristic->uses_staleness     ? 1
                  : fw.clock > storage->last_access ? fw.clock - storage->last_access
                                                    : 0;
  return quotient;
}

/* -1, 0, 1 as h of a is smaller than, equal to, larger than that of b; both finite and not 0. */
static int compare(const struct fw_storage* a, const struct fw_storage* b, uint32_t now) {
  if (!is_quotient()) return a->cost == b->cost ? 0 : a->cost < b->cost ? -1 : 1;
  if ((a->cost < 0) != (b->cost < 0)) return a->cost < 0 ? -1 : 1;
  const int32_t exponent = a->gain_exponent - b->gain_exponent;
  /* Larger |1/h|: smaller h where positive, larger where negative. */
  const int smaller = a->cost < 0 ? 1 : -1;
  if (is_below(upper_bound(a, now), exponent, lower_bound(b, now))) return -smaller;
  if (is_below(upper_bound(b, now), -exponent, lower_bound(a, now))) return smaller;
  const struct fw_quotient left = quotient_of(a);
  const struct fw_quotient right = quotient_of(b);
  if (left.cost == right.cost && left.size == right.size) {
    if (left.time == right.time) return 0;
    /* Times below 2^50 make quotients that differ by more than rounding could hide (quotient.c). */
    if ((left.time | right.time) >> 50 == 0) return left.time > right.time ? smaller : -smaller;
  }
  return fw_quotient_compare(&left, &right);
}

/* Finite and not 0, under approximate arithmetic. */
static void consider_key(struct fw_best* best, struct fw_storage* storage) {
  const uint32_t negative = storage->cost < 0;
  const uint64_t magnitude = negative ? 0 - (uint64_t)storage->cost : (uint64_t)storage->cost;
  const struct score_key key =
      score_key_of(&fw.unit.format, magnitude, negative, fw.heuristic->uses_size ? storage->size : 1,
                   fw.heuristic->uses_staleness ? fw.clock - storage->last_access : 1);
  if (best->finite != NULL) {
    const int order = score_compare(&key, &best->key);
    if (order > 0 || (order == 0 && storage->order < best->finite->order)) return;
  }
  best->finite = storage;
  best->key = key;
}

static inline void consider(struct fw_best* best, struct fw_storage* storage, bool approximate) {
  if ((fw.heuristic->uses_size && storage->size == 0) ||
      (fw.heuristic->uses_staleness && fw.clock <= storage->last_access)) {
    if (best->infinite == NULL || storage->order > best->infinite->order) best->infinite = storage;
    return;
  }
  if (storage->cost == 0) {
    if (best->zero == NULL || storage->order < best->zero->order) best->zero = storage;
    return;
  }
  if (approximate) {
    consider_key(best, storage);
    return;
  }
  if (best->finite != NULL) {
    const int order = compare(storage, best->finite, best->now);
    if (order > 0 || (order == 0 && storage->order < best->finite->order)) return;
  }
  best->finite = storage;
  if (storage->cost < 0) {
    best->exponent = EXPONENT_BEST_NEGATIVE;
    best->bound = 1;
  } else {
    best->exponent = storage->gain_exponent;
    best->bound = lower_bound(storage, best->now);
  }
}

void fw_search_consider(struct fw_best* best, struct fw_storage* storage) { consider(best, storage, fw_approximate()); }

/* The same numbers, hence the same score. What most often differs comes first. */
static inline bool has_terms_of(const struct fw_storage* a, const struct fw_storage* b) {
  return a->gain == b->gain && a->last_scaled == b->last_scaled && a->cost == b->cost && a->size == b->size &&
         (a->last_access == b->last_access || !fw.heuristic->uses_staleness);
}

/* The loop that decides what a search costs: about 22 cycles for an entry that is passed over (README). NEXT is the
 * list's link; STOP ends the scan after an entry that was looked at. Equal layers make ties, so these are told before
 * anything is computed: only the order counts then. */
#define SCAN(FIRST, NEXT, STOP)                                                      \
  {                                                                                  \
    const uint32_t now = best->now;                                                  \
    int32_t exponent = best->exponent;                                               \
    uint32_t bound = best->bound;                                                    \
    struct fw_storage* finite = best->finite;                                        \
    for (struct fw_storage* storage = (FIRST); storage != NULL;) {                   \
      struct fw_storage* const entry = storage;                                      \
      const uint32_t product = multiply_high(entry->gain, now - entry->last_scaled); \
      const uint32_t shift = (uint32_t)exponent - (uint32_t)entry->gain_exponent;    \
      storage = entry->NEXT;                                                         \
      if (shift < 32) {                                                              \
        if ((product >> shift) < bound) continue;                                    \
      } else if ((int32_t)shift > 0) {                                               \
        if (bound != 0) continue; /* the entry's product vanishes beside it */       \
      } else if (0 - shift < 32 && product < (bound >> (0 - shift))) {               \
        continue;                                                                    \
      }                                                                              \
      if (finite != NULL && has_terms_of(entry, finite)) {                           \
        if (entry->order > finite->order) best->finite = finite = entry;             \
        continue;                                                                    \
      }                                                                              \
      consider(best, entry, false);                                                  \
      if (STOP) break;                                                               \
      finite = best->finite;                                                         \
      exponent = best->exponent;                                                     \
      bound = best->bound;                                                           \
    }                                                                                \
  }

void fw_search_outside(struct fw_best* best, struct fw_storage* first) {
  if (is_quotient() && !fw_approximate()) {
    SCAN(first, next_outside, false)
  } else {
    for (; first != NULL; first = first->next_outside) fw_search_consider(best, first);
  }
}

struct fw_storage* fw_search_pool(struct fw_best* best) {
  if (is_quotient() || fw_approximate()) {
    if (fw_approximate()) {
      for (struct fw_storage* storage = fw.pool_head; storage != NULL && best->zero == NULL; storage = storage->next) {
        fw_search_consider(best, storage);
      }
    } else {
      SCAN(fw.pool_head, next, best->zero != NULL)
    }
    /* Up to and including the first zero the last minimum wins: a negative entry before it, if there is one. */
    if (best->zero != NULL) return best->finite != NULL && best->finite->cost < 0 ? best->finite : best->zero;
    return best->finite != NULL ? best->finite : best->infinite;
  }
  struct fw_storage* minimum = fw.pool_head;
  for (struct fw_storage* storage = fw.pool_head; storage != NULL; storage = storage->next) {
    if (storage->cost <= minimum->cost) minimum = storage;
    if (storage->cost == 0) break;
  }
  return minimum;
}
