// SPDX-License-Identifier: Apache-2.0
// Self-checking assembler programs (tests/cpu/programs) for what an independent simulator does not cover: traps,
// interrupts, WFI, CSRs.
#include <catch2/catch.hpp>

#include "tests/cpu/board.h"

namespace dtrmc::cpu::test {

TEST_CASE("self-checking programs") {
  const std::string program =
      GENERATE(as<std::string>{}, "exceptions", "csrs", "interrupts", "vectored", "wfi", "memory");
  const uint64_t quantum = GENERATE(uint64_t{1}, uint64_t{10000});
  CAPTURE(program, quantum);
  Board board(timing_profile("ibex-small"));
  board.load_program(program);
  const Board::End end = board.run(quantum);
  CAPTURE(board.core().pc(), board.core().cycle());
  if (board.core().faulted()) FAIL(board.core().fault().text);
  REQUIRE(end == Board::End::kExit);
  INFO("the exit code is the line of the failed EXPECT in tests/cpu/programs/" << program << ".S");
  CHECK(board.exit_code() == 0);
}

} // namespace dtrmc::cpu::test
