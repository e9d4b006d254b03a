// SPDX-License-Identifier: Apache-2.0
#include "host/trace/byte_source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "host/trace/trace_error.h"

namespace dtrmc::trace {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

// Bytes as they are on disk, with a look at the first ones before anything is consumed.
class RawFile {
 public:
  explicit RawFile(std::FILE* file) : file_(file), buffer_(kChunk) { refill(); }
  ~RawFile() { std::fclose(file_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  bool starts_with(std::initializer_list<unsigned char> magic) const {
    if (available() < magic.size()) return false;
    return std::equal(magic.begin(), magic.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                      [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
  }
  const char* data() const { return buffer_.data() + begin_; }
  std::size_t available() const { return end_ - begin_; }
  void consume(std::size_t count) { begin_ += count; }
  // True when bytes are available afterwards.
  bool refill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
    if (end_ == 0 && std::ferror(file_) != 0) {
      throw std::runtime_error(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    return end_ > 0;
  }

 private:
  std::FILE* file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}
  std::size_t read(char* buffer, std::size_t capacity) override {
    if (!file_->refill()) return 0;
    const std::size_t count = std::min(capacity, file_->available());
    std::memcpy(buffer, file_->data(), count);
    file_->consume(count);
    return count;
  }

 private:
  std::unique_ptr<RawFile> file_;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<RawFile> file) : file_(std::move(file)) {
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::runtime_error("zlib could not be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* buffer, std::size_t capacity) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = static_cast<uInt>(std::min(capacity, kChunk));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (!file_->refill()) {
        if (member_open_) throw std::runtime_error("the gzip data ends early: the file is truncated; fetch it again");
        return 0;
      }
      if (!member_open_) {
        // gzip files may be several members end to end; zero padding after the last is customary.
        if (*file_->data() == '\0' && !first_member_) {
          file_->consume(1);
          continue;
        }
        inflateReset(&stream_);
        member_open_ = true;
        first_member_ = false;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file_->data()));
      stream_.avail_in = static_cast<uInt>(file_->available());
      const uInt before = stream_.avail_in;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      file_->consume(before - stream_.avail_in);
      if (result == Z_STREAM_END) {
        member_open_ = false;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw std::runtime_error(fmt::format("the gzip data is damaged ({}); fetch the file again",
                                             stream_.msg != nullptr ? stream_.msg : "unknown error"));
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  std::unique_ptr<RawFile> file_;
  z_stream stream_ = {};
  bool member_open_ = false;
  bool first_member_ = true;
};

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<RawFile> file) : file_(std::move(file)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::runtime_error("zstd could not be started");
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* buffer, std::size_t capacity) override {
    ZSTD_outBuffer out = {buffer, capacity, 0};
    while (out.pos == 0) {
      // Also with no input left: the decoder may still hold output.
      const bool more = file_->refill();
      ZSTD_inBuffer in = {file_->data(), file_->available(), 0};
      const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
      if (ZSTD_isError(result) != 0) {
        throw std::runtime_error(
            fmt::format("the zstd data is damaged ({}); fetch the file again", ZSTD_getErrorName(result)));
      }
      file_->consume(in.pos);
      if (in.pos > 0 || out.pos > 0) frame_open_ = result != 0;
      if (!more && out.pos == 0) {
        if (frame_open_) throw std::runtime_error("the zstd data ends early: the file is truncated; fetch it again");
        return 0;
      }
    }
    return out.pos;
  }

 private:
  std::unique_ptr<RawFile> file_;
  ZSTD_DStream* stream_;
  bool frame_open_ = false;
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  std::size_t read(char* buffer, std::size_t capacity) override {
    const std::size_t count = std::min(capacity, text_.size());
    std::memcpy(buffer, text_.data(), count);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    throw TraceError(path, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  }
  if (S_ISDIR(status.st_mode)) throw TraceError(path, 0, "is a directory; name a trace file in it");
  std::FILE* handle = std::fopen(path.c_str(), "rb");
  if (handle == nullptr) throw TraceError(path, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  try {
    auto file = std::make_unique<RawFile>(handle);
    if (file->starts_with({0x1f, 0x8b})) return std::make_unique<GzipSource>(std::move(file));
    if (file->starts_with({0x28, 0xb5, 0x2f, 0xfd})) return std::make_unique<ZstdSource>(std::move(file));
    return std::make_unique<PlainSource>(std::move(file));
  } catch (const std::runtime_error& error) {
    throw TraceError(path, 0, error.what());
  }
}

std::unique_ptr<ByteSource> open_text(std::string_view text) { return std::make_unique<TextSource>(text); }

} // namespace dtrmc::trace
