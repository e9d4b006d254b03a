// SPDX-License-Identifier: Apache-2.0
#include "host/papers/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dtrmc::papers {

namespace {

struct Decimal {
  double value = 0;
  double unit = 1; // of the last digit
  int digits = 0;
};

bool parse(const std::string& text, Decimal& out) {
  char* end = nullptr;
  out.value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(out.value)) return false;
  int after_point = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      point = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      ++out.digits;
      if (point) ++after_point;
    }
  }
  const int exponent = i < text.size() ? std::atoi(text.c_str() + i + 1) : 0;
  out.unit = std::pow(10.0, exponent - after_point);
  return true;
}

} // namespace

bool agrees(const std::string& published, const Json& ours) {
  Decimal decimal;
  if (!ours.is_number() || !parse(published, decimal)) return published == shown(ours);
  if (ours.is_number_unsigned() && published.find_first_not_of("0123456789") == std::string::npos) {
    return published == fmt::format("{}", ours.get<std::uint64_t>());
  }
  const double value = ours.get<double>();
  if (decimal.digits >= 16) return value == decimal.value;
  return std::fabs(value - decimal.value) <= 0.5 * decimal.unit * (1 + 1e-9);
}

Json part_of(const Json& value, const std::string& path) {
  Json at = value;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find_first_of(".[", begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (!key.empty()) {
      if (at.is_object() && at.contains(key)) {
        at = Json(at[key]);
      } else if (at.is_array() && key.find_first_not_of("0123456789") == std::string::npos &&
                 std::stoul(key) < at.size()) {
        at = Json(at[std::stoul(key)]);
      } else {
        return nullptr;
      }
    }
    begin = end + 1;
    if (end == path.size() || path[end] != '[') continue;
    const std::size_t close = std::min(path.find(']', begin), path.size());
    const std::string wanted = path.substr(begin, close - begin);
    begin = close + 1;
    Json found;
    for (const Json& element : at) {
      bool all = true;
      for (std::size_t b = 0; b < wanted.size();) {
        const std::size_t e = std::min(wanted.find(',', b), wanted.size());
        const std::size_t equals = std::min(wanted.find('=', b), e);
        const Json have = part_of(element, wanted.substr(b, equals - b));
        all = all && equals < e && shown(have) == wanted.substr(equals + 1, e - equals - 1);
        b = e + 1;
      }
      if (all) {
        found = element;
        break;
      }
    }
    at = found;
  }
  return at;
}

std::string shown(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

} // namespace dtrmc::papers
