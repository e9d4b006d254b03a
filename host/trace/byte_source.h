// SPDX-License-Identifier: Apache-2.0
// A file as a stream of bytes, decompressed on the way: gzip and zstd are recognised by their first bytes, whatever
// the file is called.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace dtrmc::trace {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills up to `capacity` bytes; 0 only at the end. Throws std::runtime_error with the reason alone (damaged or
  // truncated compressed data, read error).
  virtual std::size_t read(char* buffer, std::size_t capacity) = 0;
};

// Throws TraceError where the file cannot be opened or is a directory.
std::unique_ptr<ByteSource> open_file(const std::string& path);

// `text` must outlive the source.
std::unique_ptr<ByteSource> open_text(std::string_view text);

} // namespace dtrmc::trace
