// SPDX-License-Identifier: Apache-2.0
#include "host/record/output_file.h"

#include <zlib.h>
#include <zstd.h>

#include <vector>

namespace dtrmc::record {

// Compresses pieces of text in order; `last` ends the data.
class OutputFile::Compressor {
 public:
  virtual ~Compressor() = default;
  virtual void compress(std::string_view text, bool last, std::ostream& out) = 0;

 protected:
  std::vector<char> buffer_ = std::vector<char>(1u << 16);
};

namespace {

bool ends_in(const std::string& path, std::string_view end) {
  return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
}

} // namespace

class OutputFile::Gzip : public Compressor {
 public:
  explicit Gzip(const std::string& path) {
    constexpr int kGzip = 15 + 16; // largest window, gzip header
    if (deflateInit2(&stream_, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw FileError(path + ": cannot be written: zlib does not start");
    }
  }
  ~Gzip() override { deflateEnd(&stream_); }

  void compress(std::string_view text, bool last, std::ostream& out) override {
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<unsigned>(text.size());
    do {
      stream_.next_out = reinterpret_cast<unsigned char*>(buffer_.data());
      stream_.avail_out = static_cast<unsigned>(buffer_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
};

class OutputFile::Zstd : public Compressor {
 public:
  explicit Zstd(const std::string& path) : stream_(ZSTD_createCCtx()) {
    if (stream_ == nullptr) throw FileError(path + ": cannot be written: zstd does not start");
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~Zstd() override { ZSTD_freeCCtx(stream_); }

  void compress(std::string_view text, bool last, std::ostream& out) override {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer piece{buffer_.data(), buffer_.size(), 0};
      left = ZSTD_compressStream2(stream_, &piece, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw FileError(std::string("zstd: ") + ZSTD_getErrorName(left));
      out.write(buffer_.data(), static_cast<std::streamsize>(piece.pos));
    } while (last ? left != 0 : in.pos < in.size);
  }

 private:
  ZSTD_CCtx* stream_;
};

OutputFile::OutputFile(const std::string& path) : file_(path) {
  if (ends_in(path, ".gz")) compressor_ = std::make_unique<Gzip>(path);
  if (ends_in(path, ".zst")) compressor_ = std::make_unique<Zstd>(path);
}

OutputFile::~OutputFile() = default;

void OutputFile::flush(bool last) {
  std::ostream& out = file_.stream();
  if (compressor_) {
    compressor_->compress(buffer_, last, out);
  } else {
    out.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  }
  buffer_.clear();
}

void OutputFile::commit() {
  flush(true);
  file_.commit();
}

} // namespace dtrmc::record
