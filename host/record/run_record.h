// SPDX-License-Identifier: Apache-2.0
// The outcome of one run in the golden records' fields, and the collector that derives most of them from events.
#pragma once

#include <cstdint>
#include <string>

namespace dtrmc::record {

enum class Status : std::uint8_t { kOk, kOom, kThrash, kMetadataFull };
const char* to_string(Status status); // ok, oom, thrash, metadata_full

struct RunRecord {
  Status status = Status::kOk;
  std::uint64_t clock = 1;         // ns
  std::uint64_t model_compute = 0; // ns, first runs
  std::uint64_t remat_compute = 0; // ns, rematerialisations
  std::uint64_t max_memory = 0;    // bytes
  std::uint64_t policy_evictions = 0;
  std::uint64_t all_evictions = 0;
  std::uint64_t distinct_evicted = 0;
  std::uint64_t heuristic_evals = 0; // simulator only
  std::string policy_sha256;         // hex, over "p CLOCK NAME\n"
  std::string all_sha256;            // hex, over policy and eager lines
};

} // namespace dtrmc::record
