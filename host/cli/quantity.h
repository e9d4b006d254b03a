// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them on a command line, read strictly.
#pragma once

#include <cstdint>
#include <string>

namespace dtrmc::cli {

// Bytes: "2012235830", "2.5G", "900M", "64MiB" (K M G T, with or without B: powers of 1000; KiB MiB GiB TiB: powers of
// 1024; a fraction of a byte is dropped). 0 .. 2^62. Throws UsageError that names `option`.
std::uint64_t parse_bytes(const std::string& text, const char* option);

// A finite decimal number, such as 0.25 or 1e-3. Throws UsageError that names `option`.
double parse_number(const std::string& text, const char* option);

// A whole number from low to high. Throws UsageError that names `option`.
std::uint64_t parse_count(const std::string& text, const char* option, std::uint64_t low, std::uint64_t high);

std::string human_bytes(std::uint64_t bytes); // "2012235830 (2.012 GB)"
std::string human_time(std::uint64_t ns);     // "583429411 ns (583.429 ms)"

} // namespace dtrmc::cli
