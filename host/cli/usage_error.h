// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace dtrmc::cli {

// The command line asks for something that cannot be: reported in one line, exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

} // namespace dtrmc::cli
