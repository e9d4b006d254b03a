// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace dtrmc::explain {

// Calls work(0) .. work(count - 1), up to `jobs` at a time, started in this order; the first exception is thrown again
// once the running ones ended.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

} // namespace dtrmc::explain
