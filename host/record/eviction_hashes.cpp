// SPDX-License-Identifier: Apache-2.0
#include "host/record/eviction_hashes.h"

#include <fmt/format.h>

#include <iterator>

namespace dtrmc::record {

std::string_view EvictionHashes::add(bool policy, std::uint64_t clock, std::string_view storage_name) {
  line_.clear();
  fmt::format_to(std::back_inserter(line_), "{} {} {}\n", policy ? 'p' : 'e', clock, storage_name);
  all_.update(line_);
  if (policy) policy_.update(line_);
  return line_;
}

void EvictionHashes::finish(RunRecord& record) {
  record.policy_sha256 = policy_.hex();
  record.all_sha256 = all_.hex();
}

} // namespace dtrmc::record
