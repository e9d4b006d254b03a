// SPDX-License-Identifier: Apache-2.0
#include "host/record/sha256.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace dtrmc::record {

namespace {

void check(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL's SHA-256 failed");
}

} // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr) throw std::runtime_error("OpenSSL's SHA-256 failed");
  check(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr));
}

Sha256::Sha256(const Sha256& other) : context_(EVP_MD_CTX_new()), buffer_(other.buffer_) {
  if (context_ == nullptr) throw std::runtime_error("OpenSSL's SHA-256 failed");
  check(EVP_MD_CTX_copy_ex(context_, other.context_));
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::update(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= (std::size_t{1} << 14)) flush();
}

void Sha256::flush() {
  check(EVP_DigestUpdate(context_, buffer_.data(), buffer_.size()));
  buffer_.clear();
}

std::string Sha256::hex() {
  flush();
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  check(EVP_DigestFinal_ex(context_, digest, &length));
  std::string out;
  for (unsigned int i = 0; i < length; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 15];
  }
  return out;
}

} // namespace dtrmc::record
