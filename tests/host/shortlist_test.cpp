// SPDX-License-Identifier: Apache-2.0
// dtr-eq does not look at the whole pool at each decision. Here somebody does, and must find the same victim.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "host/sim/candidate.h"
#include "host/sim/simulator.h"
#include "host/sim/state.h"
#include "host/trace/parser.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

struct Audited {
  std::uint64_t decisions = 0;
  std::uint64_t other = 0; // victims
  std::uint64_t largest = 0;
};

// Compares with the scan over the candidates as they are shown.
class Scan : public sim::DecisionObserver {
 public:
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                   std::uint32_t) override {
    trace::StorageId found = sim::kNoStorage;
    double best = 0;
    evaluated = 0;
    for (const sim::Candidate& c : pool) {
      ++evaluated;
      const double h = c.denominator() == 0 ? std::numeric_limits<double>::infinity()
                                            : sim::rounded_quotient(c.cost, c.denominator());
      if (found == sim::kNoStorage || h <= best) {
        found = c.storage;
        best = h;
      }
      if (h == 0) break;
    }
    ++seen.decisions;
    seen.other += found == victim ? 0 : 1;
    seen.largest = std::max<std::uint64_t>(seen.largest, pool.size());
    evaluations += evaluated;
  }
  Audited seen;
  std::uint64_t evaluated = 0;
  std::uint64_t evaluations = 0;
};

Audited audit(const std::string& path, double ratio, double limit) {
  const trace::Schedule schedule = trace::parse_file(path);
  Scan scan;
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic("dtr-eq");
  settings.decisions = &scan;
  settings.remat_limit = sim::remat_limit(schedule, limit);
  settings.budget =
      static_cast<std::uint64_t>(ratio * static_cast<double>(sim::unlimited_peak(schedule, settings.runtime)));
  const sim::Result result = sim::simulate(schedule, settings);
  CHECK(result.record.policy_evictions == scan.seen.decisions);
  CHECK(result.record.heuristic_evals == scan.evaluations);
  return scan.seen;
}

} // namespace

TEST_CASE("recorded traces: the victim of every decision is that of a whole scan") {
  std::uint64_t decisions = 0;
  for (const char* trace : {"traces/cifar-resnet32-224.log.gz", "traces/lstm-recorded.log.gz"}) {
    for (const double ratio : {0.06, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7}) {
      INFO(trace << " " << ratio);
      const Audited a = audit(trace, ratio, 6.0);
      CHECK(a.other == 0);
      decisions += a.largest > 100 ? a.decisions : 0;
    }
  }
  CHECK(decisions > 1000); // in pools where it pays
}

TEST_CASE("public traces that thrash: the victim of every decision is that of a whole scan") {
  std::uint64_t decisions = 0;
  for (const auto& [trace, ratio] : {std::pair("treelstm", 0.2), std::pair("unrolled_gan", 0.2),
                                     std::pair("transformer", 0.12), std::pair("inceptionv4", 0.22)}) {
    const auto path = test::shared_or_skip(std::string("traces/public/") + trace + ".log");
    if (!path) return;
    INFO(trace << " " << ratio);
    const Audited a = audit(path->string(), ratio, 8.0);
    CHECK(a.other == 0);
    decisions += a.decisions;
  }
  CHECK(decisions > 50000);
}
