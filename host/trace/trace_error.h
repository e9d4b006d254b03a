// SPDX-License-Identifier: Apache-2.0
// What is wrong with a trace file, where, and what to do about it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dtrmc::trace {

// what() is one line, "file:line: reason" (or "file: reason" where no line is to blame), free of control characters.
class TraceError : public std::runtime_error {
 public:
  // `line` counts from 1; 0: the file as a whole.
  TraceError(const std::string& file, std::uint64_t line, const std::string& reason);
  std::uint64_t line() const { return line_; }

 private:
  std::uint64_t line_;
};

// Text of unknown origin made fit for a one-line message: control characters and non-ASCII bytes escaped, long text
// cut, in single quotes.
std::string in_quotes(std::string_view text);

} // namespace dtrmc::trace
