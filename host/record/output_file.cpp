// SPDX-License-Identifier: Apache-2.0
#include "host/record/output_file.h"

#include <zlib.h>

#include <vector>

namespace dtrmc::record {

struct OutputFile::Compressor {
  z_stream stream{};
  std::vector<unsigned char> out = std::vector<unsigned char>(1u << 16);
};

namespace {

bool ends_in_gz(const std::string& path) { return path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0; }

} // namespace

OutputFile::OutputFile(const std::string& path) : file_(path) {
  if (!ends_in_gz(path)) return;
  compressor_ = std::make_unique<Compressor>();
  constexpr int kGzip = 15 + 16; // largest window, gzip header
  if (deflateInit2(&compressor_->stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw FileError(path + ": cannot be written: zlib does not start");
  }
}

OutputFile::~OutputFile() {
  if (compressor_) deflateEnd(&compressor_->stream);
}

void OutputFile::flush(bool last) {
  std::ostream& out = file_.stream();
  if (!compressor_) {
    out.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    return;
  }
  z_stream& stream = compressor_->stream;
  stream.next_in = reinterpret_cast<unsigned char*>(buffer_.data());
  stream.avail_in = static_cast<unsigned>(buffer_.size());
  do {
    stream.next_out = compressor_->out.data();
    stream.avail_out = static_cast<unsigned>(compressor_->out.size());
    deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    const std::size_t bytes = compressor_->out.size() - stream.avail_out;
    out.write(reinterpret_cast<const char*>(compressor_->out.data()), static_cast<std::streamsize>(bytes));
  } while (stream.avail_out == 0);
  buffer_.clear();
}

void OutputFile::commit() {
  flush(true);
  file_.commit();
}

} // namespace dtrmc::record
