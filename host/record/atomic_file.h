// SPDX-License-Identifier: Apache-2.0
// An output file that appears whole or not at all.
#pragma once

#include <fstream>
#include <string>

namespace dtrmc::record {

// Writes to a temporary file beside `path`; commit() puts it in place, anything else leaves no trace of it.
// A path that exists and is no ordinary file (/dev/stdout, a pipe) is written directly.
class AtomicFile {
 public:
  // Throws std::runtime_error ("PATH: cannot be written: REASON") at once where the file cannot be made.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() { return stream_; }
  void commit(); // throws std::runtime_error (full disk, ...); then the file is not there

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string temporary_; // empty: written directly
  std::ofstream stream_;
  bool committed_ = false;
};

} // namespace dtrmc::record
