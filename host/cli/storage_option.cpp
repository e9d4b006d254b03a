// SPDX-License-Identifier: Apache-2.0
#include "host/cli/storage_option.h"

#include <fmt/format.h>

#include <charconv>

#include "host/cli/usage_error.h"
#include "host/trace/trace_error.h"

namespace dtrmc::cli {

trace::StorageId find_storage(const trace::Schedule& schedule, const std::string& text, const char* option) {
  for (trace::StorageId s = 0; s < schedule.storages.size(); ++s) {
    if (schedule.storage_name(s) == text) return s;
  }
  const char* begin = text.data() + (text.size() > 1 && text[0] == '#' ? 1 : 0);
  const char* end = text.data() + text.size();
  trace::TensorId number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && stop == end && number < schedule.tensors.size()) return schedule.tensors[number].storage;
  throw UsageError(
      fmt::format("{} {}: trace {} has no such storage; give the name of its first tensor, or the number "
                  "of a tensor on it, below {}",
                  option, trace::in_quotes(text), schedule.name, schedule.tensors.size()));
}

} // namespace dtrmc::cli
