// SPDX-License-Identifier: Apache-2.0
// The file of a sweep: a header with all that decides its content, then one point a row, appended as they come, as JSON
// lines or (name ending in .csv) as CSV with the header in a comment. A sweep that was interrupted finds its points
// here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/record/append_file.h"

namespace dtrmc::sweep {

using Json = nlohmann::ordered_json;

// Header entry "traces": an object with one entry per trace. It may grow when a sweep is gone on with (a trace that was
// broken is not in it); everything else stays.
inline constexpr const char* kTraces = "traces";

class ResultFile {
 public:
  // Opens or makes the file; calls visit for each row there, as an object with all columns. `columns`: the keys of
  // every row, in order. Throws record::FileError: another header, a line that is no row, another process writing.
  ResultFile(const std::string& path, const Json& header, std::vector<std::string> columns,
             const std::function<void(const Json& row)>& visit);

  // Appends the row now. Throws record::FileError (full disk); then nothing of the row is there.
  void add(const Json& row);

  // Rewrites all rows by ascending places, once the sweep is complete.
  using Order = std::function<std::pair<std::size_t, std::uint64_t>(const Json& row)>;
  void sort(const Order& place);

 private:
  std::string head() const;
  std::string line(const Json& row) const;
  Json parse(std::string_view line, std::size_t number) const;
  void check_header(std::string_view line);
  [[noreturn]] void refuse(std::size_t number, const std::string& reason) const;

  record::AppendFile file_;
  bool csv_;
  bool rewrite_ = false; // the header in the file has fewer traces
  Json header_;
  std::vector<std::string> columns_;
};

} // namespace dtrmc::sweep
