// SPDX-License-Identifier: Apache-2.0
// SHA-256 over text that arrives in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st; // OpenSSL's EVP_MD_CTX

namespace dtrmc::record {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256& other); // goes on from the text so far
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view text);
  std::string hex(); // of all text so far; nothing may follow

 private:
  void flush();

  evp_md_ctx_st* context_;
  std::string buffer_; // eviction lines are short; one call for many
};

} // namespace dtrmc::record
