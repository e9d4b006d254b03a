// SPDX-License-Identifier: Apache-2.0
#include "host/sweep/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host/sweep/csv.h"

namespace dtrmc::sweep {

namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

ResultFile::ResultFile(const std::string& path, const Json& header, std::vector<std::string> columns,
                       const std::function<void(const Json& row)>& visit)
    : file_(path), csv_(ends_with(path, ".csv")), header_(header), columns_(std::move(columns)) {
  const std::size_t head_lines = csv_ ? 2 : 1;
  std::size_t lines = 0;
  std::vector<std::string> rows;
  file_.for_each_line([&](std::size_t number, std::string_view text) {
    lines = number;
    if (number == 1) {
      check_header(text);
      return;
    }
    if (number <= head_lines) {
      if (text != csv_line(columns_)) refuse(number, "its columns are others");
      return;
    }
    const Json row = parse(text, number);
    rows.emplace_back(text);
    visit(row);
  });
  if (lines == 0) {
    file_.append(head());
  } else if (rewrite_ || lines < head_lines) { // a trace more, or cut off within the head
    std::string content = head();
    for (const std::string& row : rows) content += row + "\n";
    file_.replace(content);
  }
}

std::string ResultFile::head() const {
  return csv_ ? "# " + header_.dump() + "\n" + csv_line(columns_) + "\n" : header_.dump() + "\n";
}

std::string ResultFile::line(const Json& row) const {
  if (!csv_) return row.dump() + "\n";
  std::vector<std::string> cells;
  for (const std::string& column : columns_) {
    const Json& value = row.at(column);
    cells.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
  }
  return csv_line(cells) + "\n";
}

Json ResultFile::parse(std::string_view text, std::size_t number) const {
  Json row;
  if (csv_) {
    const std::optional<std::vector<std::string>> cells = parse_csv_line(text);
    if (!cells || cells->size() != columns_.size()) refuse(number, "not a row of this sweep");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = (*cells)[i];
      const Json value = Json::parse(cell, nullptr, false);
      row[columns_[i]] = cell.empty() ? Json(nullptr) : value.is_primitive() ? value : Json(cell);
    }
    return row;
  }
  row = Json::parse(text, nullptr, false);
  if (!row.is_object() || row.size() != columns_.size()) refuse(number, "not a row of this sweep");
  for (const std::string& column : columns_) {
    if (!row.contains(column)) refuse(number, fmt::format("not a row of this sweep: {} is missing", column));
  }
  return row;
}

void ResultFile::check_header(std::string_view text) {
  if (csv_ && text.substr(0, 2) == "# ") text.remove_prefix(2);
  const Json there = Json::parse(text, nullptr, false);
  if (!there.is_object() || !there.contains("dtrmc") || there["dtrmc"] != "sweep" || !there.contains(kTraces) ||
      !there[kTraces].is_object()) {
    refuse(1, "it is not a sweep of dtrmc");
  }
  for (const auto& [key, value] : there.items()) {
    if (!header_.contains(key)) refuse(1, fmt::format("it holds another sweep: {} is unknown here", key));
  }
  for (const auto& [key, value] : header_.items()) {
    if (!there.contains(key)) refuse(1, fmt::format("it holds another sweep: {} is missing there", key));
    if (key == kTraces || there[key] == value) continue;
    refuse(1, fmt::format("it holds another sweep: {} is {} there, {} here", key, there[key].dump(), value.dump()));
  }
  for (const auto& [name, trace] : there[kTraces].items()) {
    if (!header_[kTraces].contains(name)) {
      header_[kTraces][name] = trace; // of rows that stay, though the trace cannot be read now
    } else if (header_[kTraces][name] != trace) {
      refuse(1, fmt::format("it holds another sweep: trace {} is {} there, {} here", name, trace.dump(),
                            header_[kTraces][name].dump()));
    }
  }
  rewrite_ = there[kTraces].size() != header_[kTraces].size();
}

void ResultFile::add(const Json& row) { file_.append(line(row)); }

void ResultFile::sort(const Order& place) {
  std::vector<std::pair<std::pair<std::size_t, std::uint64_t>, std::string>> rows;
  const std::size_t head_lines = csv_ ? 2 : 1;
  file_.for_each_line([&](std::size_t number, std::string_view text) {
    if (number > head_lines) rows.emplace_back(place(parse(text, number)), text);
  });
  if (!std::is_sorted(rows.begin(), rows.end())) {
    std::sort(rows.begin(), rows.end());
    std::string content = head();
    for (const auto& row : rows) content += row.second + "\n";
    file_.replace(content);
  }
  file_.sync();
}

void ResultFile::refuse(std::size_t number, const std::string& reason) const {
  throw record::FileError(
      fmt::format("{}:{}: {}; give another name with -o, or remove the file", file_.path(), number, reason));
}

} // namespace dtrmc::sweep
