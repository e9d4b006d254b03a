// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/exact_arithmetic.h"

#include "rtl/model/cross_product.h"

namespace dtrmc::unit {

bool ExactArithmetic::first_wins_exactly(const Entry& a, const Entry& b, bool& near) const {
  const Product left = cross_product(a.magnitude, b.size, b.staleness);
  const Product right = cross_product(b.magnitude, a.size, a.staleness);
  const bool a_below = below(left, right);
  if (!a_below && !below(right, left)) return (a.order < b.order) == invert_ties_;
  const Product& larger = a_below ? right : left;
  const Product& smaller = a_below ? left : right;
  if (!below(shifted_right(larger, pkg::NEAR_SHIFT), minus(larger, smaller))) near = true;
  return a_below != a.negative;
}

} // namespace dtrmc::unit
