// SPDX-License-Identifier: Apache-2.0
#include "host/cli/command.h"

namespace dtrmc::cli {

extern const Command kAtlasCommand;
extern const Command kCompareCommand;
extern const Command kCosimCommand;
extern const Command kDemoCommand;
extern const Command kExplainCommand;
extern const Command kPapersCommand;
extern const Command kPlotCommand;
extern const Command kSimCommand;
extern const Command kSweepCommand;
extern const Command kTraceCommand;

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      kDemoCommand,   kSimCommand,  kSweepCommand, kAtlasCommand,   kExplainCommand,
      kPapersCommand, kPlotCommand, kCosimCommand, kCompareCommand, kTraceCommand,
  };
  return all;
}

} // namespace dtrmc::cli
