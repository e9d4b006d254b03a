// SPDX-License-Identifier: Apache-2.0
#include "host/trace/instruction.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/trace/schedule.h"
#include "host/trace/trace_error.h"

namespace dtrmc::trace {

static_assert(LineReader::kPadding >= simdjson::SIMDJSON_PADDING);

namespace {

// Names end up in line-oriented lists (`p CLOCK NAME`), where a control character would forge a line.
bool printable(std::string_view name) {
  return std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

} // namespace

void InstructionReader::fail(const std::string& reason) const {
  throw TraceError(lines_.file(), lines_.line_number(), reason);
}

bool InstructionReader::next() {
  std::string_view line;
  if (!lines_.next(line)) return false;
  simdjson::dom::element root;
  // The line reader keeps the padding readable, so nothing is copied.
  const auto error = parser_.parse(line.data(), line.size(), false).get(root);
  if (error == simdjson::NUMBER_ERROR) fail("a number is malformed or beyond 2^62; sizes are bytes, costs nanoseconds");
  if (error != simdjson::SUCCESS) {
    fail(fmt::format("not JSON ({}); a simrd log holds one JSON object a line", simdjson::error_message(error)));
  }
  if (root.get(object_) != simdjson::SUCCESS) fail("not a JSON object; a simrd log holds one JSON object a line");
  kind_ = text("INSTRUCTION");
  return true;
}

simdjson::dom::element InstructionReader::field(const char* name) {
  simdjson::dom::element value;
  if (object_.at_key(name).get(value) != simdjson::SUCCESS) {
    fail(fmt::format("{} lacks the field {}; is the line cut off?", kind_.empty() ? "the line" : kind_, name));
  }
  return value;
}

std::string InstructionReader::text(const char* name) {
  std::string_view value;
  if (field(name).get(value) != simdjson::SUCCESS) fail(fmt::format("{} is not a string", name));
  if (!printable(value)) fail(fmt::format("{} {} holds control characters; rename it", name, in_quotes(value)));
  return std::string(value);
}

std::vector<std::string> InstructionReader::names(const char* name) {
  simdjson::dom::array array;
  if (field(name).get(array) != simdjson::SUCCESS) fail(fmt::format("{} is not an array of names", name));
  std::vector<std::string> out;
  for (const simdjson::dom::element element : array) {
    std::string_view value;
    if (element.get(value) != simdjson::SUCCESS) fail(fmt::format("{} holds something that is not a string", name));
    if (!printable(value)) fail(fmt::format("{} {} holds control characters; rename it", name, in_quotes(value)));
    out.emplace_back(value);
  }
  return out;
}

std::vector<std::int64_t> InstructionReader::indices(const char* name) {
  simdjson::dom::array array;
  if (field(name).get(array) != simdjson::SUCCESS) fail(fmt::format("{} is not an array of integers", name));
  std::vector<std::int64_t> out;
  for (const simdjson::dom::element element : array) out.push_back(integer(element, name));
  return out;
}

std::uint64_t InstructionReader::quantity(const char* name) {
  const std::int64_t value = integer(field(name), name);
  if (value < 0) fail(fmt::format("{} is negative ({})", name, value));
  return static_cast<std::uint64_t>(value);
}

std::int64_t InstructionReader::index(const char* name) { return integer(field(name), name); }

std::int64_t InstructionReader::integer(simdjson::dom::element value, const char* name) {
  constexpr auto kMax = static_cast<std::int64_t>(kMaxQuantity);
  const auto too_large = [&](std::string_view text) {
    fail(fmt::format("{} {} is beyond 2^62; sizes are bytes, costs nanoseconds", name, text));
  };
  std::int64_t number = 0;
  std::uint64_t large = 0;
  std::string_view digits;
  if (value.get(number) == simdjson::SUCCESS) {
    if (number > kMax) too_large(std::to_string(number));
    return number;
  }
  if (value.get(large) == simdjson::SUCCESS) too_large(std::to_string(large));
  if (value.get(digits) != simdjson::SUCCESS) {
    fail(fmt::format("{} is neither a whole number nor a string of decimal digits", name));
  }
  const bool negative = !digits.empty() && digits.front() == '-';
  const std::string_view magnitude = digits.substr(negative ? 1 : 0);
  if (magnitude.empty() ||
      !std::all_of(magnitude.begin(), magnitude.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    fail(fmt::format("{} {} is not a whole number in decimal digits", name, in_quotes(digits)));
  }
  for (const char c : magnitude) {
    const std::int64_t digit = c - '0';
    if (number > (kMax - digit) / 10) too_large(in_quotes(digits));
    number = number * 10 + digit;
  }
  return negative ? -number : number;
}

} // namespace dtrmc::trace
