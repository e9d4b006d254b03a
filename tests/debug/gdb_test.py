#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real gdb drives whole sessions; a run under gdb gives the results of a run without.

usage: gdb_test.py DTRMC_BINARY FOLDER_OF_FAULTY_IMAGES [unittest arguments]
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from small_trace import small_trace

BINARY = IMAGES = None
GDB = shutil.which("gdb-multiarch") or shutil.which("riscv64-unknown-elf-gdb")


def without_host(text):
    fields = json.loads(text)
    fields.pop("host", None)
    return fields


class Run:
    """dtrmc under --gdb 0, until it says on which port it waits."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([BINARY, *arguments, "--gdb", "0"], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.greeting = self.process.stderr.readline()
        found = re.search(r"waiting on 127\.0\.0\.1:(\d+)", self.greeting)
        if not found:
            self.process.kill()
            raise AssertionError(self.greeting + self.process.communicate()[1])
        self.port = int(found.group(1))

    def finish(self):
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err


class Gdb(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="dtrmc-gdb-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)
        self.trace = self.folder / "small.log"
        self.trace.write_text(small_trace())
        self.arguments = ["cosim", str(self.trace), "--ratio", "0.4", "--json"]

    def plain(self, *more):
        result = subprocess.run([BINARY, *self.arguments, *more], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=120, check=True)
        return without_host(result.stdout)

    def start(self, *arguments):
        run = Run(*arguments)
        self.addCleanup(lambda: (run.process.kill(), run.process.wait(), run.process.stdout.close(),
                                 run.process.stderr.close()))
        return run

    def gdb_command(self, run, commands):
        script = self.folder / "session.gdb"
        script.write_text("set pagination off\nset confirm off\nset width 0\nset style enabled off\n"
                          f"target remote 127.0.0.1:{run.port}\n" + "\n".join(commands) + "\n")
        return [GDB, "-nx", "-batch", "-x", str(script)]

    def session(self, run, commands):
        result = subprocess.run(self.gdb_command(run, commands), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=300, check=False)
        self.assertNotIn("Error in sourced command file", result.stdout)
        return result.stdout

    def test_whole_session(self):
        expected = self.plain()
        self.assertGreater(expected["policy_evictions"], 3)
        run = self.start(*self.arguments)
        text = self.session(run, [
            # the firmware's symbols come over the connection: no file was named
            "print $pc == &_start", "info registers sp",
            "break fw_pin", "continue", "backtrace 1", "print fw.pool_count", "print fw.shared->budget",
            "print/x $dtrmc_activity & 0xf", "print $mcycle > 0", "print/x $mstatus",
            "echo steps\\n", "set $before = $pc", "stepi", "print $pc != $before", "next", "info line *$pc",
            "delete", "echo watching\\n",
            "watch dtrmc_shared.decisions", "continue", "print dtrmc_shared.decisions", "continue",
            "print dtrmc_shared.decisions", "delete",
            "rwatch dtrmc_shared.budget", "awatch dtrmc_shared.candidates", "continue", "delete",
            "echo hardware\\n", "hbreak fw_choose", "continue", "delete",
            "echo memory\\n", "x/2wx &dtrmc_shared", "set var dtrmc_shared.reserved1 = 0x12345678",
            "print/x dtrmc_shared.reserved1", "set var dtrmc_shared.reserved1 = 0", "set $saved = $t6",
            "set $t6 = 0xcafe", "print/x $t6", "set $t6 = $saved",
            "echo monitors\\n", *[f"monitor {name}" for name in (
                "help", "time", "cycles", "activity", "memory", "pool", "command", "commands", "queue", "unit",
                "interrupts", "nonsense")],
            "echo time stands still\\n", "monitor time", "shell sleep 0.3", "monitor time", "monitor cycles",
            "monitor cycles",
            "echo the end\\n", "continue"])
        code, out, err = run.finish()
        self.assertEqual((code, err), (0, ""), text)
        self.assertEqual(without_host(out), expected)

        part = dict(zip(("start", "steps", "watching", "hardware", "memory", "monitors", "still", "end"), re.split(
            r"^(?:steps|watching|hardware|memory|monitors|time stands still|the end)$", text, flags=re.M)))
        self.assertEqual(len(part), 8, text)
        self.assertIn("$1 = 1", part["start"])
        self.assertRegex(part["start"], r"Breakpoint 1, fw_pin \(tensor=0x[0-9a-f]+\) at firmware/graph\.c:\d+")
        self.assertRegex(part["start"], r"\$2 = \d+")
        self.assertIn(f"$3 = {expected['budget']}", part["start"])
        self.assertIn("$4 = 0x1\n", part["start"])  # metadata
        self.assertIn("$5 = 1", part["start"])
        self.assertIn("$6 = 0x1800", part["start"])
        self.assertIn("$7 = 1", part["steps"])
        self.assertRegex(part["steps"], r"Line \d+ of \"firmware/graph\.c\"")
        self.assertRegex(part["watching"], r"Old value = 0\nNew value = 1\n")
        self.assertRegex(part["watching"], r"\$8 = 1\n")
        self.assertRegex(part["watching"], r"\$9 = 2\n")
        self.assertRegex(part["watching"], r"(atchpoint \d: dtrmc_shared\.candidates|Value = )")
        self.assertRegex(part["hardware"], r"Breakpoint \d, fw_choose ")
        self.assertIn("0x4d525444", part["memory"])
        self.assertIn("= 0x12345678", part["memory"])
        self.assertIn("= 0xcafe", part["memory"])
        for says in (r"device time \d+(\.\d+)? ns, model clock \d+ ns", r"cycle \d+, \d+ instructions",
                     r"now: .*\n +commands +\d+ cycles", r"in use \d+ bytes in \d+ storages, pinned \d+",
                     r"by the ledger: \d+ storages could be evicted", r"command \d+: \w+ (operator|tensor) \d+",
                     r"in hand +compute operator \d+ 'f' \(line \d+\)", r"\d+ of 64 action slots taken",
                     r"evict storage \d+ 'x\d+', 64 bytes", r"exact-l4: idle, interrupt (high|low)\n  ID +0x44545253",
                     r"accelerator +(high|low)", r"unknown: 'nonsense'\nmonitor commands:"):
            self.assertRegex(part["monitors"], says)
        times = re.findall(r"device time .*", part["still"])
        cycles = re.findall(r"cycle \d+, .*", part["still"])
        self.assertEqual((len(times), len(set(times)), len(cycles), len(set(cycles))), (2, 1, 2, 1))
        self.assertIn("exited normally", part["end"])

    def test_every_instruction_watched_and_every_scorer(self):
        for options in (("--scorer", "rtl", "--queue-depth", "4"), ("--scorer", "firmware")):
            with self.subTest(options=options):
                expected = self.plain(*options)
                run = self.start(*self.arguments, *options)
                text = self.session(run, ["hbreak _start", "watch dtrmc_shared.decisions", "ignore 2 1000000",
                                          "stepi 3000", "monitor unit", "continue", "info breakpoints"])
                code, out, _ = run.finish()
                self.assertEqual((code, without_host(out)), (0, expected), text)
                hits = re.search(r"already hit (\d+) times", text)
                self.assertEqual(int(hits.group(1)), expected["policy_evictions"], text)

    def test_detach_and_compare(self):
        run = self.start("compare", str(self.trace), "--ratio", "0.4", "--json")
        text = self.session(run, ["break fw_choose", "continue", "detach"])
        code, out, err = run.finish()
        self.assertEqual(code, 0, text + err)
        self.assertIs(json.loads(out)["identical"], True)
        self.assertIn("detached", err)

    def test_kill_ends_the_run(self):
        run = self.start(*self.arguments)
        self.session(run, ["break fw_choose", "continue", "kill"])
        code, _, err = run.finish()
        self.assertEqual(code, 1)
        self.assertIn("the debugger ended the run", err)

    def test_interrupt(self):
        run = self.start("cosim", str(self.trace), "--ratio", "0.4", "--watchdog-cycles", "0", "--firmware",
                         f"{IMAGES}/loop.elf")
        process = subprocess.Popen(self.gdb_command(run, ["echo begin\\n", "continue", "info line *$pc", "kill"]),
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # The loop never ends, so asking again is all that is needed where gdb was not listening yet.
        for _ in range(60):
            time.sleep(1)
            if process.poll() is not None:
                break
            os.kill(process.pid, signal.SIGINT)
            try:
                process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                pass
        text = process.communicate(timeout=60)[0]
        self.assertIn("Program received signal SIGINT", text)
        self.assertRegex(text, r"faults\.c:\d+")
        self.assertEqual(run.finish()[0], 1)

    def test_a_fault_stops_in_the_debugger_before_it_ends_the_run(self):
        run = self.start("cosim", str(self.trace), "--ratio", "0.4", "--firmware", f"{IMAGES}/illegal.elf")
        text = self.session(run, ["continue", "backtrace", "print/x $mcause", "monitor command", "continue"])
        code, _, err = run.finish()
        self.assertEqual(code, 1)
        self.assertIn("Program received signal SIGILL", text)
        self.assertRegex(text, r"#0 .*go_wrong \(\) at tests/debug/faults\.c:\d+")
        self.assertRegex(text, r"#1 .*fw_controller")
        self.assertIn("firmware fault: illegal instruction", text)
        self.assertRegex(text, r"exited with code 0?1")
        self.assertIn("firmware fault: illegal instruction", err)

    def test_second_debugger_is_told(self):
        run = self.start(*self.arguments)
        with socket.create_connection(("127.0.0.1", run.port), timeout=30) as first:
            first.sendall(b"$?#3f")
            self.assertEqual(first.recv(100)[:1], b"+")
            text = subprocess.run(self.gdb_command(run, []), text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=60, check=False).stdout
            self.assertIn("another debugger is attached to this run", text)
            first.sendall(b"$D#44")
        self.assertEqual(run.finish()[0], 0)

    def test_lost_debugger(self):
        expected = self.plain()
        run = self.start(*self.arguments)
        with socket.create_connection(("127.0.0.1", run.port), timeout=30) as client:
            client.sendall(b"$m80000")  # in the middle of a packet
        code, out, err = run.finish()
        self.assertEqual((code, without_host(out)), (0, expected))
        self.assertIn("closed without detaching", err)

    def test_wrong_ports(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            for port in (str(taken.getsockname()[1]), "65536", "-1", "gdb", "1.5", "123456789012345678901"):
                result = subprocess.run([BINARY, *self.arguments, "--gdb", port], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, timeout=60, check=False)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1),
                                 result.stderr)
                self.assertIn("--gdb", result.stderr)

    def test_only_this_machine_can_connect(self):
        run = self.start(*self.arguments)
        listening = Path("/proc/net/tcp").read_text()
        self.assertRegex(listening, rf" 0100007F:{run.port:04X} 00000000:0000 0A ")
        self.assertNotRegex(listening, rf" 00000000:{run.port:04X} ")


if __name__ == "__main__":
    BINARY, IMAGES = sys.argv[1:3]
    del sys.argv[1:3]
    if GDB is None:
        print("SKIPPED: no gdb for RISC-V (apt-get install gdb-multiarch)")
        sys.exit(77)
    unittest.main()
