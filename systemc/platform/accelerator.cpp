// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/accelerator.h"

#include <algorithm>

#include "firmware/protocol.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

namespace {

// SystemC time is 64 bits of ps; a run stays below half of that, about 106 days of device time.
constexpr std::uint64_t kLastPs = std::uint64_t{1} << 63;

bool is_execute(std::uint32_t word) {
  const std::uint32_t kind = DTRMC_ACTION_KIND(word);
  return kind == DTRMC_ACTION_EXECUTE_FIRST || kind == DTRMC_ACTION_EXECUTE_REMAT;
}

} // namespace

Accelerator::Accelerator(sc_core::sc_module_name name, const trace::Schedule& schedule)
    : sc_module(name),
      socket("socket"),
      queue("queue"),
      observer("observer"),
      completion("completion"),
      schedule_(schedule) {
  queue.bind(*this);
  socket.register_b_transport(this, &Accelerator::b_transport);
  SC_HAS_PROCESS(Accelerator);
  SC_METHOD(advance);
  sensitive << finish_event_;
  dont_initialize();
}

void Accelerator::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!is_word_access(payload)) return;
  if (!payload.is_write() || payload.get_address() != 0) return refuse(payload);
  advance();
  std::vector<std::uint32_t> words{payload_word(payload)};
  if (posted) posted(words.front(), sc_core::sc_time_stamp());
  if (inject) words = inject(words.front());
  for (const std::uint32_t word : words) queue_.push_back({word, sc_core::sc_time_stamp()});
  advance();
  accept(payload);
}

std::uint32_t Accelerator::outstanding() {
  advance();
  return static_cast<std::uint32_t>(queue_.size());
}

sc_core::sc_time Accelerator::next_change() {
  advance();
  return executing_ ? finish_ : sc_core::sc_max_time();
}

std::vector<std::pair<std::uint32_t, sc_core::sc_time>> Accelerator::posted_actions() {
  advance();
  std::vector<std::pair<std::uint32_t, sc_core::sc_time>> result;
  for (const Queued& queued : queue_) result.emplace_back(queued.word, queued.posted);
  return result;
}

std::optional<sc_core::sc_time> Accelerator::busy_until() {
  advance();
  return executing_ ? std::optional<sc_core::sc_time>(finish_) : std::nullopt;
}

bool Accelerator::take_effect(std::uint32_t word, const sc_core::sc_time& time) {
  if (!observer->on_action(word, time)) {
    stopped_ = true;
    queue_.clear();
    return false;
  }
  return true;
}

void Accelerator::advance() {
  if (advancing_ || stopped_) return;
  advancing_ = true;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const std::size_t before = queue_.size();
  while (!queue_.empty()) {
    const Queued front = queue_.front();
    if (executing_) {
      if (finish_ > now) break;
      executing_ = false;
      free_at_ = finish_;
      queue_.pop_front();
      continue;
    }
    const sc_core::sc_time start = std::max(front.posted, free_at_);
    if (!take_effect(front.word, start)) break;
    if (is_execute(front.word)) {
      const std::uint64_t cost = schedule_.operators[DTRMC_ACTION_ID(front.word)].cost;
      if (cost > (kLastPs - ClockDomain::to_ps(start)) / 1000) {
        time_overflow_ = stopped_ = true;
        queue_.clear();
        observer->on_time_overflow();
        break;
      }
      executing_ = true;
      finish_ = start + ClockDomain::from_ps(cost * 1000);
      busy_ns_ += cost;
    } else {
      queue_.pop_front();
      if (DTRMC_ACTION_KIND(front.word) == DTRMC_ACTION_COMPLETE) completion->on_complete(start);
      if (DTRMC_ACTION_KIND(front.word) == DTRMC_ACTION_FAIL) completion->on_fail(DTRMC_ACTION_ID(front.word), start);
    }
  }
  if (executing_) {
    finish_event_.cancel();
    finish_event_.notify(finish_ - now);
  }
  if (queue_.size() != before) progressed_.notify(sc_core::SC_ZERO_TIME);
  advancing_ = false;
}

} // namespace dtrmc::platform
