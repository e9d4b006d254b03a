// SPDX-License-Identifier: Apache-2.0
// The call stack as it is followed from the outside: calls, returns, tail calls, recursion, traps, lost frames.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "firmware/image.h"
#include "systemc/cpu/elf_loader.h"
#include "systemc/profile/call_stack.h"

using namespace dtrmc;

namespace {

// A stack over the built-in firmware image, driven by made-up steps between real functions.
class Followed {
 public:
  Followed() : image_(load()), functions_(image_), stack_(functions_) {}

  std::uint32_t in(const char* function, std::uint32_t offset = 0) const {
    return image_.require_symbol(function, "test").address + offset;
  }
  // A step at `pc` to `next`, and the stack afterwards, outermost first.
  std::string step(std::uint32_t pc, std::uint32_t word, std::uint32_t next, std::uint32_t sp = 0x1000,
                   bool retired = true) {
    stack_.at(pc);
    profile::Step s;
    s.pc = pc;
    s.word = word;
    s.next_pc = next;
    s.retired = retired;
    stack_.follow(s, sp);
    return text(stack_.at(next));
  }
  std::string text(profile::StackId at) const {
    std::vector<std::string> names;
    for (; at != profile::CallStack::kRoot; at = stack_.nodes()[at].parent) {
      names.push_back(functions_.name(stack_.nodes()[at].function));
    }
    std::string out;
    for (auto name = names.rbegin(); name != names.rend(); ++name) out += (out.empty() ? "" : ";") + *name;
    return out;
  }
  std::size_t depth() const { return stack_.depth(); }

 private:
  static cpu::ElfImage load() {
    const firmware::Image image = firmware::image();
    return cpu::ElfImage("built-in firmware", {image.data, image.data + image.size});
  }
  cpu::ElfImage image_;
  profile::FunctionMap functions_;
  profile::CallStack stack_;
};

constexpr std::uint32_t kCall = 0x000000ef;        // jal ra
constexpr std::uint32_t kCallThrough = 0x000500e7; // jalr ra,0(a0)
constexpr std::uint32_t kCallT0 = 0x000002ef;      // jal t0, as millicode is called
constexpr std::uint32_t kReturn = 0x00008067;      // jalr zero,0(ra)
constexpr std::uint32_t kReturnT0 = 0x00028067;    // jalr zero,0(t0)
constexpr std::uint32_t kJump = 0x0000006f;        // jal zero
constexpr std::uint32_t kJumpThrough = 0x00050067; // jalr zero,0(a0)
constexpr std::uint32_t kAdd = 0x00000033;
constexpr std::uint32_t kMret = 0x30200073;

} // namespace

TEST_CASE("calls push, returns pop") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  CHECK(f.step(main, kAdd, main + 4) == "fw_controller");
  CHECK(f.step(main + 4, kCall, f.in("fw_materialise")) == "fw_controller;fw_materialise");
  CHECK(f.step(f.in("fw_materialise"), kCallThrough, f.in("fw_evict")) == "fw_controller;fw_materialise;fw_evict");
  CHECK(f.step(f.in("fw_evict"), kCallT0, f.in("fw_post")) == "fw_controller;fw_materialise;fw_evict;fw_post");
  CHECK(f.step(f.in("fw_post"), kReturnT0, f.in("fw_evict", 4)) == "fw_controller;fw_materialise;fw_evict");
  CHECK(f.step(f.in("fw_evict", 4), kReturn, f.in("fw_materialise", 4)) == "fw_controller;fw_materialise");
  CHECK(f.step(f.in("fw_materialise", 4), kReturn, main + 8) == "fw_controller");
  CHECK(f.depth() == 1);
}

TEST_CASE("a tail call takes the frame over and returns for it") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  f.step(main, kCall, f.in("fw_materialise"));
  SECTION("by a plain jump") {
    CHECK(f.step(f.in("fw_materialise"), kJump, f.in("fw_evict")) == "fw_controller;fw_evict");
  }
  SECTION("through a register") {
    CHECK(f.step(f.in("fw_materialise"), kJumpThrough, f.in("fw_evict")) == "fw_controller;fw_evict");
  }
  SECTION("through ra, which no frame waits for") {
    CHECK(f.step(f.in("fw_materialise"), kReturn, f.in("fw_evict")) == "fw_controller;fw_evict");
  }
  SECTION("by falling through") {
    CHECK(f.step(f.in("fw_materialise"), kAdd, f.in("fw_evict")) == "fw_controller;fw_evict");
  }
  CHECK(f.step(f.in("fw_evict"), kReturn, main + 4) == "fw_controller");
  CHECK(f.depth() == 1);
}

TEST_CASE("a return past frames that never returned drops them") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  f.step(main, kCall, f.in("fw_materialise"));
  f.step(f.in("fw_materialise"), kCall, f.in("fw_evict"));
  f.step(f.in("fw_evict"), kCall, f.in("fw_post"));
  CHECK(f.step(f.in("fw_post"), kReturn, main + 4) == "fw_controller");
}

TEST_CASE("a call from a higher stack pointer shows that frames are gone") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  f.step(main, kCall, f.in("fw_materialise"), 0x1000);
  f.step(f.in("fw_materialise"), kCall, f.in("fw_evict"), 0xf00);
  // Back in the first callee without any return, as after longjmp: its stack pointer gives it away.
  CHECK(f.step(f.in("fw_materialise", 8), kCall, f.in("fw_post"), 0xf80) == "fw_controller;fw_materialise;fw_post");
}

TEST_CASE("recursion nests, and each return leaves one frame") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  const std::uint32_t self = f.in("fw_materialise");
  f.step(main, kCall, self, 0x1000);
  f.step(self, kCall, self, 0xff0);
  CHECK(f.step(self, kCall, self, 0xfe0) == "fw_controller;fw_materialise;fw_materialise;fw_materialise");
  f.step(self + 8, kReturn, self + 4);
  f.step(self + 8, kReturn, self + 4);
  CHECK(f.step(self + 8, kReturn, main + 4) == "fw_controller");
}

TEST_CASE("a trap interrupts a function, MRET returns to it") {
  Followed f;
  const std::uint32_t main = f.in("fw_controller");
  f.step(main, kCall, f.in("fw_materialise"));
  CHECK(f.step(f.in("fw_materialise", 4), kAdd, f.in("fw_post"), 0x1000, false) ==
        "fw_controller;fw_materialise;fw_post");
  CHECK(f.step(f.in("fw_post"), kMret, f.in("fw_materialise", 4)) == "fw_controller;fw_materialise");
}

TEST_CASE("a program that only calls does not fill memory") {
  Followed f;
  const std::uint32_t self = f.in("fw_materialise");
  for (int i = 0; i < 100000; ++i) f.step(self, kCall, self, 0x1000);
  CHECK(f.depth() == 4096);
}
