// SPDX-License-Identifier: Apache-2.0
// The runs that claims need: each is made once, however many claims ask for it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "host/papers/loaded_trace.h"
#include "host/papers/published.h"

namespace dtrmc::papers {

struct RunKey {
  std::string trace;
  std::string heuristic;
  std::string ratio;                     // as published
  std::string limit;                     // of the overhead
  std::vector<trace::TensorId> retained; // storages by their first tensor
  bool operator<(const RunKey& o) const {
    return std::tie(trace, heuristic, ratio, limit, retained) <
           std::tie(o.trace, o.heuristic, o.ratio, o.limit, o.retained);
  }
};

struct ExplainKey {
  std::string trace;
  std::string heuristic;
  std::string works;
  std::string fails;
  std::string limit;
  bool operator<(const ExplainKey& o) const {
    return std::tie(trace, heuristic, works, fails, limit) < std::tie(o.trace, o.heuristic, o.works, o.fails, o.limit);
  }
};

// What a run evicts while one operator is executed.
struct StepKey {
  RunKey run;
  trace::OperatorId op = 0;
  bool operator<(const StepKey& o) const { return std::tie(run, op) < std::tie(o.run, o.op); }
};

struct RunOutcome {
  bool supported = true;             // the heuristic is known
  Json fields;                       // as dtrmc sim --json, with overhead and failure
  std::vector<std::uint8_t> evicted; // by storage
};

class Runs {
 public:
  void want(const RunKey& key) { runs_[key]; }
  void want(const ExplainKey& key) { explanations_[key]; }
  void want(const StepKey& key) { steps_[key]; }
  // Makes all of them, `jobs` at a time.
  void make(TraceStore& traces, unsigned jobs, const std::function<void(std::size_t, std::size_t)>& progress);

  const RunOutcome& of(const RunKey& key) const { return runs_.at(key); }
  const Json& of(const ExplainKey& key) const { return explanations_.at(key); }
  const Json& of(const StepKey& key) const { return steps_.at(key); } // {} where the heuristic is unknown

 private:
  static void make_run(const LoadedTrace& trace, const RunKey& key, RunOutcome& out);
  static void make_explanation(const LoadedTrace& trace, const ExplainKey& key, Json& out);
  static void make_step(const LoadedTrace& trace, const StepKey& key, Json& out);

  std::map<RunKey, RunOutcome> runs_;
  std::map<ExplainKey, Json> explanations_;
  std::map<StepKey, Json> steps_;
};

} // namespace dtrmc::papers
