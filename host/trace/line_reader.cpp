// SPDX-License-Identifier: Apache-2.0
#include "host/trace/line_reader.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "host/trace/trace_error.h"

namespace dtrmc::trace {

bool LineReader::next(std::string_view& line) {
  while (next_any(line)) {
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
  }
  return false;
}

bool LineReader::next_any(std::string_view& line) {
  constexpr std::size_t kRead = std::size_t{1} << 16;
  std::size_t searched = 0;
  while (true) {
    const char* start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* newline = available > searched ? std::memchr(start + searched, '\n', available - searched) : nullptr;
    std::size_t length = 0;
    if (newline != nullptr) {
      length = static_cast<std::size_t>(static_cast<const char*>(newline) - start);
      begin_ += length + 1;
    } else if (at_end_) {
      if (available == 0) return false;
      length = available;
      begin_ = end_;
    } else {
      searched = available;
      if (available > kMaxLine) {
        throw TraceError(file_, line_number_ + 1,
                         fmt::format("a line longer than {} bytes; is this a simrd log?", kMaxLine));
      }
      if (begin_ > 0) {
        std::memmove(buffer_.data(), start, available);
        begin_ = 0;
        end_ = available;
      }
      if (buffer_.size() < end_ + kRead + kPadding) buffer_.resize(2 * (end_ + kRead) + kPadding);
      try {
        const std::size_t count = source_->read(buffer_.data() + end_, kRead);
        end_ += count;
        at_end_ = count == 0;
      } catch (const std::runtime_error& error) {
        throw TraceError(file_, line_number_ + 1, error.what());
      }
      continue;
    }
    ++line_number_;
    if (length > 0 && start[length - 1] == '\r') --length;
    line = std::string_view(start, length);
    return true;
  }
}

} // namespace dtrmc::trace
