// SPDX-License-Identifier: Apache-2.0
// Writes a timeline in Chrome's Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing open.
//
// Events may be given out of order; they are written in order of time, those of one instant by track and then as
// given. So the file depends on the run alone, not on how far one part of the simulation ran ahead of another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "host/record/output_file.h"
#include "host/record/window.h"

namespace dtrmc::recording {

using Track = std::uint32_t; // also the rank among events of one instant

class TraceEventWriter {
 public:
  // What lies outside `window` when it is settled is left out; counters get their value at its begin.
  TraceEventWriter(record::OutputFile& out, const record::Window& window);

  // Before everything else: names shown in the viewer. Tracks are shown in ascending order.
  void name_process(std::string_view name);
  void name_track(Track track, std::string_view name);

  // `args`: the inside of a JSON object, "\"bytes\":12"; empty: none.
  void slice(Track track, std::string_view name, std::string_view category, std::uint64_t begin_ps,
             std::uint64_t duration_ps, std::string_view args = {});
  void instant(Track track, std::string_view name, std::string_view category, std::uint64_t time_ps,
               std::string_view args = {});
  void counter(Track track, std::string_view name, std::string_view unit, std::uint64_t value, std::uint64_t time_ps);
  // An arrow from the slice on `from` that covers `from_ps` to the one on `to` that covers `to_ps`.
  void flow(std::uint64_t id, std::string_view name, Track from, std::uint64_t from_ps, Track to, std::uint64_t to_ps);

  // Nothing that is given from now on lies before `time_ps`: what does, is written.
  void settle(std::uint64_t time_ps);
  void finish(); // writes the rest; nothing may follow

  static std::string quoted(std::string_view text); // as a JSON string; the text is UTF-8, as the parser checks

 private:
  struct Pending {
    std::uint64_t time_ps;
    Track track;
    std::uint64_t sequence;
    std::uint64_t since_ps;                  // earliest time that it refers to
    std::string text;                        // empty: a counter
    std::uint64_t value;                     // of a counter
    bool operator<(const Pending& o) const { // the queue's top is its largest
      if (time_ps != o.time_ps) return time_ps > o.time_ps;
      if (track != o.track) return track > o.track;
      return sequence > o.sequence;
    }
  };
  struct Counter {
    std::string name;
    std::string unit;
    std::optional<std::uint64_t> before; // the window: last value
  };
  void add(std::uint64_t time_ps, Track track, std::uint64_t since_ps, std::string text, std::uint64_t value = 0);
  void write_counter(Track track, std::uint64_t value, std::uint64_t time_ps);
  void begin_window();
  void put(std::string_view text);

  record::OutputFile& out_;
  const record::Window& window_;
  std::map<Track, Counter> counters_;
  std::priority_queue<Pending> pending_;
  std::vector<std::uint64_t> sequence_; // by track
  bool first_ = true;
  bool begun_ = false; // something in the window was written
};

} // namespace dtrmc::recording
