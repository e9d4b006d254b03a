// SPDX-License-Identifier: Apache-2.0
#include "tests/support/firmware_host.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>

#include "host/command/encoder.h"
#include "host/ledger/ledger.h"
#include "host/record/run_recorder.h"

namespace dtrmc::test {

namespace {

class EventList : public record::EventSink {
 public:
  void on_event(const record::Event& event) override { events.push_back(event); }
  std::vector<record::Event> events;
};

// The hardware around the firmware. Nothing here may throw: C frames lie in between.
class Board {
 public:
  explicit Board(const FirmwareSetup& setup)
      : setup_(setup),
        arena_(new std::uint64_t[setup.arena_bytes / 8 + 1]), // not cleared, as RAM
        block_((sizeof(dtrmc_shared) + 4 * std::size_t{setup.ring_words} + 7) / 8) {
    dtrmc_shared& block = shared();
    block.magic = DTRMC_PROTOCOL_MAGIC;
    block.version = DTRMC_PROTOCOL_VERSION;
    block.ring_words = setup.ring_words;
    block.ram_bytes = static_cast<std::uint32_t>(setup.arena_bytes);
    block.heuristic = setup.heuristic;
    block.scorer = setup.unit != nullptr ? std::uint32_t{DTRMC_SCORER_UNIT} : setup.scorer;
    block.queue_depth = setup.queue_depth;
    block.time = setup.time;
    block.tick_ns = setup.tick_ns;
    block.budget = setup.budget;
    block.remat_limit = setup.remat_limit;
  }

  dtrmc_shared& shared() { return *reinterpret_cast<dtrmc_shared*>(block_.data()); }
  std::uint32_t* ring() { return reinterpret_cast<std::uint32_t*>(block_.data()) + sizeof(dtrmc_shared) / 4; }
  void ring_doorbell() { ++rung_; }

  std::function<void(std::uint32_t)> on_action;           // carried out, in order
  std::function<std::uint64_t(std::uint32_t)> busy;       // ns that an action keeps the accelerator; empty: none
  std::function<void(std::uint32_t)> on_complete_command; // after on_action, for COMPLETE

  FirmwareResult run() {
    dtrmc_host_hal hal{};
    hal.context = this;
    hal.shared = &shared();
    hal.arena = arena_.get();
    hal.arena_bytes = setup_.arena_bytes;
    hal.first_order = setup_.first_order;
    hal.commands = [](void* self) { return board(self).rung_; };
    hal.take = [](void* self) { board(self).take(); };
    hal.action = [](void* self, std::uint32_t word) { board(self).action(word); };
    hal.outstanding = [](void* self) { return static_cast<std::uint32_t>(board(self).queue_.size()); };
    hal.threshold = [](void* self, std::uint32_t value) { board(self).threshold_ = value; };
    hal.ticks = [](void* self) { return board(self).ticks(); };
    hal.wait = [](void* self, std::uint32_t line) { return board(self).wait(line) ? 1 : 0; };
    hal.unit_read = [](void* self, std::uint32_t offset) { return board(self).unit_read(offset); };
    hal.unit_write = [](void* self, std::uint32_t offset, std::uint32_t value) {
      board(self).unit_write(offset, value);
    };
    hal.activity = [](void* self, std::uint32_t mark) { board(self).activity(mark); };
    const dtrmc_firmware_end end = setup_.engine(hal);
    while (!queue_.empty()) carry_out();
    if (setup_.unit != nullptr && result_.fault.empty()) result_.fault = setup_.unit->fault();
    result_.starved = end == DTRMC_FIRMWARE_STARVED;
    std::memcpy(&result_.shared, &shared(), sizeof(dtrmc_shared));
    return result_;
  }

  void fault(const std::string& text) {
    if (result_.fault.empty()) result_.fault = text;
  }

 private:
  static Board& board(void* self) { return *static_cast<Board*>(self); }

