// SPDX-License-Identifier: Apache-2.0
#include "tests/cpu_rtl/marks_board.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace dtrmc::test {

std::vector<MarksBoard::Mark> MarksBoard::run(cpu::Processor& processor, const std::vector<uint32_t>& program,
                                              uint64_t quantum) {
  if (program.size() * 4 > kRamBytes / 2) throw std::logic_error("the program does not fit");
  std::fill(ram_.begin(), ram_.end(), std::uint8_t{0});
  std::memcpy(ram_.data(), program.data(), program.size() * 4);
  timer_ = ~uint64_t{0};
  marks_.clear();
  ended_ = false;
  processor_ = &processor;
  processor.reset(kRamBase);
  while (!ended_) {
    if (processor.cycle() > 1000000) throw std::runtime_error("the program does not end");
    uint64_t until = processor.cycle() + quantum;
    if (processor.interruptible() && timer_ > processor.cycle()) until = std::min(until, timer_);
    switch (processor.run(until)) {
      case cpu::Stop::kCycleLimit:
      case cpu::Stop::kRequested:
        break;
      case cpu::Stop::kWaitForInterrupt:
        if (timer_ == ~uint64_t{0} || (processor.mie() & 1u << 7) == 0) throw std::runtime_error("sleeps for good");
        processor.wake(std::max(timer_, processor.cycle()));
        break;
      case cpu::Stop::kFault:
        throw std::runtime_error(processor.fault().text);
    }
  }
  return marks_;
}

cpu::MmioResult MarksBoard::read(uint32_t, unsigned, uint64_t) { return {true, 0, bus_wait_}; }

cpu::MmioResult MarksBoard::write(uint32_t address, unsigned bytes, uint32_t data, uint64_t cycle) {
  if (bytes != 4) return {true, 0, bus_wait_};
  switch (address) {
    case kMark:
      marks_.push_back({cycle, data});
      break;
    case kEnd:
      ended_ = true;
      processor_->request_stop();
      break;
    case kTimerIn:
      timer_ = cycle + data;
      break;
    case kTimerStop:
      timer_ = ~uint64_t{0};
      break;
    default:
      return {true, 0, bus_wait_};
  }
  return {false, 0, bus_wait_};
}

} // namespace dtrmc::test
