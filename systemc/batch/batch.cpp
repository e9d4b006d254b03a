// SPDX-License-Identifier: Apache-2.0
#include "systemc/batch/batch.h"

#include <cstring>
#include <optional>
#include <stdexcept>

#include "firmware/batch.h"
#include "host/command/encoder.h"
#include "host/ledger/ledger.h"
#include "host/record/run_recorder.h"
#include "systemc/cpu/elf_loader.h"

namespace dtrmc::batch {

namespace {

constexpr std::uint32_t kPlausibleArena = 4096; // bytes that must at least be left

template <typename T>
T load(const std::vector<std::uint8_t>& bytes, std::uint32_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

template <typename T>
void store(std::vector<std::uint8_t>& bytes, std::uint32_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Nothing outside RAM but the word that ends the run.
class Nowhere : public cpu::Environment {
 public:
  cpu::Processor* processor = nullptr;
  std::optional<Run> end;

  cpu::MmioResult read(std::uint32_t, unsigned, std::uint64_t) override { return {true, 0, 0}; }
  cpu::MmioResult write(std::uint32_t address, unsigned bytes, std::uint32_t data, std::uint64_t cycle) override {
    if (address != DTRMC_BATCH_END || bytes != 4) return {true, 0, 0};
    end = Run{cycle, processor->instructions(), data};
    processor->request_stop();
    return {};
  }
  std::uint32_t interrupt_lines(std::uint64_t) override { return 0; }
};

} // namespace

Ram::Ram(const std::string& elf_path, const trace::Schedule& schedule, const Setup& setup)
    : bytes_(setup.ram_bytes), wait_states_(setup.ram_wait_states) {
  const cpu::ElfImage image = cpu::ElfImage::read(elf_path);
  image.load_into(view());
  entry_ = image.entry();
  batch_ = image.require_symbol("dtrmc_batch", "the block of a batch image").address - DTRMC_RAM_BASE;
  shared_ = image.require_symbol("dtrmc_shared", "the shared block").address - DTRMC_RAM_BASE;
  const auto fail = [&](const std::string& what) { throw std::runtime_error(elf_path + ": " + what); };
  if (std::uint64_t{shared_} + sizeof(dtrmc_shared) > bytes_.size()) fail("the shared block does not lie in RAM");
  auto block = load<dtrmc_shared>(bytes_, shared_);
  if (block.magic != DTRMC_PROTOCOL_MAGIC || block.version != DTRMC_PROTOCOL_VERSION) fail("not this protocol");
  if (setup.action_slots == 0 || (setup.action_slots & (setup.action_slots - 1)) != 0) {
    throw std::runtime_error("batch: the action ring must have a power of two of slots");
  }

  std::uint64_t position = shared_ + DTRMC_RING_OFFSET;
  const command::TensorIds ids(schedule);
  std::vector<std::uint32_t> words;
  const std::size_t commands = command::command_count(schedule);
  std::uint64_t ring_words = 0;
  for (std::size_t i = 0; i < commands; ++i) {
    command::encode(schedule, ids, i, words);
    if (position + 4 * words.size() > bytes_.size()) fail("the commands do not fit into RAM; give it more");
    std::memcpy(bytes_.data() + position, words.data(), 4 * words.size());
    position += 4 * words.size();
    ring_words += words.size();
  }
  dtrmc_batch batch{};
  batch.commands = static_cast<std::uint32_t>(commands);
  batch.actions = static_cast<std::uint32_t>(DTRMC_RAM_BASE + position);
  batch.action_slots = setup.action_slots;
  position += std::uint64_t{4} * setup.action_slots;
  position = (position + 15) & ~std::uint64_t{15};
  batch.arena = static_cast<std::uint32_t>(DTRMC_RAM_BASE + position);
  if (position + kPlausibleArena > bytes_.size()) fail("the action ring does not fit into RAM; give it more");
  store(bytes_, batch_, batch);

  block.ring_words = static_cast<std::uint32_t>(ring_words);
  block.ram_bytes = setup.ram_bytes;
  block.heuristic = setup.heuristic;
  block.scorer = DTRMC_SCORER_FIRMWARE;
  block.queue_depth = 1;
  block.time = DTRMC_TIME_MODEL;
  block.tick_ns = 1;
  block.budget = setup.budget;
  block.remat_limit = setup.remat_limit;
  store(bytes_, shared_, block);
}

std::uint32_t Ram::action_count() const { return load<dtrmc_batch>(bytes_, batch_).action_count; }

std::vector<std::uint32_t> Ram::actions() const {
  const auto batch = load<dtrmc_batch>(bytes_, batch_);
  if (batch.action_count > batch.action_slots) {
    throw std::runtime_error("batch: " + std::to_string(batch.action_count) + " actions, the ring holds " +
                             std::to_string(batch.action_slots));
  }
  std::vector<std::uint32_t> words(batch.action_count);
  if (!words.empty()) {
    std::memcpy(words.data(), bytes_.data() + (batch.actions - DTRMC_RAM_BASE), 4 * words.size());
  }
  return words;
}

dtrmc_shared Ram::shared() const { return load<dtrmc_shared>(bytes_, shared_); }

Run run(Ram& ram, const cpu::MakeProcessor& make, std::uint64_t quantum, std::uint64_t max_cycles) {
  Nowhere nowhere;
  const std::unique_ptr<cpu::Processor> processor = make(ram.view(), nowhere);
  nowhere.processor = processor.get();
  processor->reset(ram.entry());
  while (!nowhere.end) {
    if (processor->cycle() > max_cycles) throw std::runtime_error("batch: the image does not end");
    switch (processor->run(processor->cycle() + quantum)) {
      case cpu::Stop::kFault:
        throw std::runtime_error("batch: " + processor->fault().text);
      case cpu::Stop::kWaitForInterrupt:
        throw std::runtime_error("batch: the image sleeps");
      case cpu::Stop::kCycleLimit:
      case cpu::Stop::kRequested:
        break;
    }
  }
  return *nowhere.end;
}

record::RunRecord record_of(const Ram& ram, const trace::Schedule& schedule, const Setup& setup) {
  record::RunRecorder recorder(schedule);
  ledger::Ledger ledger(schedule, setup.budget, &recorder);
  for (const std::uint32_t word : ram.actions()) {
    if (const auto violation = ledger.on_action(word)) {
      throw std::runtime_error(std::string("batch: ledger: ") + ledger::to_string(violation->rule) + ": " +
                               violation->text);
    }
  }
  record::Status status = record::Status::kOk;
  if (const auto reason = ledger.failed()) {
    status = *reason == DTRMC_FAIL_OOM             ? record::Status::kOom
             : *reason == DTRMC_FAIL_THRASH        ? record::Status::kThrash
             : *reason == DTRMC_FAIL_METADATA_FULL ? record::Status::kMetadataFull
                                                   : throw std::runtime_error("batch: the firmware refused its input");
  } else if (!ledger.ended()) {
    throw std::runtime_error("batch: neither END nor FAIL");
  }
  return recorder.finish(status);
}

} // namespace dtrmc::batch
