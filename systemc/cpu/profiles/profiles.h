// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systemc/cpu/timing_profile.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& ibex_small();
const TimingProfile& ibex_maxperf();
const TimingProfile& picorv32();
const TimingProfile& cv32e40p();

} // namespace dtrmc::cpu::profiles