  void take() {
    if (taken_ == rung_) fault("TAKE without a rung command");
    ++taken_;
  }

  void action(std::uint32_t word) {
    if (queue_.size() >= DTRMC_MAILBOX_ACTION_SLOTS) fault("action posted into a full queue");
    if (stopped_) fault("action after FAIL");
    const std::uint32_t kind = DTRMC_ACTION_KIND(word);
    stopped_ = kind == DTRMC_ACTION_FAIL;
    const bool executes = kind == DTRMC_ACTION_EXECUTE_FIRST || kind == DTRMC_ACTION_EXECUTE_REMAT;
    if (executes && queue_.size() >= setup_.queue_depth) {
      // Legal only if evictions and completions fill the queue; executions alone never may.
      const auto executions = std::count_if(queue_.begin(), queue_.end(), [](std::uint32_t queued) {
        return DTRMC_ACTION_KIND(queued) <= DTRMC_ACTION_EXECUTE_REMAT;
      });
      if (executions >= static_cast<std::ptrdiff_t>(setup_.queue_depth)) fault("executes beyond the queue depth");
    }
    queue_.push_back(word);
    if (setup_.pace == Pace::kEager) carry_out();
  }

  void carry_out() {
    const std::uint32_t word = queue_.front();
    queue_.pop_front();
    result_.actions.push_back(word);
    if (busy) device_ns_ += busy(word);
    if (on_action) on_action(word);
    if (DTRMC_ACTION_KIND(word) == DTRMC_ACTION_FAIL) result_.failure = DTRMC_ACTION_ID(word);
    if (DTRMC_ACTION_KIND(word) == DTRMC_ACTION_COMPLETE && on_complete_command) on_complete_command(word);
  }

  std::uint64_t ticks() {
    if (setup_.latency) device_ns_ += setup_.latency();
    return device_ns_ / setup_.tick_ns;
  }

  bool wait(std::uint32_t line) {
    switch (line) {
      case DTRMC_IRQ_COMMAND:
        while (rung_ == taken_ && !queue_.empty()) carry_out();
        return rung_ != taken_;
      case DTRMC_IRQ_ACCELERATOR:
        while (queue_.size() >= threshold_ && !queue_.empty()) carry_out();
        return queue_.size() < threshold_;
      case DTRMC_IRQ_UNIT:
        return setup_.unit != nullptr && setup_.unit->interrupt();
      default:
        fault("wait for an unknown line");
        return false;
    }
  }

  std::uint32_t unit_read(std::uint32_t offset) { return setup_.unit == nullptr ? 0 : setup_.unit->read(offset); }
  void unit_write(std::uint32_t offset, std::uint32_t value) {
    if (setup_.unit == nullptr) return fault("write to an absent scoring unit");
    setup_.unit->write(offset, value);
  }

  void activity(std::uint32_t mark) {
    if ((mark & ~DTRMC_IN_DECISION) >= DTRMC_ACTIVITY_COUNT) fault("unknown activity");
    if ((mark & DTRMC_IN_DECISION) != 0 && (mark_ & DTRMC_IN_DECISION) == 0) ++result_.decision_marks;
    mark_ = mark;
  }

  const FirmwareSetup& setup_;
  std::unique_ptr<std::uint64_t[]> arena_;
  std::vector<std::uint64_t> block_;
  std::deque<std::uint32_t> queue_;
  std::uint32_t rung_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t threshold_ = 0;
  std::uint32_t mark_ = 0;
  bool stopped_ = false;
  std::uint64_t device_ns_ = 1; // the device clock
  FirmwareResult result_;
};

// Keeps up to queue_depth commands in the ring.
class HostDriver {
 public:
  using Encode = std::function<void(std::size_t, std::vector<std::uint32_t>&)>;

