// SPDX-License-Identifier: Apache-2.0
// The file of an atlas: a header line with all that decides its content, then one interval a line, ascending without
// gaps. It grows as intervals are found; an interrupted one is gone on with, if its header is the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "host/atlas/explore.h"
#include "host/record/append_file.h"

namespace dtrmc::atlas {

class AtlasFile {
 public:
  using Header = nlohmann::ordered_json;

  // Opens or makes the file; calls visit for each interval that is there. `from` and `to` are the line's ends. Throws
  // record::FileError: another header, a line that is no interval, a gap, another process writing, no permission.
  AtlasFile(const std::string& path, const Header& header, std::uint64_t baseline_compute, std::uint64_t from,
            std::uint64_t to, const std::function<void(const Interval&)>& visit);

  // First budget that is not covered; to + 1 once all are.
  std::uint64_t next() const { return next_; }

  // The interval that begins at next(). Kept back for up to a second, so a loss of power costs no more. Throws
  // record::FileError (full disk); then nothing of what was kept back is in the file.
  void add(const Interval& interval);
  void flush(); // writes what was kept back, to the disk itself

 private:
  record::AppendFile file_;
  std::uint64_t baseline_compute_;
  std::uint64_t next_;
  std::string kept_;
  std::chrono::steady_clock::time_point written_;
};

// What decides an atlas, in the words of its header line.
struct Subject {
  std::string version; // of dtrmc
  std::string trace;
  std::string trace_sha256;
  std::optional<double> overhead_limit;
  std::string baseline;               // self, simrd
  std::uint64_t baseline_peak = 0;    // bytes
  std::uint64_t baseline_compute = 0; // ns
  std::uint64_t from = 0;             // bytes, inclusive
  std::uint64_t to = 0;               // bytes, inclusive
};
AtlasFile::Header make_header(const Subject& subject, const sim::Settings& settings);

// The first thing that two headers do not agree on, as "KEY is A there, B here"; empty where they agree.
std::string header_difference(const AtlasFile::Header& there, const AtlasFile::Header& here);

} // namespace dtrmc::atlas
