// SPDX-License-Identifier: Apache-2.0
// A text output that grows line by line and survives interruption: whoever opens it again goes on behind its last
// whole line. One process at a time (flock).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/record/atomic_file.h"

namespace dtrmc::record {

class AppendFile {
 public:
  // Opens or makes the file and locks it; a last line without its end (an interrupted write) is cut off at the first
  // append(). Throws FileError, also where another process holds the lock.
  explicit AppendFile(const std::string& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Visits the whole lines that are there, without their ends. The number counts from 1.
  void for_each_line(const std::function<void(std::size_t number, std::string_view line)>& visit) const;

  // Writes whole lines, now. Where that fails (full disk) none of them stays, and it throws FileError.
  void append(std::string_view lines);

  // Replaces the whole content at once: whoever reads sees the old or the new one. Keeps the lock. Throws FileError.
  void replace(std::string_view content);

  // Forces what was written to the disk. Throws FileError.
  void sync();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  void open_and_lock();

  std::string path_;
  int file_ = -1;
  std::uint64_t end_ = 0; // bytes: behind the last whole line
};

} // namespace dtrmc::record
