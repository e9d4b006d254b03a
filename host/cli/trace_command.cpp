// SPDX-License-Identifier: Apache-2.0
// dtrmc trace: looks at a trace without running it under a budget.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/cli/usage_error.h"
#include "host/record/output_file.h"
#include "host/record/sha256.h"
#include "host/sim/simulator.h"
#include "host/trace/byte_source.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "host/trace/trace_error.h"

namespace dtrmc::cli {

namespace {

struct TraceOptions {
  std::string trace;
  std::string output; // of convert
  bool json = false;
};

struct Facts {
  std::uint64_t constants = 0;
  std::uint64_t views = 0;
  std::uint64_t constant_bytes = 0;
  std::uint64_t storage_bytes = 0;
  std::uint64_t largest_working_set = 0; // bytes: largest inputs plus outputs of one operator
};

Facts collect(const trace::Schedule& s) {
  Facts facts;
  for (const trace::Step& step : s.steps) {
    if (step.kind != trace::StepKind::kConstant) continue;
    ++facts.constants;
    facts.constant_bytes += s.storages[s.tensors[s.operators[step.id].first_output].storage].size;
  }
  for (const trace::Storage& storage : s.storages) facts.storage_bytes += storage.size;
  for (const trace::Tensor& tensor : s.tensors) facts.views += tensor.alias >= 0 ? 1 : 0;
  std::vector<trace::StorageId> touched;
  for (const trace::Operator& op : s.operators) {
    touched.clear();
    for (std::uint32_t i = 0; i < op.input_count; ++i) {
      touched.push_back(s.tensors[s.inputs[op.first_input + i]].storage);
    }
    for (std::uint32_t i = 0; i < op.output_count; ++i) touched.push_back(s.tensors[op.first_output + i].storage);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::uint64_t bytes = 0;
    for (const trace::StorageId storage : touched) bytes += s.storages[storage].size;
    facts.largest_working_set = std::max(facts.largest_working_set, bytes);
  }
  return facts;
}

int run_info(const TraceOptions& options) {
  const std::string path = trace::find_trace(options.trace);
  const trace::Schedule s = trace::parse_file(path);
  const Facts facts = collect(s);
  const std::uint64_t peak = sim::unlimited_peak(s, sim::Runtime::kV2Eager);
  const std::uint64_t peak_v1 = sim::unlimited_peak(s, sim::Runtime::kV1);
  if (options.json) {
    Json out;
    out["trace"] = s.name;
    out["operators"] = s.operators.size();
    out["constants"] = facts.constants;
    out["tensors"] = s.tensors.size();
    out["views"] = facts.views;
    out["storages"] = s.storages.size();
    out["steps"] = s.steps.size();
    out["model_compute"] = s.total_cost;
    out["peak_v1"] = peak_v1;
    out["peak_v2_eager"] = peak;
    out["const_memory"] = facts.constant_bytes;
    out["largest_working_set"] = facts.largest_working_set;
    out["storage_bytes"] = facts.storage_bytes;
    std::cout << out.dump() << '\n';
    return 0;
  }
  std::cout << format_table({
      {"trace", fmt::format("{} ({})", s.name, path)},
      {"operators", fmt::format("{}, of them {} constants", s.operators.size(), facts.constants)},
      {"tensors", fmt::format("{}, of them {} views", s.tensors.size(), facts.views)},
      {"storages", fmt::format("{}, together {} bytes", s.storages.size(), human_bytes(facts.storage_bytes))},
      {"steps", fmt::format("{}", s.steps.size())},
      {"compute", human_time(s.total_cost)},
      {"peak without a budget", fmt::format("{}, in simrd's own baseline (v1) {}", human_bytes(peak), peak_v1)},
      {"constants", human_bytes(facts.constant_bytes)},
      {"largest working set",
       fmt::format("{} (inputs and outputs of one operator)", human_bytes(facts.largest_working_set))},
  });
  return 0;
}

int run_check(const TraceOptions& options) {
  const std::string path = trace::find_trace(options.trace);
  const trace::Schedule s = trace::parse_file(path);
  const sim::Topology topology(s);
  if (options.json) {
    Json notes = Json::array();
    for (const trace::OperatorId op : topology.linking_views) {
      notes.push_back({{"operator", op}, {"name", s.operator_name(op)}, {"line", s.operators[op].line}});
    }
    Json out;
    out["trace"] = s.name;
    out["valid"] = true;
    out["linking_views"] = notes;
    std::cout << out.dump() << '\n';
    return 0;
  }
  for (const trace::OperatorId op : topology.linking_views) {
    std::cout << fmt::format(
        "{}:{}: note: operator {} '{}' makes a view and has inputs on several storages: under dtr, msps and ab-e "
        "simrd may stop with an assertion (dtrmc goes on, and sim says so)\n",
        path, s.operators[op].line, op, s.operator_name(op));
  }
  std::cout << fmt::format("{}: valid, {} operators, {} tensors\n", path, s.operators.size(), s.tensors.size());
  return 0;
}

// A trace's name ends in .log or .jsonl, which mean the same lines, and perhaps in .gz or .zst behind that.
bool is_trace_name(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz" || name.extension() == ".zst") name.replace_extension();
  return name.extension() == ".log" || name.extension() == ".jsonl";
}

// Writes the same text under another name, compressed as the name says. What no command would take is refused.
int run_convert(const TraceOptions& options) {
  if (!is_trace_name(options.output)) {
    throw UsageError(fmt::format("{}: a trace's name ends in .log or .jsonl, then perhaps in .gz or .zst",
                                 trace::in_quotes(options.output)));
  }
  const std::string path = trace::find_trace(options.trace);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw UsageError(fmt::format("{}: is read twice, so it must be an ordinary file", path));
  }
  if (std::filesystem::equivalent(options.output, path, ignored)) {
    throw UsageError(fmt::format("{}: is the trace itself; give the copy another name", options.output));
  }
  trace::parse_file(path);
  record::OutputFile out(options.output);
  const std::unique_ptr<trace::ByteSource> source = trace::open_file(path);
  record::Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 18);
  std::uint64_t bytes = 0;
  for (std::size_t count = source->read(buffer.data(), buffer.size()); count != 0;
       count = source->read(buffer.data(), buffer.size())) {
    const std::string_view text(buffer.data(), count);
    hash.update(text);
    out.write(text);
    bytes += count;
  }
  out.commit();
  const std::string digest = hash.hex();
  if (options.json) {
    Json json;
    json["file"] = options.output;
    json["text_bytes"] = bytes;
    json["text_sha256"] = digest;
    std::cout << json.dump() << '\n';
  } else {
    std::cout << fmt::format("{}: {} bytes of text, sha256 {}\n", options.output, bytes, digest);
  }
  return 0;
}

