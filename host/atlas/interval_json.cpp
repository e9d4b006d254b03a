// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/interval_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dtrmc::atlas {

namespace {

using Json = nlohmann::ordered_json;

record::Status parse_status(const std::string& name) {
  for (const record::Status status : {record::Status::kOk, record::Status::kOom, record::Status::kThrash}) {
    if (name == record::to_string(status)) return status;
  }
  throw std::invalid_argument("unknown status " + name);
}

} // namespace

std::string to_json_line(const Interval& interval, std::uint64_t baseline_compute) {
  const sim::Result& result = interval.result;
  const record::RunRecord& r = result.record;
  Json out;
  out["lo"] = interval.lo;
  out["hi"] = interval.hi;
  out["status"] = record::to_string(r.status);
  out["overhead"] = nullptr;
  if (r.status == record::Status::kOk && baseline_compute != 0) {
    out["overhead"] = static_cast<double>(r.clock) / static_cast<double>(baseline_compute);
  }
  out["clock"] = r.clock;
  out["model_compute"] = r.model_compute;
  out["remat_compute"] = r.remat_compute;
  out["max_memory"] = r.max_memory;
  out["policy_evictions"] = r.policy_evictions;
  out["all_evictions"] = r.all_evictions;
  out["distinct_evicted"] = r.distinct_evicted;
  out["heuristic_evals"] = r.heuristic_evals;
  out["pinned_peak"] = result.pinned_peak;
  out["depth_at_pinned_peak"] = result.depth_at_pinned_peak;
  out["max_nesting"] = result.max_nesting;
  if (result.failure) {
    const sim::Failure& f = *result.failure;
    out["failure"] = {{"request", f.request},
                      {"need", f.pinned + f.request},
                      {"pinned", f.pinned},
                      {"depth", f.depth},
                      {"operator", f.op}};
  }
  if (!result.simrd_defined) out["simrd_defined"] = false;
  out["policy_sha256"] = r.policy_sha256;
  out["all_sha256"] = r.all_sha256;
  return out.dump();
}

Interval parse_json_line(std::string_view line) {
  try {
    const Json in = Json::parse(line);
    Interval interval;
    interval.lo = in.at("lo").get<std::uint64_t>();
    interval.hi = in.at("hi").get<std::uint64_t>();
    sim::Result& result = interval.result;
    record::RunRecord& r = result.record;
    r.status = parse_status(in.at("status").get<std::string>());
    in.at("clock").get_to(r.clock);
    in.at("model_compute").get_to(r.model_compute);
    in.at("remat_compute").get_to(r.remat_compute);
    in.at("max_memory").get_to(r.max_memory);
    in.at("policy_evictions").get_to(r.policy_evictions);
    in.at("all_evictions").get_to(r.all_evictions);
    in.at("distinct_evicted").get_to(r.distinct_evicted);
    in.at("heuristic_evals").get_to(r.heuristic_evals);
    in.at("pinned_peak").get_to(result.pinned_peak);
    in.at("depth_at_pinned_peak").get_to(result.depth_at_pinned_peak);
    in.at("max_nesting").get_to(result.max_nesting);
    if (const auto found = in.find("failure"); found != in.end()) {
      sim::Failure f;
      found->at("request").get_to(f.request);
      found->at("pinned").get_to(f.pinned);
      found->at("depth").get_to(f.depth);
      found->at("operator").get_to(f.op);
      f.over_by = f.pinned + f.request - interval.lo;
      result.failure = f;
    }
    if (const auto found = in.find("simrd_defined"); found != in.end()) found->get_to(result.simrd_defined);
    in.at("policy_sha256").get_to(r.policy_sha256);
    in.at("all_sha256").get_to(r.all_sha256);
    return interval;
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

} // namespace dtrmc::atlas
