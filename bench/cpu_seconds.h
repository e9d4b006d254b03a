// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace dtrmc::bench {

// Processor time of this process so far: unlike the clock on the wall, not disturbed by what else the machine does.
inline double cpu_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace dtrmc::bench
