#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Firmware that goes wrong ends the run with exit code 1 and says what, where, and what came before.

usage: fault_test.py DTRMC_BINARY FOLDER_OF_FAULTY_IMAGES [unittest arguments]
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from small_trace import small_trace

BINARY = IMAGES = None
SOURCE = Path(__file__).with_name("faults.c")


def marked_line(fault):
    """Line of faults.c that holds the mark, in the part of this fault."""
    inside = False
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if re.match(r"#(el)?if ", line):
            inside = line.endswith("FAULT_" + fault.upper().replace("-", "_"))
        elif inside and "/* here" in line:
            return number
    raise AssertionError(f"faults.c marks no line for {fault}")


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="dtrmc-fault-")
        self.addCleanup(self.folder.cleanup)
        self.trace = Path(self.folder.name) / "small.log"
        self.trace.write_text(small_trace())

    def run_image(self, fault, *options):
        return subprocess.run([BINARY, "cosim", str(self.trace), "--ratio", "0.4", "--firmware",
                               f"{IMAGES}/{fault}.elf", "--watchdog-cycles", "50000", *options], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)

    def check_fault(self, fault, *says, line=True):
        results = [self.run_image(fault, "--quantum", quantum) for quantum in ("10000", "1", "333333333")]
        for result in results:
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(result.stderr, results[0].stderr, "depends on the quantum")
        text = results[0].stderr
        first = text.splitlines()[0]
        self.assertTrue(first.startswith("dtrmc: check failed: "), text)
        if line:
            source = line if isinstance(line, str) else rf"tests/debug/faults\.c:{marked_line(fault)}"
            where = rf"in go_wrong(\+0x[0-9a-f]+)? \({source}\)"
            self.assertRegex(first, where)
        for part in says:
            self.assertIn(part, first)
        self.assertRegex(first, r"device time \d+ ns|commands complete")
        # registers by name, the program counter, where the function was called from
        for name in ("ra", "sp", "gp", "s11", "t6", "mcause", "mepc"):
            self.assertRegex(text, rf"\b{name} +[0-9a-f]+")
        self.assertRegex(text, r"\n  pc 0x8[0-9a-f]{7} in ")
        # what came before: one command in hand, one operator started
        self.assertRegex(text, r"commands: \d+ in the trace, 1 rung, 1 taken, 0 complete")
        self.assertRegex(text, r"\n +0  in hand +constant operator 0 'constant' \(line 2\)")
        self.assertRegex(text, r"\n +\d+ ns  execute operator 0 'constant' \(line 2\)")
        return text

    def test_illegal_instruction(self):
        text = self.check_fault("illegal", "firmware fault: illegal instruction 0x00000000 at pc")
        self.assertRegex(text, r"\n  ra 0x8[0-9a-f]{7} in fw_controller\+0x[0-9a-f]+ \(tests/debug/faults\.c:\d+\)")

    def test_jump_to_a_misaligned_address(self):
        self.check_fault("misaligned-jump", "jump to a misaligned address")

    def test_misaligned_access_of_a_register(self):
        self.check_fault("misaligned-load", "load access fault, address 0x10000002", "misaligned")

    def test_bus_errors(self):
        self.check_fault("load", "load access fault, address 0x40000000")
        self.check_fault("store", "store access fault, address 0x10000000")

    def test_stack_overflow_is_found_at_the_frame_that_does_not_fit(self):
        text = self.check_fault("overflow", "stack overflow: sp would be 0x")
        sp = int(re.search(r"\bsp +([0-9a-f]{8})", text).group(1), 16)
        wanted, limit = (int(x, 16) for x in re.search(r"sp would be (0x\w+), below its limit (0x\w+)", text).groups())
        self.assertLess(wanted, limit)
        self.assertGreaterEqual(sp, limit)  # nothing was stored below the limit

    def test_watchdog(self):
        self.check_fault("loop", "makes no progress: 50000 cycles without a bus access")
        # the loop's body is an inline function of the firmware
        self.check_fault("poll", "makes no progress: 50000 cycles without taking a command or posting an action",
                         line=r"firmware/hal_target\.h:\d+")

    def test_a_trap_that_the_startup_code_takes_ends_as_a_deadlock(self):
        text = self.check_fault("break", "deadlock", "in trap", "firmware/crt0.S:", line=False)
        self.assertRegex(text, r"mcause 3\b")
        self.check_fault("wait", "deadlock", line=False)

    def test_a_deadlock_ends_although_the_unit_has_a_free_running_clock(self):
        for fault in ("wait", "break"):
            results = [self.run_image(fault, "--scorer", scorer) for scorer in ("rtl", "rtl-pins")]
            self.assertIn("deadlock", results[1].stderr)
            self.assertEqual(results[1].stderr, results[0].stderr)
            self.assertEqual(results[1].returncode, 1)

    def test_watchdog_cycles_is_checked(self):
        for value in ("-1", "x", "", "1.5", str(10 ** 19)):
            result = subprocess.run([BINARY, "cosim", str(self.trace), "--ratio", "0.4", "--watchdog-cycles", value],
                                    text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
            self.assertIn("--watchdog-cycles", result.stderr)

    def test_a_sound_run_is_left_alone_by_a_watchdog_longer_than_a_decision(self):
        plain = ["cosim", str(self.trace), "--ratio", "0.4", "--scorer", "firmware", "--json"]
        outputs = []
        for watchdog in ("0", "100000"):
            result = subprocess.run([BINARY, *plain, "--watchdog-cycles", watchdog], text=True, timeout=60,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            outputs.append(re.sub(r',"host":.*', "", result.stdout))
        self.assertEqual(outputs[0], outputs[1])


if __name__ == "__main__":
    BINARY, IMAGES = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
