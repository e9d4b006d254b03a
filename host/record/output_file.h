// SPDX-License-Identifier: Apache-2.0
// A text output that appears whole or not at all, compressed where its name ends in .gz or .zst. The bytes depend on
// what was written alone (the gzip header holds neither time nor name).
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
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
  std::ostream& stream() { return stream_; } // for writers that know streams alone
  void commit();                             // throws FileError; without it nothing is left behind

 private:
  static constexpr std::size_t kBuffer = 1u << 18; // bytes
  class Compressor;
  class Gzip;
  class Zstd;

  void flush(bool last);

  class Buffer : public std::streambuf {
   public:
    explicit Buffer(OutputFile& file) : file_(file) {}

   protected:
    std::streamsize xsputn(const char* text, std::streamsize count) override {
      file_.write({text, static_cast<std::size_t>(count)});
      return count;
    }
    int_type overflow(int_type c) override {
      const char one = traits_type::to_char_type(c);
      if (!traits_type::eq_int_type(c, traits_type::eof())) file_.write({&one, 1});
      return traits_type::not_eof(c);
    }

   private:
    OutputFile& file_;
  };

  AtomicFile file_;
  std::unique_ptr<Compressor> compressor_; // none: plain
  std::string buffer_;
  Buffer stream_buffer_{*this};
  std::ostream stream_{&stream_buffer_};
};

} // namespace dtrmc::record
