// SPDX-License-Identifier: Apache-2.0
// The traces that claims are about, each read once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "host/sim/simulator.h"
#include "host/trace/schedule.h"

namespace dtrmc::papers {

struct LoadedTrace {
  std::string path;
  trace::Schedule schedule;
  sim::Topology topology;
  std::uint64_t peak = 0; // bytes, unlimited run of v2-eager
  LoadedTrace(std::string path, trace::Schedule schedule);

  std::uint64_t budget(const std::string& ratio) const; // bytes: floor(peak x ratio)
};

class TraceStore {
 public:
  // `find` gives the path of a name.
  explicit TraceStore(std::function<std::string(const std::string& name)> find) : find_(std::move(find)) {}

  // Reads it where that was not done yet. Throws trace::TraceError. Not for several threads at a time.
  const LoadedTrace& load(const std::string& name);
  const LoadedTrace& of(const std::string& name) const { return *traces_.at(name); } // once loaded

 private:
  std::function<std::string(const std::string&)> find_;
  std::map<std::string, std::unique_ptr<LoadedTrace>> traces_;
};

} // namespace dtrmc::papers
