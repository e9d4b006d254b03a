// SPDX-License-Identifier: Apache-2.0
#include "host/papers/loaded_trace.h"

#include <cstdlib>
#include <utility>

#include "host/trace/parser.h"

namespace dtrmc::papers {

LoadedTrace::LoadedTrace(std::string p, trace::Schedule s)
    : path(std::move(p)),
      schedule(std::move(s)),
      topology(schedule),
      peak(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)) {}

std::uint64_t LoadedTrace::budget(const std::string& ratio) const {
  return static_cast<std::uint64_t>(static_cast<double>(peak) * std::strtod(ratio.c_str(), nullptr));
}

const LoadedTrace& TraceStore::load(const std::string& name) {
  std::unique_ptr<LoadedTrace>& trace = traces_[name];
  if (!trace) {
    const std::string path = find_(name);
    trace = std::make_unique<LoadedTrace>(path, trace::parse_file(path));
  }
  return *trace;
}

} // namespace dtrmc::papers
