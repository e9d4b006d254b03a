// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/function_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dtrmc::profile {

namespace {
constexpr const char* kAsleep = "(asleep)";
} // namespace

FunctionProfile::FunctionProfile(const cpu::ElfImage& image) : functions_(image), stack_(functions_) {}

FunctionProfile::Charge& FunctionProfile::charge(StackId stack) {
  if (stack >= charges_.size()) charges_.resize(stack + 1);
  return charges_[stack];
}

void FunctionProfile::charge_sleep(std::uint64_t until) {
  if (until > charged_until_) charge(last_).asleep += until - charged_until_;
  charged_until_ = std::max(charged_until_, until);
}

void FunctionProfile::on_step(const cpu::Core& core, const Step& step) {
  charge_sleep(step.begin);
  last_ = stack_.at(step.pc);
  charge(last_).awake += step.end - step.begin;
  charged_until_ = step.end;
  stack_.follow(step, core.reg(2));
}

void FunctionProfile::finish(std::uint64_t cycle) {
  charge_sleep(cycle);
  charges_.resize(stack_.nodes().size());
}

std::uint64_t FunctionProfile::cycles() const {
  std::uint64_t sum = 0;
  for (const Charge& charge : charges_) sum += charge.awake + charge.asleep;
  return sum;
}

std::vector<FunctionCycles> FunctionProfile::functions() const {
  const std::vector<CallStack::Node>& nodes = stack_.nodes();
  std::vector<FunctionCycles> result(functions_.size() + 1);
  for (FunctionId f = 0; f < functions_.size(); ++f) result[f].name = functions_.name(f);
  FunctionCycles& asleep = result.back();
  asleep.name = kAsleep;
  std::vector<std::uint64_t> inclusive(nodes.size());                    // with everything called from there
  for (StackId i = static_cast<StackId>(nodes.size()) - 1; i > 0; --i) { // children before parents
    inclusive[i] += charges_[i].awake + charges_[i].asleep;
    inclusive[nodes[i].parent] += inclusive[i];
  }
  for (StackId i = 1; i < nodes.size(); ++i) {
    FunctionCycles& function = result[nodes[i].function];
    function.self += charges_[i].awake;
    function.calls += nodes[i].calls;
    asleep.self += charges_[i].asleep;
    bool outermost = true; // of this function on this stack
    for (StackId at = nodes[i].parent; at != CallStack::kRoot && outermost; at = nodes[at].parent) {
      outermost = nodes[at].function != nodes[i].function;
    }
    if (outermost) function.total += inclusive[i];
  }
  if (!charges_.empty()) asleep.self += charges_[CallStack::kRoot].asleep; // before the first instruction
  asleep.total = asleep.self;
  result.erase(std::remove_if(result.begin(), result.end(),
                              [](const FunctionCycles& f) { return f.total == 0 && f.calls == 0; }),
               result.end());
  std::sort(result.begin(), result.end(), [](const FunctionCycles& a, const FunctionCycles& b) {
    return std::tie(b.self, a.name) < std::tie(a.self, b.name);
  });
  return result;
}

std::string FunctionProfile::folded() const {
  const std::vector<CallStack::Node>& nodes = stack_.nodes();
  std::vector<std::string> lines;
  for (StackId i = 0; i < charges_.size(); ++i) {
    if (charges_[i].awake + charges_[i].asleep == 0) continue;
    std::vector<StackId> path;
    for (StackId at = i; at != CallStack::kRoot; at = nodes[at].parent) path.push_back(at);
    std::string text;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      if (!text.empty()) text += ';';
      text += functions_.name(nodes[*at].function);
    }
    if (charges_[i].awake != 0) lines.push_back(fmt::format("{} {}\n", text, charges_[i].awake));
    if (charges_[i].asleep != 0) {
      lines.push_back(fmt::format("{}{}{} {}\n", text, text.empty() ? "" : ";", kAsleep, charges_[i].asleep));
    }
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

} // namespace dtrmc::profile
