// SPDX-License-Identifier: Apache-2.0
// random: every candidate with the same chance. The generator is SplitMix64 from the given seed, so a run repeats.
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class Random : public Policy {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Nothing is scored.
  Choice choose(const DecisionView& view) override {
    const std::uint64_t size = view.pool.size();
    // Without the incomplete last stretch of 2^64, every remainder has the same chance.
    const std::uint64_t stretch = UINT64_MAX - UINT64_MAX % size;
    std::uint64_t drawn = next();
    while (drawn >= stretch) drawn = next();
    trace::StorageId s = view.pool.first();
    for (std::uint64_t skip = drawn % size; skip > 0; --skip) s = view.pool.next(s);
    return {s, 0};
  }
  std::vector<double> scores(const DecisionView&) const override { return {}; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<Random>(*this); }
  std::uint64_t state() const override { return state_; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

} // namespace

std::unique_ptr<Policy> make_random(const PolicyParameter& parameter, const trace::Schedule&, const Topology&) {
  return std::make_unique<Random>(parameter.number);
}

} // namespace dtrmc::sim
