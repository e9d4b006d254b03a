// SPDX-License-Identifier: Apache-2.0
// The claims of the two seed papers, read from one data file, and what our runs say to each.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/papers/published.h"
#include "host/papers/regions.h"

namespace dtrmc::papers {

// The file of published values is not what it must be; one line.
class ClaimsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Verdict {
  kHolds,
  kDiffers,
  kOurs,        // unresolved in the paper: our outcome, no verdict
  kExact,       // what every single budget of the samples' range does, from an atlas; no verdict
  kUnsupported, // not known to this build; counts as not holding
};
const char* to_string(Verdict verdict); // holds, DIFFERS, ours, exact, unsupported

// One published value.
struct Finding {
  std::string claim;  // name
  std::string source; // where it was published
  std::string what;
  std::string published;
  std::string ours;
  Verdict verdict = Verdict::kHolds;
  Json exact; // of kExact: from, to, first_ok, stable_from, failure_regions; bytes
};

struct Options {
  std::string only; // claims whose name, source or trace contains it; empty: all
  unsigned jobs = 1;
  std::function<std::string(const std::string& name)> find_trace;    // path of a trace
  std::function<void(std::size_t done, std::size_t total)> progress; // may be empty; one call at a time
  bool atlas = false; // add exact regions beside sampled brackets: minutes to hours
  AtlasOptions atlas_options;
};

// The published values that were built in (host/papers/claims.json).
Json published_claims();

// Findings in the order of the file. `file` names it in errors. Throws ClaimsError, trace::TraceError,
// record::FileError (a kept atlas).
std::vector<Finding> check_claims(const Json& claims, const std::string& file, const Options& options);

bool all_hold(const std::vector<Finding>& findings); // kOurs and kExact do not count

} // namespace dtrmc::papers
