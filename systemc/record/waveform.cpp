// SPDX-License-Identifier: Apache-2.0
#include "systemc/record/waveform.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "systemc/platform/platform.h"

namespace dtrmc::recording {

namespace {

namespace fs = std::filesystem;

bool is_vcd(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".vcd") return true;
  if (extension == ".fst") return false;
  throw record::FileError(fmt::format("{}: the extension decides the format: use .fst or .vcd", path));
}

// The module lies beside the binary; test programs lie one folder below it.
const unit::WaveModule* load_module(const std::string& unit) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  const std::string name = fmt::format("dtrmc-wave-{}.so", unit);
  for (const fs::path& folder : {here, here.parent_path()}) {
    const fs::path path = folder / name;
    if (!fs::exists(path, error)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr)
      throw platform::InputError(fmt::format("{}: cannot be loaded: {}", path.string(), dlerror()));
    const void* symbol = dlsym(module, unit::kWaveModuleSymbol);
    if (symbol == nullptr) throw platform::InputError(path.string() + ": is not a traced scoring unit");
    const auto* interface = static_cast<const char*>(dlsym(module, unit::kWaveInterfaceSymbol));
    if (interface == nullptr || std::strcmp(interface, DTRMC_WAVE_INTERFACE) != 0) {
      throw platform::InputError(path.string() + ": was built from other sources than this program; build both again");
    }
    return static_cast<const unit::WaveModule*>(symbol);
  }
  throw platform::InputError(fmt::format(
      "unit {} is not built with tracing; configure with -DDTRMC_WAVE_UNITS=\"{}\" and build again", unit, unit));
}

// The file's header holds the time of its making and the writer's peak memory: both vary from run to run. Offsets:
// FST header block (type 0): u8 type, u64 length, u64 start, u64 end, double endianness, u64 memory, six u64 ... date.
void remove_circumstances(const std::string& path) {
  constexpr std::streamoff kMemoryUsed = 33;
  constexpr std::streamoff kDate = 202;
  constexpr std::size_t kDateBytes = 119;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  if (file.get() != 0) return; // not such a header
  const std::vector<char> zeros(kDateBytes, '\0');
  file.seekp(kMemoryUsed);
  file.write(zeros.data(), 8);
  file.seekp(kDate);
  file.write(zeros.data(), kDateBytes);
}

} // namespace

Waveform::Waveform(const std::string& path, const std::string& unit, std::uint64_t period_ps,
                   const record::Window& window)
    : file_(path), path_(path), scratch_(fmt::format("{}.tmp.{}.fst", path, getpid())), vcd_(is_vcd(path)) {
  module_ = load_module(unit);
  request_.fst_path = scratch_.c_str();
  request_.period_ps = period_ps;
  request_.window = &window;
}

Waveform::~Waveform() {
  std::remove(scratch_.c_str());
  std::remove((scratch_ + ".vcd").c_str());
}

std::unique_ptr<unit::RtlUnit> Waveform::make_unit() { return std::unique_ptr<unit::RtlUnit>(module_->make(request_)); }

void Waveform::commit() {
  remove_circumstances(scratch_);
  std::string from = scratch_;
  if (vcd_) {
    from += ".vcd";
    if (!module_->to_vcd(scratch_.c_str(), from.c_str())) {
      throw record::FileError(path_ + ": cannot be written: the waveform cannot be converted; is the disk full?");
    }
  }
  std::ifstream in(from, std::ios::binary);
  if (in.peek() != std::ifstream::traits_type::eof()) file_.stream() << in.rdbuf();
  if (!in) throw record::FileError(path_ + ": cannot be written: the recorded waveform cannot be read back");
  file_.commit();
}

} // namespace dtrmc::recording
