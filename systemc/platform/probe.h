// SPDX-License-Identifier: Apache-2.0
// What the platform's modules tell somebody who watches a run. All times are device time in ps. Without a probe a
// module tests one pointer; a probe only looks, so a watched run is the same run.
#pragma once

#include <cstdint>

#include "systemc/platform/controller_view.h"
#include "systemc/platform/decision.h"

namespace dtrmc::platform {

class Probe {
 public:
  virtual ~Probe() = default;
  // Before time 0. `controller`: the firmware's own state, null where the image does not say where it is.
  virtual void on_start(const ControllerView* controller) = 0;
  // The CPU wrote DTRMC_CSR_ACTIVITY: old and new value. `time` may be ahead of SystemC's by the CPU's quantum;
  // `now` is SystemC's. Nothing that is reported later happened before `now`.
  virtual void on_activity(std::uint32_t before, std::uint32_t after, std::uint64_t time, std::uint64_t now) = 0;
  virtual void on_rung(std::uint64_t time) = 0;                              // the driver rang one more command
  virtual void on_taken(std::uint64_t time) = 0;                             // the firmware took it
  virtual void on_posted(std::uint32_t word, std::uint64_t time) = 0;        // the firmware posted an action word
  virtual void on_unit(bool busy, std::uint64_t time) = 0;                   // the scoring unit began or ended a search
  virtual void on_decided(const Decision& decision, std::uint64_t time) = 0; // when its eviction is posted, before that
  // An action takes effect: an EXECUTE starts. Before the ledger judges it.
  virtual void on_action(std::uint32_t word, std::uint64_t time) = 0;
  virtual void on_memory(std::uint64_t bytes, std::uint64_t time) = 0; // in use from now on
  virtual void on_end(std::uint64_t time) = 0;                         // of the run
};

} // namespace dtrmc::platform
