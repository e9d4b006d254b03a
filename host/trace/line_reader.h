// SPDX-License-Identifier: Apache-2.0
// Lines of a byte source, one at a time; memory stays bounded by the longest line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/trace/byte_source.h"

namespace dtrmc::trace {

class LineReader {
 public:
  // Longest line in bytes; a longer one is an error, so that a file without line ends cannot fill the memory.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 24;
  // Readable bytes behind the last byte of each line, as simdjson wants them.
  static constexpr std::size_t kPadding = 64;

  // `file` is the name in error messages.
  LineReader(std::unique_ptr<ByteSource> source, std::string file)
      : source_(std::move(source)), file_(std::move(file)) {}

  // The next line that holds more than white space, without its line end (LF or CRLF); false at the end of the file.
  // Valid until the next call. Throws TraceError.
  bool next(std::string_view& line);

  // Of the line returned last, from 1; at the end of the file, of the last line there was.
  std::uint64_t line_number() const { return line_number_; }
  const std::string& file() const { return file_; }

 private:
  bool next_any(std::string_view& line);

  std::unique_ptr<ByteSource> source_;
  std::string file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0; // unread bytes are [begin_, end_)
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
};

} // namespace dtrmc::trace
