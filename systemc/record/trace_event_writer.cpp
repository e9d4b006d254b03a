// SPDX-License-Identifier: Apache-2.0
#include "systemc/record/trace_event_writer.h"

#include <fmt/format.h>

namespace dtrmc::recording {

namespace {

constexpr int kProcess = 1;

// The format counts in microseconds; fractions are allowed. Exact, since a ps is the sixth decimal.
std::string microseconds(std::uint64_t ps) {
  std::string text = fmt::format("{}.{:06}", ps / 1000000, ps % 1000000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string with_args(std::string_view args) { return args.empty() ? "" : fmt::format(",\"args\":{{{}}}", args); }

} // namespace

std::string TraceEventWriter::quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

TraceEventWriter::TraceEventWriter(record::OutputFile& out, const record::Window& window) : out_(out), window_(window) {
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void TraceEventWriter::put(std::string_view text) {
  if (!first_) out_.write(",\n");
  first_ = false;
  out_.write(text);
}

void TraceEventWriter::name_process(std::string_view name) {
  put(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}", kProcess,
                  quoted(name)));
}

void TraceEventWriter::name_track(Track track, std::string_view name) {
  put(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}", kProcess,
                  track, quoted(name)));
  put(fmt::format(
      "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}}}", kProcess,
      track, track));
}

void TraceEventWriter::add(std::uint64_t time_ps, Track track, std::uint64_t since_ps, std::string text,
                           std::uint64_t value) {
  if (track >= sequence_.size()) sequence_.resize(track + 1);
  pending_.push({time_ps, track, sequence_[track]++, since_ps, std::move(text), value});
}

void TraceEventWriter::slice(Track track, std::string_view name, std::string_view category, std::uint64_t begin_ps,
                             std::uint64_t duration_ps, std::string_view args) {
  add(begin_ps, track, begin_ps,
      fmt::format("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{},\"cat\":{}{}}}", kProcess,
                  track, microseconds(begin_ps), microseconds(duration_ps), quoted(name), quoted(category),
                  with_args(args)));
}

void TraceEventWriter::instant(Track track, std::string_view name, std::string_view category, std::uint64_t time_ps,
                               std::string_view args) {
  add(time_ps, track, time_ps,
      fmt::format("{{\"ph\":\"i\",\"s\":\"t\",\"pid\":{},\"tid\":{},\"ts\":{},\"name\":{},\"cat\":{}{}}}", kProcess,
                  track, microseconds(time_ps), quoted(name), quoted(category), with_args(args)));
}

void TraceEventWriter::counter(Track track, std::string_view name, std::string_view unit, std::uint64_t value,
                               std::uint64_t time_ps) {
  counters_.try_emplace(track, Counter{std::string(name), std::string(unit), std::nullopt});
  add(time_ps, track, time_ps, "", value);
}

void TraceEventWriter::write_counter(Track track, std::uint64_t value, std::uint64_t time_ps) {
  const Counter& counter = counters_.at(track);
  put(fmt::format("{{\"ph\":\"C\",\"pid\":{},\"tid\":{},\"ts\":{},\"name\":{},\"args\":{{{}:{}}}}}", kProcess, track,
                  microseconds(time_ps), quoted(counter.name), quoted(counter.unit), value));
}

void TraceEventWriter::flow(std::uint64_t id, std::string_view name, Track from, std::uint64_t from_ps, Track to,
                            std::uint64_t to_ps) {
  // Given together once both ends are known. The start may lie before what is already written: readers sort, and pair
  // by id.
  add(to_ps, to, from_ps,
      fmt::format(
          "{{\"ph\":\"s\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"name\":{},\"cat\":\"flow\"}},\n"
          "{{\"ph\":\"f\",\"bp\":\"e\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"name\":{},\"cat\":\"flow\"}}",
          id, kProcess, from, microseconds(from_ps), quoted(name), id, kProcess, to, microseconds(to_ps),
          quoted(name)));
}

void TraceEventWriter::begin_window() {
  begun_ = true;
  for (const auto& [track, counter] : counters_) {
    if (counter.before) write_counter(track, *counter.before, window_.begins_ps());
  }
}

void TraceEventWriter::settle(std::uint64_t time_ps) {
  while (!pending_.empty() && pending_.top().time_ps < time_ps) {
    const Pending& next = pending_.top();
    const bool is_counter = next.text.empty();
    if (window_.contains(next.time_ps)) {
      if (!begun_) begin_window();
      if (is_counter) {
        write_counter(next.track, next.value, next.time_ps);
      } else if (window_.contains(next.since_ps)) {
        put(next.text);
      }
    } else if (is_counter && !begun_) {
      counters_.at(next.track).before = next.value;
    }
    pending_.pop();
  }
}

void TraceEventWriter::finish() {
  settle(~std::uint64_t{0});
  out_.write("\n]}\n");
}

} // namespace dtrmc::recording
