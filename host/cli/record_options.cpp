// SPDX-License-Identifier: Apache-2.0
#include "host/cli/record_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "host/cli/quantity.h"
#include "host/cli/usage_error.h"
#include "host/trace/trace_error.h"

namespace dtrmc::cli {

namespace {

// "123": an event; "1.5ms": device time.
record::WindowEdge parse_edge(const std::string& text, const char* option) {
  const auto refuse = [&]() -> UsageError {
    return UsageError(fmt::format("{} {}: must be the number of an event (123) or a device time (1.5ms, 20us, 300ns)",
                                  option, trace::in_quotes(text)));
  };
  const std::size_t digits = text.find_first_not_of("0123456789");
  record::WindowEdge edge;
  if (digits == std::string::npos) {
    if (text.empty() || text.size() > 18) throw refuse();
    edge.event = std::stoull(text);
    return edge;
  }
  static const std::map<std::string, double> kUnits{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
  const std::size_t unit_at = text.find_first_not_of("0123456789.");
  const auto unit = unit_at == std::string::npos ? kUnits.end() : kUnits.find(text.substr(unit_at));
  if (unit == kUnits.end() || unit_at == 0) throw refuse();
  const std::string number = text.substr(0, unit_at);
  if (std::count(number.begin(), number.end(), '.') > 1 || number == ".") throw refuse();
  const double ps = std::stod(number) * unit->second;
  if (!(ps < 9e18)) throw refuse();
  edge.time_ps = static_cast<std::uint64_t>(std::llround(ps));
  return edge;
}

} // namespace

void add_record_options(CLI::App& app, RecordOptions& options) {
  app.add_option("--decisions", options.decisions,
                 "write one row per eviction decision with its cycles to this file (.csv or .jsonl, also .gz)")
      ->check(file_name);
  options.profile_option =
      app.add_option("--profile", options.profile,
                     "print cycles per firmware function; with a file name also write folded call stacks for flame "
                     "graphs (give it after TRACE)")
          ->expected(0, 1);
  app.add_option("--record", options.record,
                 "write the run as a timeline for ui.perfetto.dev (.json, or .json.gz) to this file")
      ->check(file_name);
  app.add_option("--record-from", options.from,
                 "begin of what --record, --wave and --trace-instructions write: an event (123) or a device time "
                 "(1.5ms); default the begin of the run");
  app.add_option("--record-to", options.to, "end of it, exclusive; default the end of the run");
  app.add_option("--wave", options.wave, "write the scoring unit's signals to this file (.fst or .vcd)")
      ->check(file_name);
  app.add_option("--trace-instructions", options.instructions,
                 "write every firmware instruction to this file (text, .gz compresses): cycle, pc, function, "
                 "disassembly, register written; about 80 bytes each");
}

recording::RecordingRequest resolve(const RecordOptions& options) {
  recording::RecordingRequest request;
  request.decisions = options.decisions;
  request.profile = options.profile_option != nullptr && options.profile_option->count() != 0;
  request.stacks = options.profile;
  request.timeline = options.record;
  request.wave = options.wave;
  request.instructions = options.instructions;
  const bool windowed = !options.record.empty() || !options.wave.empty() || !options.instructions.empty();
  if ((!options.from.empty() || !options.to.empty()) && !windowed) {
    throw UsageError("--record-from and --record-to need --record, --wave or --trace-instructions");
  }
  if (!options.from.empty()) request.from = parse_edge(options.from, "--record-from");
  if (!options.to.empty()) request.to = parse_edge(options.to, "--record-to");
  const auto out_of_order = [](const std::optional<std::uint64_t>& from, const std::optional<std::uint64_t>& to) {
    return from && to && *from >= *to;
  };
  if (out_of_order(request.from.event, request.to.event) || out_of_order(request.from.time_ps, request.to.time_ps)) {
    throw UsageError(fmt::format("--record-to {}: must lie after --record-from {}", options.to, options.from));
  }
  return request;
}

void check_outputs(const RunOptions& run_options, const ResolvedRun& run, const recording::RecordingRequest& request) {
  namespace fs = std::filesystem;
  std::vector<std::pair<const char*, std::string>> outputs;
  for (const auto& [option, path] : {std::pair<const char*, std::string>{"--evictions", run_options.evictions},
                                     {"--decisions", request.decisions},
                                     {"--profile", request.stacks},
                                     {"--record", request.timeline},
                                     {"--wave", request.wave},
                                     {"--trace-instructions", request.instructions}}) {
    if (path.empty()) continue;
    std::error_code ignored;
    if (fs::equivalent(path, run.trace_path, ignored)) {
      throw UsageError(fmt::format("{} names the trace itself; it would be overwritten", option));
    }
    const fs::path full = fs::absolute(path, ignored).lexically_normal();
    for (const auto& [other, taken] : outputs) {
      if (full == taken && fs::status(full, ignored).type() != fs::file_type::character) {
        throw UsageError(fmt::format("{} and {} name the same file", other, option));
      }
    }
    outputs.emplace_back(option, full.string());
  }
}

} // namespace dtrmc::cli