  HostDriver(Board& board, const FirmwareSetup& setup, std::size_t count, Encode encode)
      : board_(board), setup_(setup), allocator_(setup.ring_words), count_(count), encode_(std::move(encode)) {
    board.on_complete_command = [this](std::uint32_t word) {
      if (DTRMC_ACTION_ID(word) != completed_) board_.fault("completion out of order");
      ++completed_;
      if (allocator_.incomplete() == 0) return board_.fault("completion without a command");
      allocator_.complete();
      fill();
    };
    fill();
  }

  std::size_t completed() const { return completed_; }

 private:
  void fill() {
    std::vector<std::uint32_t> words;
    while (next_ < count_ && allocator_.incomplete() < setup_.queue_depth) {
      encode_(next_, words);
      const auto place = allocator_.place(static_cast<std::uint32_t>(words.size()));
      if (!place) return;
      if (place->skip_words != 0) board_.ring()[place->skip_offset] = DTRMC_COMMAND_SKIP | place->skip_words << 8;
      std::copy(words.begin(), words.end(), board_.ring() + place->offset);
      board_.ring_doorbell();
      ++next_;
    }
  }

  Board& board_;
  const FirmwareSetup& setup_;
  command::RingAllocator allocator_;
  std::size_t count_;
  Encode encode_;
  std::size_t next_ = 0;
  std::size_t completed_ = 0;
};

record::Status status_of(const FirmwareResult& result) {
  if (!result.failure) return record::Status::kOk;
  switch (*result.failure) {
    case DTRMC_FAIL_OOM:
      return record::Status::kOom;
    case DTRMC_FAIL_THRASH:
      return record::Status::kThrash;
    default:
      return record::Status::kMetadataFull;
  }
}

} // namespace

FirmwareResult run_firmware(const trace::Schedule& schedule, const FirmwareSetup& setup) {
  Board board(setup);
  EventList events;
  ledger::Ledger ledger(schedule, setup.budget, &events);
  board.on_action = [&](std::uint32_t word) {
    if (const auto violation = ledger.on_action(word)) board.fault(violation->text);
  };
  const command::TensorIds ids(schedule);
  board.busy = [&](std::uint32_t word) {
    const std::uint32_t kind = DTRMC_ACTION_KIND(word);
    const bool executes = kind == DTRMC_ACTION_EXECUTE_FIRST || kind == DTRMC_ACTION_EXECUTE_REMAT;
    return executes ? schedule.operators[DTRMC_ACTION_ID(word)].cost : 0;
  };
  HostDriver driver(
      board, setup, command::command_count(schedule),
      [&](std::size_t index, std::vector<std::uint32_t>& words) { command::encode(schedule, ids, index, words); });
  FirmwareResult result = board.run();
  result.ended = ledger.ended();
  result.events = std::move(events.events);
  record::RunRecorder recorder(schedule);
  for (const record::Event& event : result.events) recorder.on_event(event);
  result.record = recorder.finish(status_of(result));
  if (result.fault.empty() && result.shared.clock != ledger.clock()) result.fault = "clock differs from the ledger's";
  return result;
}

FirmwareResult run_commands(const std::vector<std::vector<std::uint32_t>>& records, const FirmwareSetup& setup) {
  Board board(setup);
  HostDriver driver(board, setup, records.size(),
                    [&](std::size_t index, std::vector<std::uint32_t>& words) { words = records[index]; });
  FirmwareResult result = board.run();
  result.ended = !result.failure && driver.completed() == records.size();
  return result;
}

FirmwareResult run_ring(const std::vector<std::uint32_t>& ring, std::uint32_t rung, const FirmwareSetup& setup) {
  FirmwareSetup sized = setup;
  sized.ring_words = static_cast<std::uint32_t>(ring.size());
  Board board(sized);
  std::copy(ring.begin(), ring.end(), board.ring());
  for (std::uint32_t i = 0; i < rung; ++i) board.ring_doorbell();
  return board.run();
}

} // namespace dtrmc::test
