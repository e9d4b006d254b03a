// SPDX-License-Identifier: Apache-2.0
// Registers the units added with TEST_ONLY in programs that link this object.
#include "rtl/model/registry.h"

namespace dtrmc::unit {

#define DTRMC_UNIT(identifier, name, parameters) std::unique_ptr<RtlUnit> make_##identifier();
#include "dtrmc_units_test.inc"
#undef DTRMC_UNIT

namespace {

#define DTRMC_UNIT(identifier, name, parameters) {name, &make_##identifier, parameters},
[[maybe_unused]] const bool registered = add_hidden_units({
#include "dtrmc_units_test.inc"
});
#undef DTRMC_UNIT

} // namespace
} // namespace dtrmc::unit
