// SPDX-License-Identifier: Apache-2.0
// dtrmc plot: pictures of sweeps, atlases and explanations, by matplotlib.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "host/cli/command.h"
#include "host/cli/usage_error.h"
#include "host/plot/run_script.h"
#include "host/trace/trace_error.h"

namespace dtrmc::cli {

namespace {

struct PlotOptions {
  std::string kind;
  std::vector<std::string> inputs;
  std::string output;
  std::string title;
  std::string synthesis;
  std::string part;
};

int run_plot(const PlotOptions& given) {
  PlotOptions options = given;
  if (options.kind != "pareto" && !(options.synthesis.empty() && options.part.empty())) {
    throw UsageError("--synthesis and --part belong to plot pareto");
  }
  std::error_code ignored;
  if (!options.synthesis.empty() && !std::filesystem::is_regular_file(options.synthesis, ignored)) {
    throw UsageError(fmt::format("--synthesis {}: no such file", trace::in_quotes(options.synthesis)));
  }
  if (options.synthesis.empty()) options.synthesis = DTRMC_SOURCE_DIR "/rtl/synth/results.csv";
  std::vector<std::string> arguments = {options.kind,
                                        "--output=" + options.output,
                                        "--title=" + options.title,
                                        "--synthesis=" + options.synthesis,
                                        "--part=" + options.part,
                                        "--"};
  arguments.insert(arguments.end(), options.inputs.begin(), options.inputs.end());
  std::vector<std::string> pythons = {"python3", "/usr/bin/python3"};
  if (const char* own = std::getenv("DTRMC_PYTHON"); own != nullptr && *own != '\0') pythons = {own};
  std::cout.flush();
  const int code = plot::run_script(pythons, arguments);
  if (code == plot::kNoPython) throw UsageError("plot needs Python 3: apt-get install python3-matplotlib");
  if (code == plot::kNoMatplotlib) {
    throw UsageError(
        "plot needs matplotlib: apt-get install python3-matplotlib, or name a Python that has it in "
        "DTRMC_PYTHON");
  }
  if (code != 0 && code != 2) throw std::runtime_error(fmt::format("the plot script ends with {}", code));
  return code; // 2: it has said why
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<PlotOptions>();
  app.add_option(
         "KIND", options->kind,
         "overhead (overhead and outcome against budget), nesting (depth against budget), strips (one per "
         "arithmetic and tick): of files of sweep and atlas; memory (over the operators): of the output of explain "
         "--json; pareto (exposed latency against area and clock): of files of sweep --engine cosim")
      ->required()
      ->check(CLI::IsMember({"overhead", "nesting", "strips", "memory", "pareto"}));
  app.add_option("INPUT", options->inputs, "files to draw, one panel per trace and heuristic")->required();
  app.add_option("-o,--output", options->output, "picture; its name ends in .svg or .png")->required();
  app.add_option(
      "--synthesis", options->synthesis,
      "of pareto: areas and clocks of the scoring units, a CSV file with unit,lut,fmax_mhz and perhaps part; "
      "default rtl/synth/results.csv of the source tree");
  app.add_option("--part", options->part, "of pareto: which part's rows; default that of the first row");
  app.add_option("--title", options->title, "title of the picture");
  return [options] { return run_plot(*options); };
}

} // namespace

extern const Command kPlotCommand;
const Command kPlotCommand = {"plot", "draw sweeps, atlases and explanations (SVG, PNG)",
                              "dtrmc plot overhead resnet32.atlas -o resnet32.svg", set_up};

} // namespace dtrmc::cli
