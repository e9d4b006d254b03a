// SPDX-License-Identifier: Apache-2.0
// The dtrmc platform with a CPU model of our own in place of its instruction-set simulator: the same firmware takes the
// same evictions, in other cycles. Both runs are compared with the software simulator.
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <string>

#include "firmware/image.h"
#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "simple_cpu.h"
#include "systemc/cosim/cosim.h"
#include "systemc/platform/child_process.h"

namespace {

void call(std::ostream& out, const std::string& result, const std::string& arguments, int time, long bytes) {
  out << R"({"INSTRUCTION":"CALL","NAME":"layer","ARGS":[)" << arguments << R"(],"RESULT":[")" << result
      << R"("],"TIME":")" << time << "\"}\n"
      << R"({"INSTRUCTION":"MEMORY","NAME":")" << result << R"(","MEMORY":")" << bytes << "\"}\n"
      << R"({"INSTRUCTION":"ALIAS","NAME":")" << result << R"(","ALIAS":"-1"})"
      << "\n";
}

void release(std::ostream& out, const std::string& name) {
  out << R"({"INSTRUCTION":"RELEASE","NAME":")" << name << "\"}\n";
}

// A training step of `layers` layers: forward, then backward.
std::string training_step(int layers) {
  std::ostringstream out;
  out << R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})"
      << "\n"
      << R"({"INSTRUCTION":"CONSTANT","NAME":"a0"})"
      << "\n"
      << R"({"INSTRUCTION":"MEMORY","NAME":"a0","MEMORY":"1000"})"
      << "\n";
  const auto name = [](char kind, int i) { return '"' + (kind + std::to_string(i)) + '"'; };
  for (int i = 1; i <= layers; ++i) call(out, "a" + std::to_string(i), name('a', i - 1), 1000 + i, 1000 + 10 * i);
  std::string above = name('a', layers);
  for (int i = layers; i >= 1; --i) {
    const std::string gradient = "g" + std::to_string(i);
    call(out, gradient, name('a', i - 1) + "," + above, 2000 + i, 1000 + 10 * i);
    release(out, above.substr(1, above.size() - 2));
    if (i > 1) release(out, "a" + std::to_string(i - 1));
    above = name('g', i);
  }
  return out.str();
}

} // namespace

int main() {
  try {
    const dtrmc::trace::Schedule schedule = dtrmc::trace::parse_text(training_step(60), "training-step.log");
    dtrmc::platform::PlatformConfig config;
    config.budget = 20000;
    const dtrmc::firmware::Image image = dtrmc::firmware::image();
    config.firmware.assign(image.data, image.data + image.size);
    config.firmware_name = "built-in firmware";

    dtrmc::sim::Settings settings;
    settings.heuristic = dtrmc::sim::parse_heuristic("dtr-eq");
    settings.budget = config.budget;
    const dtrmc::sim::Result expected = dtrmc::sim::simulate(schedule, settings);

    // SystemC elaborates once per process: the first run has one of its own.
    const std::string iss = dtrmc::platform::run_in_child([&] {
      const dtrmc::cosim::CosimReport report = dtrmc::cosim::run_cosim(schedule, config);
      return report.record.all_sha256 + " " + std::to_string(report.platform.cycles);
    });

    config.cpu = "simple";
    config.make_cpu = [](const dtrmc::cpu::RamView& ram, dtrmc::cpu::Environment& environment) {
      return std::make_unique<SimpleCpu>(ram, environment);
    };
    const dtrmc::cosim::CosimReport report = dtrmc::cosim::run_cosim(schedule, config);

    const std::string hash = iss.substr(0, iss.find(' '));
    std::printf("%llu evictions; cycles: %s on dtrmc's simulator, %llu on our CPU\n",
                static_cast<unsigned long long>(report.record.all_evictions), iss.substr(iss.find(' ') + 1).c_str(),
                static_cast<unsigned long long>(report.platform.cycles));
    for (const std::string& check : report.failed_checks) std::printf("failed check: %s\n", check.c_str());
    const bool good = report.failed_checks.empty() && report.record.policy_evictions > 0 &&
                      report.record.all_sha256 == expected.record.all_sha256 && hash == expected.record.all_sha256;
    std::printf("%s\n", good ? "ok" : "FAILED");
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
