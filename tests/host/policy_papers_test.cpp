// SPDX-License-Identifier: Apache-2.0
// The papers' victim rules against the points published with them, and the regimes and failures of dtr beside them.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/skip.h"

using namespace dtrmc;
using record::Status;

namespace {

class Trace {
 public:
  explicit Trace(const std::string& path) : schedule_(trace::parse_file(path)), topology_(schedule_) {
    peak_ = sim::unlimited_peak(schedule_, sim::Runtime::kV2Eager);
  }

  sim::Result at(const std::string& heuristic, double ratio, double overhead_limit = 60) const {
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic(heuristic);
    settings.budget = static_cast<std::uint64_t>(std::floor(static_cast<double>(peak_) * ratio));
    settings.remat_limit = sim::remat_limit(schedule_, overhead_limit);
    settings.hashes = false;
    return sim::simulate(schedule_, topology_, settings);
  }

  // As the papers count it: without the 1 ns at which the clock starts.
  double overhead(const sim::Result& result) const {
    return static_cast<double>(result.record.model_compute + result.record.remat_compute) /
           static_cast<double>(schedule_.total_cost);
  }

 private:
  trace::Schedule schedule_;
  sim::Topology topology_;
  std::uint64_t peak_ = 0;
};

std::optional<Trace> load(const std::string& name) {
  const auto path = test::shared_or_skip("traces/public/" + name + ".log");
  if (!path) return std::nullopt;
  return Trace(path->string());
}

} // namespace

TEST_CASE("LSTM: regimes of dtr, NbhdPenalty, HEStar and CostStale at the published points") {
  const auto lstm = load("lstm");
  if (!lstm) return;
  struct Point {
    const char* heuristic;
    double ratio;
    double overhead;
  };
  for (const Point& p :
       {Point{"dtr", .262, 1.3871414079926483}, Point{"dtr", .264, 8.778919359029569},
        Point{"dtr", .265, 1.3826015341875997}, Point{"dtr", .266, 10.099834153180746},
        Point{"nbhd-penalty:0.25", .262, 2.9325641154866045}, Point{"nbhd-penalty:0.25", .264, 1.3087924068317245},
        Point{"nbhd-penalty:0.25", .265, 2.8872155061738045}, Point{"nbhd-penalty:0.25", .266, 1.306565935542389},
        Point{"he-star", .265, 5.7301092610889555}, Point{"cost-stale", .265, 1.3275090715606874}}) {
    const sim::Result result = lstm->at(p.heuristic, p.ratio);
    INFO(p.heuristic << " at " << p.ratio);
    CHECK(result.record.status == Status::kOk);
    CHECK(lstm->overhead(result) == Approx(p.overhead).epsilon(1e-15));
  }
  CHECK(lstm->at("dtr", .264).record.all_evictions == 43292);
  CHECK(lstm->at("dtr", .265).record.all_evictions == 6958);
}

TEST_CASE("InceptionV4: TControlInspired(0.3) at the published points") {
  const auto inception = load("inceptionv4");
  if (!inception) return;
  const sim::Result completes = inception->at("t-control:0.3", .20);
  CHECK(completes.record.status == Status::kOk);
  CHECK(inception->overhead(completes) == Approx(1.7517372971303575).epsilon(1e-15));
  CHECK(completes.record.all_evictions == 2233);
  CHECK(completes.record.remat_compute == 478427838);
  CHECK(completes.record.model_compute == 636429561);
  CHECK(completes.pinned_peak == 986579316);
  CHECK(completes.depth_at_pinned_peak == 1);
  CHECK(completes.max_nesting == 33);
  CHECK(inception->at("t-control:0.3", .21).record.status == Status::kOom);
  CHECK(inception->at("t-control:0.3", .22).record.status == Status::kOom);
  CHECK(inception->at("t-control:0.3", .23).record.status == Status::kOk);
}

TEST_CASE("InceptionV4 at .235: the failure of dtr, and its completion with storage 3131 retained") {
  const auto inception = load("inceptionv4");
  if (!inception) return;
  const sim::Result fails = inception->at("dtr", .235);
  CHECK(fails.record.status == Status::kOom);
  CHECK(fails.record.all_evictions == 9012);
  REQUIRE(fails.failure.has_value());
  CHECK(fails.failure->request == 8388608);
  CHECK(fails.failure->over_by == 130137);
  CHECK(fails.max_nesting == 193);
}
