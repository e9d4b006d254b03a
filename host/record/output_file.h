// SPDX-License-Identifier: Apache-2.0
// A text output that appears whole or not at all, compressed where its name ends in .gz. The bytes depend on what was
// written alone (the gzip header holds neither time nor name).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/record/atomic_file.h"

namespace dtrmc::record {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path); // throws FileError
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBuffer) flush(false);
  }
  void commit(); // throws FileError; without it nothing is left behind

 private:
  static constexpr std::size_t kBuffer = 1u << 18; // bytes
  struct Compressor;

  void flush(bool last);

  AtomicFile file_;
  std::unique_ptr<Compressor> compressor_; // none: plain
  std::string buffer_;
};

} // namespace dtrmc::record
