// SPDX-License-Identifier: Apache-2.0
#include "host/record/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "host/record/unfinished_files.h"

namespace dtrmc::record {

namespace fs = std::filesystem;

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path.empty()) fail("the name is empty");
  if (fs::is_directory(status)) fail("it is a directory");
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    // Replaces what a symbolic link points to, not the link.
    std::error_code error;
    const fs::path real = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
    if (!error) path_ = real.string();
    if (fs::exists(status) && access(path_.c_str(), W_OK) != 0) fail(std::strerror(errno));
    temporary_ = fmt::format("{}.tmp.{}", path_, getpid());
    register_unfinished(temporary_);
  }
  errno = 0;
  stream_.open(temporary_.empty() ? path_ : temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "it cannot be opened";
    forget_unfinished(temporary_);
    temporary_.clear();
    fail(reason);
  }
}

AtomicFile::~AtomicFile() {
  if (committed_ || temporary_.empty()) return;
  stream_.close();
  std::remove(temporary_.c_str());
  forget_unfinished(temporary_);
}

void AtomicFile::commit() {
  errno = 0;
  stream_.close(); // flushes; badbit of earlier writes stays set
  if (!stream_) fail(errno != 0 ? std::strerror(errno) : "writing failed; is the disk full?");
  if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
  forget_unfinished(temporary_);
  committed_ = true;
}

void AtomicFile::fail(const std::string& reason) const {
  throw FileError(fmt::format("{}: cannot be written: {}", path_, reason));
}

} // namespace dtrmc::record
