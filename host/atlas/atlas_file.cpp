// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/atlas_file.h"

#include <fmt/format.h>

#include <stdexcept>

#include "host/atlas/interval_json.h"

namespace dtrmc::atlas {

namespace {

constexpr std::size_t kKeepBytes = std::size_t{1} << 16;
constexpr std::chrono::seconds kKeepTime{1};

} // namespace

std::string header_difference(const AtlasFile::Header& there, const AtlasFile::Header& here) {
  for (const auto& [key, value] : here.items()) {
    const auto found = there.find(key);
    if (found == there.end()) return fmt::format("{} is missing there", key);
    if (*found != value) return fmt::format("{} is {} there, {} here", key, found->dump(), value.dump());
  }
  for (const auto& [key, value] : there.items()) {
    if (!here.contains(key)) return fmt::format("{} is {} there, unknown here", key, value.dump());
  }
  return "";
}

AtlasFile::Header make_header(const Subject& subject, const sim::Settings& settings) {
  AtlasFile::Header header;
  header["dtrmc"] = "atlas";
  header["format"] = 1;
  header["version"] = subject.version;
  header["trace"] = subject.trace;
  header["trace_sha256"] = subject.trace_sha256;
  header["heuristic"] = settings.heuristic.name;
  header["runtime"] = sim::to_string(settings.runtime);
  // Only where they are not as ever, so that older files are gone on with.
  if (!arithmetic::is_exact(settings.arithmetic)) header["arithmetic"] = arithmetic::name(settings.arithmetic);
  if (settings.tick_ns != 1) header["tick_ns"] = settings.tick_ns;
  header["overhead_limit"] =
      subject.overhead_limit ? AtlasFile::Header(*subject.overhead_limit) : AtlasFile::Header(nullptr);
  header["baseline"] = subject.baseline;
  header["baseline_peak"] = subject.baseline_peak;
  header["baseline_compute"] = subject.baseline_compute;
  header["from"] = subject.from;
  header["to"] = subject.to;
  return header;
}

AtlasFile::AtlasFile(const std::string& path, const Header& header, std::uint64_t baseline_compute, std::uint64_t from,
                     std::uint64_t to, const std::function<void(const Interval&)>& visit)
    : file_(path), baseline_compute_(baseline_compute), next_(from), written_(std::chrono::steady_clock::now()) {
  const auto refuse = [&](std::size_t line, const std::string& reason) {
    throw record::FileError(
        fmt::format("{}:{}: {}; give another name with -o, or remove the file", file_.path(), line, reason));
  };
  bool headed = false;
  file_.for_each_line([&](std::size_t number, std::string_view line) {
    if (!headed) {
      const Header there = Header::parse(line, nullptr, false);
      if (!there.is_object() || !there.contains("dtrmc") || there["dtrmc"] != "atlas")
        refuse(number, "it is not an atlas of dtrmc");
      const std::string difference = header_difference(there, header);
      if (!difference.empty()) refuse(number, "it holds the atlas of something else: " + difference);
      headed = true;
      return;
    }
    Interval interval;
    try {
      interval = parse_json_line(line);
    } catch (const std::invalid_argument& error) {
      refuse(number, fmt::format("not an interval: {}", error.what()));
    }
    if (interval.lo != next_ || interval.hi < interval.lo || interval.hi > to) {
      refuse(number, fmt::format("an interval should begin at {}, and end at {} at most", next_, to));
    }
    next_ = interval.hi + 1;
    visit(interval);
  });
  if (!headed) file_.append(header.dump() + "\n");
}

void AtlasFile::add(const Interval& interval) {
  kept_ += to_json_line(interval, baseline_compute_);
  kept_ += '\n';
  next_ = interval.hi + 1;
  const auto now = std::chrono::steady_clock::now();
  if (kept_.size() < kKeepBytes && now - written_ < kKeepTime) return;
  written_ = now;
  file_.append(kept_);
  kept_.clear();
}

void AtlasFile::flush() {
  file_.append(kept_);
  kept_.clear();
  file_.sync();
}

} // namespace dtrmc::atlas