void add_trace_options(CLI::App& app, TraceOptions& options) {
  app.add_option("TRACE", options.trace, "trace file, or name of one in traces/ or $DTRMC_SHARED/traces/public")
      ->required();
  app.add_flag("--json", options.json, "print one JSON object");
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<TraceOptions>();
  app.require_subcommand(1);
  CLI::App* info = app.add_subcommand("info", "sizes, counts and peak of a trace");
  info->footer("Example:\n  dtrmc trace info resnet32");
  add_trace_options(*info, *options);
  CLI::App* check = app.add_subcommand("check", "read a trace and say what is wrong or odd in it");
  check->footer("Example:\n  dtrmc trace check recording.jsonl.gz");
  add_trace_options(*check, *options);
  CLI::App* convert = app.add_subcommand(
      "convert",
      "copy a sound trace to a name whose end says how it is compressed; the text stays the same to the byte");
  convert->footer("Example:\n  dtrmc trace convert resnet32 resnet32.jsonl.zst");
  add_trace_options(*convert, *options);
  convert
      ->add_option("OUT", options->output,
                   "file to write: .log or .jsonl (two names of one format), also with .gz or .zst")
      ->required()
      ->check(file_name);
  return [options, info, convert] {
    if (convert->parsed()) return run_convert(*options);
    return info->parsed() ? run_info(*options) : run_check(*options);
  };
}

} // namespace

extern const Command kTraceCommand;
const Command kTraceCommand = {"trace", "look at a trace or copy it: info, check, convert", "dtrmc trace info resnet32",
                               set_up};

} // namespace dtrmc::cli
