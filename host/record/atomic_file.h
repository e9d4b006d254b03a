// SPDX-License-Identifier: Apache-2.0
// An output file that appears whole or not at all.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

namespace dtrmc::record {

// One line, "PATH: cannot be written: REASON".
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Writes to a temporary file beside `path`; commit() puts it in place, anything else leaves no trace of it.
// A path that exists and is no ordinary file (/dev/stdout, a pipe) is written directly.
class AtomicFile {
 public:
  // Throws FileError at once where the file cannot be made.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() { return stream_; }
  void commit(); // throws FileError (full disk, ...); then the file is not there

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string temporary_; // empty: written directly
  std::ofstream stream_;
  bool committed_ = false;
};

} // namespace dtrmc::record
