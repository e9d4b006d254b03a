// SPDX-License-Identifier: Apache-2.0
#include "host/record/file_hash.h"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "host/record/atomic_file.h"
#include "host/record/sha256.h"

namespace dtrmc::record {

std::string file_sha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 16);
  Sha256 hash;
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.update({block.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) throw FileError(fmt::format("{}: cannot be read", path));
  return hash.hex();
}

} // namespace dtrmc::record
