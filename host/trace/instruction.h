// SPDX-License-Identifier: Apache-2.0
// One line of the log as typed fields: JSON errors, missing fields, wrong types and numbers out of range are found
// here; what the fields mean to each other is the parser's business.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/trace/line_reader.h"

namespace dtrmc::trace {

class InstructionReader {
 public:
  explicit InstructionReader(LineReader& lines) : lines_(lines) {}

  // Reads the next instruction; false at the end of the file.
  bool next();

  // INSTRUCTION of the current line.
  const std::string& kind() const { return kind_; }

  // Fields of the current line. Throw TraceError where absent or of another type.
  std::string text(const char* field);
  std::vector<std::string> names(const char* field);    // array of strings
  std::vector<std::int64_t> indices(const char* field); // array of integers (decimal strings accepted)
  std::uint64_t quantity(const char* field);            // integer or decimal string, 0 .. kMaxQuantity
  std::int64_t index(const char* field);                // integer or decimal string, may be negative

  [[noreturn]] void fail(const std::string& reason) const; // at the current line
  std::uint64_t line_number() const { return lines_.line_number(); }
  const LineReader& lines() const { return lines_; }

 private:
  simdjson::dom::element field(const char* name);
  std::int64_t integer(simdjson::dom::element value, const char* name);

  LineReader& lines_;
  simdjson::dom::parser parser_;
  simdjson::dom::object object_;
  std::string kind_;
};

} // namespace dtrmc::trace
