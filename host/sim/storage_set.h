// SPDX-License-Identifier: Apache-2.0
// A set of storage ids as a bit field over the window of ids it needs. Regions are unions of runs of nearby ids, so
// unions and differences go 64 members at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dtrmc::sim {

class StorageSet {
 public:
  bool contains(std::uint32_t id) const {
    const std::uint32_t word = id / 64;
    return word >= base_ && word - base_ < words_.size() && (words_[word - base_] >> (id % 64) & 1) != 0;
  }
  void insert(std::uint32_t id) {
    reserve(id / 64, id / 64 + 1);
    words_[id / 64 - base_] |= std::uint64_t{1} << (id % 64);
  }
  void erase(std::uint32_t id) {
    if (contains(id)) words_[id / 64 - base_] &= ~(std::uint64_t{1} << (id % 64));
  }
  void clear() { words_.clear(); }
  std::uint64_t count() const {
    std::uint64_t members = 0;
    for (const std::uint64_t word : words_) members += static_cast<std::uint64_t>(__builtin_popcountll(word));
    return members;
  }

  // The members, whatever window they lie in.
  template <typename Sink>
  void add_to(Sink& sink) const {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == 0) continue;
      sink.add(base_ + i);
      sink.add(words_[i]);
      ++used;
    }
    sink.add(UINT64_MAX - used);
  }

  // Replaces the content; `ids` in any order, without repetition.
  void assign(const std::vector<std::uint32_t>& ids) {
    words_.clear();
    if (ids.empty()) return;
    const auto bounds = std::minmax_element(ids.begin(), ids.end());
    base_ = *bounds.first / 64;
    words_.resize(*bounds.second / 64 - base_ + 1);
    for (const std::uint32_t id : ids) words_[id / 64 - base_] |= std::uint64_t{1} << (id % 64);
  }

  void unite(const StorageSet& other) {
    if (other.words_.empty()) return;
    reserve(other.base_, other.end());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[other.base_ - base_ + i] |= other.words_[i];
  }

  // unite, and calls added(id) for each member that was new.
  template <typename Added>
  void unite(const StorageSet& other, Added added) {
    if (other.words_.empty()) return;
    reserve(other.base_, other.end());
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      std::uint64_t& word = words_[other.base_ - base_ + i];
      for (std::uint64_t fresh = other.words_[i] & ~word; fresh != 0; fresh &= fresh - 1) {
        added(static_cast<std::uint32_t>((other.base_ + i) * 64) + static_cast<std::uint32_t>(__builtin_ctzll(fresh)));
      }
      word |= other.words_[i];
    }
  }

  // Calls visit(id) in ascending order; the set must not change meanwhile.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint32_t>((base_ + i) * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
      }
    }
  }

 private:
  std::uint32_t end() const { return base_ + static_cast<std::uint32_t>(words_.size()); }

  // Widens the window to the words [begin, end).
  void reserve(std::uint32_t begin, std::uint32_t end) {
    if (words_.empty()) {
      base_ = begin;
      words_.resize(end - begin);
      return;
    }
    if (begin < base_) {
      words_.insert(words_.begin(), base_ - begin, 0);
      base_ = begin;
    }
    if (end > this->end()) words_.resize(end - base_);
  }

  std::uint32_t base_ = 0; // first word of the window, in units of 64 ids
  std::vector<std::uint64_t> words_;
};

} // namespace dtrmc::sim
