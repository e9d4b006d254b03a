// SPDX-License-Identifier: Apache-2.0
// Eviction lines of the golden format, and the two hashes over them. A copy goes on from the lines so far.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/record/run_record.h"
#include "host/record/sha256.h"

namespace dtrmc::record {

class EvictionHashes {
 public:
  // Takes the line "p CLOCK NAME\n" (chosen by the heuristic) or "e CLOCK NAME\n"; returns it, valid until the next.
  std::string_view add(bool policy, std::uint64_t clock, std::string_view storage_name);

  // Sets the record's policy_sha256 and all_sha256, once; no line may follow.
  void finish(RunRecord& record);

 private:
  Sha256 policy_;
  Sha256 all_;
  std::string line_;
};

} // namespace dtrmc::record
