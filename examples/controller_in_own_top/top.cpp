// SPDX-License-Identifier: Apache-2.0
// The dtrmc controller in somebody else's SystemC design: a chain of layers, forward and backward, in half the memory
// that it would take. Driver and accelerator are our own and know nothing of dtrmc but firmware/protocol.h.
#include <cstdio>
#include <string>
#include <systemc>
#include <vector>

#include "accelerator.h"
#include "driver.h"
#include "firmware/image.h"
#include "host/command/descriptor.h"
#include "systemc/platform/controller.h"

namespace {

constexpr std::uint32_t kLayers = 24;
constexpr std::uint64_t kBytes = 1 << 20;
constexpr std::uint64_t kBudget = 13 * kBytes;

// Operator i makes tensor i on storage i: the input, activations, then gradients from the last layer to the first.
std::vector<Operator> network() {
  std::vector<Operator> operators{{{}, 0, kBytes, 0}};
  for (std::uint32_t i = 1; i <= kLayers; ++i) operators.push_back({{i - 1}, i, kBytes, 1000 + 100 * i});
  for (std::uint32_t i = 1; i <= kLayers; ++i) {
    const std::uint32_t activation = kLayers - i;
    const std::uint32_t above = kLayers + i - 1; // the loss at first, then the gradient before
    operators.push_back({{activation, above}, kLayers + i, kBytes, 2000});
  }
  return operators;
}

std::vector<std::vector<std::uint32_t>> commands(const std::vector<Operator>& operators) {
  using namespace dtrmc::command;
  std::vector<std::vector<std::uint32_t>> result;
  const auto release = [&](std::uint32_t tensor) { append_last_release(result.emplace_back(), tensor); };
  for (std::uint32_t id = 0; id < operators.size(); ++id) {
    const Operator& op = operators[id];
    std::vector<std::uint32_t>& words = result.emplace_back();
    append_operator(words, id == 0 ? DTRMC_COMMAND_CONSTANT : DTRMC_COMMAND_COMPUTE, id,
                    static_cast<std::uint32_t>(op.inputs.size()), 1, op.cost_ns);
    for (const std::uint32_t input : op.inputs) append_input(words, input);
    append_output(words, op.output, op.output, op.bytes);
    // A gradient was the last to need its activation and the gradient above.
    if (id > kLayers) {
      if (op.inputs[0] != 0) release(op.inputs[0]);
      release(op.inputs[1]);
    }
  }
  append_end(result.emplace_back());
  return result;
}

} // namespace

int sc_main(int, char**) {
  const std::vector<Operator> operators = network();

  dtrmc::platform::ControllerConfig config;
  config.budget = kBudget;
  config.heuristic = DTRMC_HEURISTIC_DTR_EQ;
  config.unit = "exact-l4";
  config.ram_bytes = 1 << 20;
  const dtrmc::firmware::Image image = dtrmc::firmware::image();
  config.firmware.assign(image.data, image.data + image.size);
  config.firmware_name = "built-in firmware";

  dtrmc::platform::Controller controller("controller", config);
  const auto list = commands(operators);
  Driver driver("driver", controller, list);
  Accelerator accelerator("accelerator", operators, kBudget);
  driver.socket.bind(controller.host);
  controller.actions.bind(accelerator.actions);
  accelerator.reports.bind(controller.device);

  // Nothing is left to happen once the controller sleeps after END.
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS));

  const dtrmc_shared& firmware = controller.shared();
  std::printf(
      "%u operators run, %u recomputed, %u evicted, at most %llu of %llu bytes; %llu decisions in %llu cycles\n",
      accelerator.executions, accelerator.recomputations, accelerator.evictions,
      static_cast<unsigned long long>(accelerator.most_memory), static_cast<unsigned long long>(kBudget),
      static_cast<unsigned long long>(firmware.decisions),
      static_cast<unsigned long long>(controller.processor().cycle()));
  for (const std::string& error : accelerator.errors) std::printf("error: %s\n", error.c_str());
  const bool good = accelerator.errors.empty() && accelerator.completed == list.size() &&
                    accelerator.executions == operators.size() && accelerator.evictions > 0 &&
                    accelerator.recomputations > 0 && firmware.decisions == accelerator.evictions;
  std::printf("%s\n", good ? "ok" : "FAILED");
  return good ? 0 : 1;
}
