// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "host/trace/line_reader.h"

namespace dtrmc::test {

namespace {

using nlohmann::json;

record::Status parse_status(const std::string& text) {
  for (const auto status : {record::Status::kOk, record::Status::kOom, record::Status::kThrash}) {
    if (text == record::to_string(status)) return status;
  }
  throw std::runtime_error("golden row with unknown status " + text);
}

std::optional<double> optional_number(const json& row, const char* field) {
  const auto found = row.find(field);
  if (found == row.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

GoldenRow parse_row(const json& row, const std::string& trace) {
  GoldenRow out;
  out.trace = row.value("trace", trace);
  out.heuristic = row.at("heuristic").get<std::string>();
  out.runtime = row.at("runtime").get<std::string>();
  out.ratio = optional_number(row, "ratio");
  out.budget = row.at("budget").get<std::uint64_t>();
  out.overhead_limit = optional_number(row, "overhead_limit");
  record::RunRecord& e = out.expected;
  e.status = parse_status(row.at("status").get<std::string>());
  e.clock = row.at("clock").get<std::uint64_t>();
  e.model_compute = row.at("model_compute").get<std::uint64_t>();
  e.remat_compute = row.at("remat_compute").get<std::uint64_t>();
  e.max_memory = row.at("max_memory").get<std::uint64_t>();
  e.policy_evictions = row.at("policy_evictions").get<std::uint64_t>();
  e.all_evictions = row.at("all_evictions").get<std::uint64_t>();
  e.distinct_evicted = row.at("distinct_evicted").get<std::uint64_t>();
  e.heuristic_evals = row.at("heuristic_evals").get<std::uint64_t>();
  e.policy_sha256 = row.at("policy_sha256").get<std::string>();
  e.all_sha256 = row.at("all_sha256").get<std::string>();
  return out;
}

} // namespace

void for_each_line(const std::string& path, const std::function<void(std::string_view)>& visit) {
  trace::LineReader lines(trace::open_file(path), path);
  std::string_view line;
  while (lines.next(line)) visit(line);
}

std::vector<GoldenRow> read_golden_rows(const std::string& path) {
  std::vector<GoldenRow> rows;
  for_each_line(path, [&](std::string_view line) { rows.push_back(parse_row(json::parse(line), "")); });
  return rows;
}

void for_each_random_trace(const std::string& path, const std::function<void(const RandomTrace&)>& visit) {
  for_each_line(path, [&](std::string_view line) {
    const json object = json::parse(line);
    RandomTrace out;
    out.id = object.at("id").get<std::string>();
    for (const json& instruction : object.at("lines")) out.text += instruction.dump() + '\n';
    for (const json& run : object.at("runs")) out.runs.push_back(parse_row(run, out.id));
    visit(out);
  });
}

std::string differences(const record::RunRecord& got, const record::RunRecord& golden, bool compare_evals) {
  std::string out;
  const auto compare = [&](const char* field, const auto& mine, const auto& theirs) {
    if (mine != theirs) out += fmt::format("{}: got {}, golden {}; ", field, mine, theirs);
  };
  compare("status", std::string(to_string(got.status)), std::string(to_string(golden.status)));
  compare("clock", got.clock, golden.clock);
  compare("model_compute", got.model_compute, golden.model_compute);
  compare("remat_compute", got.remat_compute, golden.remat_compute);
  compare("max_memory", got.max_memory, golden.max_memory);
  compare("policy_evictions", got.policy_evictions, golden.policy_evictions);
  compare("all_evictions", got.all_evictions, golden.all_evictions);
  compare("distinct_evicted", got.distinct_evicted, golden.distinct_evicted);
  if (compare_evals) compare("heuristic_evals", got.heuristic_evals, golden.heuristic_evals);
  compare("policy_sha256", got.policy_sha256, golden.policy_sha256);
  compare("all_sha256", got.all_sha256, golden.all_sha256);
  return out;
}

std::string describe(const GoldenRow& row) {
  std::string limit;
  if (row.overhead_limit) limit = fmt::format(" --overhead-limit {}", *row.overhead_limit);
  return fmt::format("sim {} --heuristic {} --runtime {} --budget {}{}", row.trace, row.heuristic, row.runtime,
                     row.budget, limit);
}

} // namespace dtrmc::test
