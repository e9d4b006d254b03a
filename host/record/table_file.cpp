// SPDX-License-Identifier: Apache-2.0
#include "host/record/table_file.h"

#include <fmt/format.h>

#include <cmath>

namespace dtrmc::record {

namespace {

bool ends_in(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string csv_string(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

} // namespace

bool TableFile::is_json(const std::string& path) {
  std::string_view name = path;
  if (ends_in(name, ".gz")) name.remove_suffix(3);
  if (ends_in(name, ".csv")) return false;
  if (ends_in(name, ".jsonl") || ends_in(name, ".ndjson")) return true;
  throw FileError(fmt::format("{}: the extension decides the format: use .csv or .jsonl, also with .gz", path));
}

TableFile::TableFile(const std::string& path, std::vector<std::string> columns)
    : columns_(std::move(columns)), json_(is_json(path)), file_(path) {
  if (!json_) file_.write(fmt::format("{}\n", fmt::join(columns_, ",")));
}

void TableFile::put(std::string_view text, bool quote) {
  if (json_) {
    line_ += line_.empty() ? "{" : ",";
    line_ += json_string(columns_.at(next_));
    line_ += ':';
    line_ += quote ? json_string(text) : std::string(text);
  } else {
    if (next_ != 0) line_ += ',';
    line_ += quote ? csv_string(text) : std::string(text);
  }
  ++next_;
}

TableFile& TableFile::cell(std::string_view text) {
  put(text, true);
  return *this;
}

TableFile& TableFile::cell(std::uint64_t number) {
  put(fmt::format("{}", number), false);
  return *this;
}

TableFile& TableFile::cell(double number) {
  put(fmt::format("{}", number), !std::isfinite(number));
  return *this;
}

TableFile& TableFile::empty() {
  if (!json_ && next_ != 0) line_ += ',';
  ++next_;
  return *this;
}

void TableFile::end_row() {
  while (next_ < columns_.size()) empty();
  if (json_) line_ += line_.empty() ? "{}" : "}";
  line_ += '\n';
  file_.write(line_);
  line_.clear();
  next_ = 0;
}

} // namespace dtrmc::record
