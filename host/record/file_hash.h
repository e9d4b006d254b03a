// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dtrmc::record {

// SHA-256 of the file's bytes, hex, as sha256sum prints it. Throws FileError where it cannot be read.
std::string file_sha256(const std::string& path);

} // namespace dtrmc::record
