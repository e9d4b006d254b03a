// SPDX-License-Identifier: Apache-2.0
// Functional coverage: the corners of a scoring unit that random sequences have to reach, counted and asserted.
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace dtrmc::test {

struct Corners {
  uint64_t ties = 0; // another finite candidate has the winner's quotient
  uint64_t zeros = 0;
  uint64_t infinities = 0; // the winner is one
  uint64_t mixed = 0;
  uint64_t near = 0;
  uint64_t saturated = 0;
  uint64_t full = 0; // tables
  uint64_t empty = 0;
  uint64_t updated = 0;    // searches with updates while they ran
  uint64_t reset = 0;      // searches that a reset has ended
  uint64_t queue_full = 0; // writes that a full queue held off

  // One line, of `decisions` in `unit`; each corner at least as often as its share, near unless `narrow` values never
  // come near, queue full unless a search is over before (`brief`).
  void report(const std::string& unit, uint64_t decisions, bool narrow, bool brief) const {
    const std::array<std::pair<const char*, std::pair<uint64_t, uint64_t>>, 11> all{{
        {"ties", {ties, decisions / 200}},
        {"zeros", {zeros, decisions / 100}},
        {"infinities", {infinities, decisions / 100}},
        {"mixed", {mixed, decisions / 100}},
        {"near", {near, narrow ? 0 : decisions / 100}},
        {"sat", {saturated, decisions / 100}},
        {"full", {full, 1}},
        {"empty", {empty, decisions / 1000}},
        {"update during search", {updated, decisions / 20}},
        {"reset during search", {reset, decisions / 200}},
        {"queue full", {queue_full, brief ? 0 : decisions / 400}},
    }};
    std::string line;
    for (const auto& [name, counts] : all) {
      line += std::string(line.empty() ? "" : ", ") + name + ' ' + std::to_string(counts.first);
      INFO(unit << ": " << name);
      CHECK(counts.first >= counts.second);
    }
    std::printf("corners of %s in %llu decisions: %s\n", unit.c_str(), static_cast<unsigned long long>(decisions),
                line.c_str());
  }
};

} // namespace dtrmc::test
