// SPDX-License-Identifier: Apache-2.0
#include "host/trace/trace_error.h"

#include <fmt/format.h>

namespace dtrmc::trace {

namespace {

std::string escaped(std::string_view text, std::size_t limit) {
  std::string out;
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  if (text.size() > limit) out += "...";
  return out;
}

std::string message(const std::string& file, std::uint64_t line, const std::string& reason) {
  const std::string where = escaped(file, 4096);
  return line == 0 ? fmt::format("{}: {}", where, reason) : fmt::format("{}:{}: {}", where, line, reason);
}

} // namespace

TraceError::TraceError(const std::string& file, std::uint64_t line, const std::string& reason)
    : std::runtime_error(message(file, line, reason)), line_(line) {}

std::string in_quotes(std::string_view text) { return "'" + escaped(text, 60) + "'"; }

} // namespace dtrmc::trace
