// SPDX-License-Identifier: Apache-2.0
#include "host/record/append_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace dtrmc::record {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

std::size_t read_at(int file, char* to, std::size_t size, std::uint64_t at) {
  for (;;) {
    const ssize_t got = ::pread(file, to, size, static_cast<off_t>(at));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

// 0 or errno
int write_at(int file, std::string_view text, std::uint64_t at) {
  while (!text.empty()) {
    const ssize_t put = ::pwrite(file, text.data(), text.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    if (put == 0) return ENOSPC;
    at += static_cast<std::uint64_t>(put);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

} // namespace

AppendFile::AppendFile(const std::string& path) : path_(path) {
  if (path.empty()) fail("the name is empty");
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) fail("it is a directory");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail("it is not an ordinary file, and only such a one can be gone on with");
  }
  // Replaces what a symbolic link points to, not the link.
  if (std::filesystem::exists(status)) path_ = std::filesystem::canonical(path, ignored).string();
  open_and_lock();

  struct stat info {};
  if (::fstat(file_, &info) != 0) fail(std::strerror(errno));
  end_ = static_cast<std::uint64_t>(info.st_size);
  std::array<char, kBlock> block{};
  while (end_ > 0) {
    const std::uint64_t begin = (end_ - 1) / kBlock * kBlock;
    const std::size_t size = read_at(file_, block.data(), end_ - begin, begin);
    if (size != end_ - begin) fail("it cannot be read");
    const auto last =
        std::find(std::make_reverse_iterator(block.data() + size), std::make_reverse_iterator(block.data()), '\n');
    end_ = begin + static_cast<std::uint64_t>(last.base() - block.data());
    if (last.base() != block.data()) break;
  }
}

AppendFile::~AppendFile() {
  if (file_ >= 0) ::close(file_);
}

void AppendFile::open_and_lock() {
  // The lock belongs to the inode; between opening and locking, replace() of another process may have put a new one in
  // its place.
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(std::strerror(errno));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      ::close(file_);
      file_ = -1;
      fail(reason == EWOULDBLOCK ? "another process is writing it" : std::strerror(reason));
    }
    struct stat ours {};
    struct stat named {};
    if (::fstat(file_, &ours) == 0 && ::stat(path_.c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
        ours.st_dev == named.st_dev) {
      return;
    }
    ::close(file_);
    file_ = -1;
  }
}

void AppendFile::for_each_line(const std::function<void(std::size_t, std::string_view)>& visit) const {
  std::string text;
  std::size_t number = 0;
  for (std::uint64_t at = 0; at < end_;) {
    const std::size_t kept = text.size();
    const std::size_t want = std::min<std::uint64_t>(kBlock, end_ - at);
    text.resize(kept + want);
    const std::size_t got = read_at(file_, text.data() + kept, want, at);
    if (got == 0) fail("it cannot be read");
    text.resize(kept + got);
    at += got;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n', kept); end != std::string::npos; end = text.find('\n', begin)) {
      visit(++number, std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    text.erase(0, begin);
  }
}

void AppendFile::append(std::string_view lines) {
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) fail(std::strerror(errno));
  const int error = write_at(file_, lines, end_);
  if (error != 0) {
    // A part may be there; cut it off. Where that fails too, the next one to open the file does it.
    if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) fail(std::strerror(error));
    fail(std::strerror(error));
  }
  end_ += lines.size();
}

void AppendFile::replace(std::string_view content) {
  const std::string temporary = fmt::format("{}.tmp.{}", path_, ::getpid());
  const int fresh = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fresh < 0) fail(std::strerror(errno));
  const auto give_up = [&](int error) {
    ::close(fresh);
    ::unlink(temporary.c_str());
    fail(std::strerror(error));
  };
  if (::flock(fresh, LOCK_EX | LOCK_NB) != 0) give_up(errno);
  if (const int error = write_at(fresh, content, 0); error != 0) give_up(error);
  if (::fsync(fresh) != 0) give_up(errno);
  if (::rename(temporary.c_str(), path_.c_str()) != 0) give_up(errno);
  ::close(file_);
  file_ = fresh;
  end_ = content.size();
}

void AppendFile::sync() {
  if (::fsync(file_) != 0) fail(std::strerror(errno));
}

void AppendFile::fail(const std::string& reason) const {
  throw FileError(fmt::format("{}: cannot be written: {}", path_, reason));
}

} // namespace dtrmc::record
