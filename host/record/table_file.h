// SPDX-License-Identifier: Apache-2.0
// A table written row by row: CSV (RFC 4180, a header line first) or JSON lines (one object a row), by the file's
// extension: .csv, .jsonl or .ndjson, each also with .gz.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/record/output_file.h"

namespace dtrmc::record {

class TableFile {
 public:
  // Throws FileError, also for another extension.
  TableFile(const std::string& path, std::vector<std::string> columns);

  // The cells of a row in the order of the columns; end_row() leaves the rest of them empty.
  TableFile& cell(std::string_view text);
  TableFile& cell(std::uint64_t number);
  TableFile& cell(double number);            // shortest text that reads back the same; "inf" and "-inf" as text
  TableFile& number(std::string_view text) { // as it stands; a valid JSON number
    put(text, false);
    return *this;
  }
  TableFile& cell(bool value) { return cell(std::uint64_t{value ? 1u : 0u}); }
  TableFile& cell(const char* text) { return cell(std::string_view(text)); }
  TableFile& empty(); // CSV: nothing between the commas; JSON: the key is left out
  void end_row();

  void commit() { file_.commit(); } // throws FileError

 private:
  void put(std::string_view text, bool quote);
  static bool is_json(const std::string& path);

  std::vector<std::string> columns_;
  bool json_;
  OutputFile file_;
  std::size_t next_ = 0; // column
  std::string line_;
};

} // namespace dtrmc::record
