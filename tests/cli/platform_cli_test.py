#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosim, compare and demo as a user runs them: results, exit codes, and one clear line for every wrong input.

usage: platform_cli_test.py DTRMC_BINARY FIRST_ENTRY_ELF [unittest arguments]
"""
import gzip
import json
import signal
import struct
import subprocess
import sys
import time
import unittest

import cli_test
from cli_test import START, call, constant

FIRST_ENTRY_ELF = None


class Platform(cli_test.Cli):
    def run_json(self, *args, code=0):
        result = self.run_cli(*args, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_cosim_equals_sim_in_every_golden_field(self):
        for heuristic in ("dtr-eq", "dtr-local", "lru", "size"):
            sim = self.run_json("sim", self.trace, "--ratio", "0.5", "--heuristic", heuristic)
            self.assertGreater(sim["policy_evictions"], 5)
            for scorer in (("--scorer", "firmware"), ("--scorer", "rtl", "--unit", "exact-l1"), ()):
                cosim = self.run_json("cosim", self.trace, "--ratio", "0.5", "--heuristic", heuristic, *scorer)
                for field in ("trace", "heuristic", "runtime", "ratio", "budget", "status", "clock", "model_compute",
                              "remat_compute", "max_memory", "policy_evictions", "all_evictions", "distinct_evicted",
                              "policy_sha256", "all_sha256"):
                    self.assertEqual(cosim[field], sim[field], (heuristic, scorer, field))
                self.assertNotIn("heuristic_evals", cosim)

    def test_cosim_reports_what_the_contract_names(self):
        run = self.run_json("cosim", self.trace, "--ratio", "0.5")
        cycles = run["controller"]["cycles"]
        self.assertEqual(cycles.pop("total"), sum(cycles.values()))
        self.assertEqual(sorted(cycles), sorted(["commands", "metadata", "cost", "score", "search", "wait_unit",
                                                 "wait_accelerator", "idle"]))
        self.assertEqual(run["accelerator_busy_ns"], run["clock"] - 1)
        self.assertEqual(run["device_time_ns"], run["accelerator_busy_ns"] + run["exposed_controller_ns"])
        self.assertEqual(run["decisions"]["count"], run["policy_evictions"])
        self.assertEqual(set(run["unit"]), {"name", "mhz", "active_cycles", "table_writes", "bus_accesses", "bus_cycles",
                                            "stall_cycles", "overflow_scans", "redecided"})
        for field in ("scorer", "arithmetic", "lanes", "table_depth", "search", "time_base", "queue_depth"):
            self.assertIn(field, run)
        self.assertNotIn("unit", self.run_json("cosim", self.trace, "--ratio", "0.5", "--scorer", "firmware"))

    def test_two_runs_print_the_same(self):
        runs = [self.run_json("cosim", self.trace, "--ratio", "0.5") for _ in range(2)]
        for run in runs:
            run.pop("host")
        self.assertEqual(runs[0], runs[1])
        texts = [self.run_cli("compare", self.trace, "--ratio", "0.5").stdout for _ in range(2)]
        self.assertEqual(texts[0], texts[1])

    def test_eviction_lists_are_the_same(self):
        for command in ("sim", "cosim"):
            result = self.run_cli(command, self.trace, "--ratio", "0.5", "--evictions", f"{command}.txt")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "sim.txt").read_bytes(), (self.folder / "cosim.txt").read_bytes())
        self.assertIn(b"p ", (self.folder / "sim.txt").read_bytes())

    def test_eviction_list_compressed_by_its_name(self):
        for name in ("list.txt", "list.txt.gz"):
            result = self.run_cli("cosim", self.trace, "--ratio", "0.5", "--evictions", name)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(gzip.decompress((self.folder / "list.txt.gz").read_bytes()),
                         (self.folder / "list.txt").read_bytes())

    def test_a_signal_leaves_nothing_behind(self):
        trace = self.write("long.log", cli_test.chain(4000))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([cli_test.BINARY, "cosim", trace, "--ratio", "0.3", "--heuristic", "size",
                                        "--evictions", "list.txt"], cwd=self.folder, stdout=subprocess.DEVNULL)
            deadline = time.monotonic() + 60
            while not list(self.folder.glob("list.txt.tmp.*")) and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), -number)  # ended by the signal, as without a handler
            self.assertEqual(sorted(p.name for p in self.folder.glob("list*")), [])

    def test_compare_identical(self):
        result = self.run_cli("compare", self.trace, "--ratio", "0.5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout.decode(), r"identical: \d+ events \(\d+ first runs")
        self.assertTrue(self.run_json("compare", self.trace, "--ratio", "0.5")["identical"])

    def test_compare_tells_the_first_difference(self):
        args = ("compare", self.trace, "--ratio", "0.5", "--scorer", "firmware", "--firmware", FIRST_ENTRY_ELF)
        result = self.run_cli(*args)
        text = result.stdout.decode()
        self.assertEqual(result.returncode, 1, text)
        self.assertIn("different from event", text)
        self.assertIn("> simulator", text)
        self.assertIn("> platform", text)
        run = self.run_json(*args, code=1)
        self.assertFalse(run["identical"])
        self.assertNotEqual(run["difference"]["simulator"], run["difference"]["platform"])

    def test_device_time(self):
        args = ("compare", self.trace, "--ratio", "0.5", "--time", "device")
        run = self.run_json(*args)  # costs of some ns beside a controller of some us: evictions differ
        self.assertFalse(run["identical"])
        self.assertEqual((run["time_base"], run["tick_ns"]), ("device", 1))
        difference = run["difference"]
        decision = difference["decision"]
        self.assertEqual(difference["simulator"]["kind"], "evict_policy")
        for side, victim in (("simulator", "simulator_victim"), ("platform", "platform_victim")):
            self.assertEqual(difference[side]["id"], decision[victim]["storage"])
        scores = {}
        for victim in ("simulator_victim", "platform_victim"):
            for side in ("simulator", "platform"):
                seen = decision[victim][side]
                scores[victim, side] = seen["cost"] / (seen["size"] * seen["staleness_ticks"])
                self.assertAlmostEqual(seen["score"] / scores[victim, side], 1, places=12)
            seen = decision[victim]
            self.assertEqual(seen["simulator"]["cost"], seen["platform"]["cost"])
            self.assertGreaterEqual(seen["platform"]["staleness_ticks"], seen["simulator"]["staleness_ticks"])
            moved = seen["platform"]["staleness_ticks"] / seen["simulator"]["staleness_ticks"] - 1
            self.assertAlmostEqual(seen["staleness_moved"], moved, places=9)
        for side in ("simulator", "platform"):  # each side's victim is the better one on that side
            other = {"simulator": "platform", "platform": "simulator"}[side]
            self.assertLessEqual(scores[side + "_victim", side], scores[other + "_victim", side])
        self.assertIn("staleness of " + decision["platform_victim"]["name"], decision["why"])
        outcome = run["outcome"]
        self.assertEqual(outcome["simulator"]["clock"], run["clock"])
        cosim = self.run_json("cosim", *args[1:])
        self.assertEqual(outcome["platform"]["policy_sha256"], cosim["policy_sha256"])
        self.assertEqual(outcome["platform"]["overhead"], cosim["clock"] / (run["model_compute"]))
        text = self.run_cli(*args)
        self.assertEqual(text.returncode, 0)
        for words in ("different from event", "why: staleness of", "what it comes to", "a tick is 1 ns (simulator: 1)"):
            self.assertIn(words, text.stdout.decode())

    def test_require_identical(self):
        args = ("compare", self.trace, "--ratio", "0.5", "--require", "identical")
        self.assertEqual(self.run_cli(*args).returncode, 0)
        self.assertEqual(self.run_cli(*args, "--time", "device").returncode, 3)
        # without staleness device time changes nothing
        self.assertEqual(self.run_cli(*args, "--time", "device", "--heuristic", "size").returncode, 0)
        # a difference that must not be stays an error
        self.assertEqual(self.run_cli(*args, "--scorer", "firmware", "--firmware", FIRST_ENTRY_ELF).returncode, 1)
        device = ("compare", self.trace, "--ratio", "0.5", "--time", "device", "--require")
        self.assertEqual(self.run_cli(*device, "ok").returncode, 0)
        self.assertEqual(self.run_cli(*device, "oom").returncode, 3)
        self.assertEqual(self.run_cli("compare", self.trace, "--budget", "130", "--require", "ok").returncode, 3)
        for command in ("sim", "cosim"):
            self.refused(command, self.trace, "--ratio", "0.5", "--require", "identical", says="metadata_full")

    def test_heuristics_are_those_of_the_firmware(self):
        for command, output in (("cosim", ()), ("compare", ()), ("sweep", ("--engine", "cosim", "-o", "out.csv"))):
            budget = ("--ratios", "0.5") if output else ("--ratio", "0.5")
            result = self.run_cli(command, self.trace, *budget, "--heuristic", "best", *output)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"dtr-eq, dtr-local, lru, size, dtr, msps", result.stderr)
            self.assertNotIn(b"random", result.stderr)

    def test_stall_causes_add_up(self):
        for depth in ("1", "4"):
            run = self.run_json("cosim", self.trace, "--ratio", "0.5", "--queue-depth", depth)
            self.assertEqual(sum(run["stall"].values()), run["exposed_controller_ns"])
        text = self.run_cli("cosim", self.trace, "--ratio", "0.5").stdout.decode()
        self.assertRegex(text, r"accelerator stalled +.*waiting for decisions [0-9.]+ % \(costs")

    def test_status_and_require(self):
        self.assertEqual(self.run_json("cosim", self.trace, "--budget", "130")["status"], "oom")
        result = self.run_cli("cosim", self.trace, "--budget", "130", "--require", "ok")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(self.run_cli("compare", self.trace, "--budget", "130").returncode, 0)
        thrash = self.run_json("cosim", self.trace, "--ratio", "0.4", "--overhead-limit", "1.01")
        self.assertEqual(thrash["status"], "thrash")

    def test_a_controller_without_room_for_the_metadata(self):
        # a chain of 3,000 operators needs more than the RAM left beside the image
        trace = self.write("long.log", cli_test.chain(1500))
        run = self.run_json("cosim", trace, "--ratio", "0.5", "--ram", "128KiB")
        self.assertEqual(run["status"], "metadata_full")
        self.assertLess(run["metadata_bytes"]["peak"], 128 << 10)
        self.assertEqual(self.run_cli("cosim", trace, "--ratio", "0.5", "--ram", "128KiB", "--require", "ok").returncode, 3)
        result = self.run_cli("compare", trace, "--ratio", "0.5", "--ram", "128KiB")
        self.assertEqual(result.returncode, 1)
        self.assertIn("metadata_full on the platform", result.stdout.decode())

    def test_the_command_ring_follows_ram_and_trace(self):
        # 64 KiB hold the image, a ring of 4 KiB and the metadata of a short trace
        small = self.write("short.log", cli_test.chain(30))
        run = self.run_json("cosim", small, "--ratio", "0.5", "--ram", "64KiB")
        self.assertEqual(run["status"], "ok")
        self.assertEqual(run["all_sha256"], self.run_json("sim", small, "--ratio", "0.5")["all_sha256"])
        # longer than half of the ring that a large RAM has by itself
        wide = self.write("20000.log", START + constant("c", 8) + call("a", ["c"] * 20000, 16, 3))
        self.assertEqual(self.run_json("cosim", wide, "--budget", "100")["status"], "ok")
        self.refused("cosim", wide, "--budget", "100", "--ram", "64KiB", says="command ring")

    def test_budget_zero_and_an_empty_schedule(self):
        self.assertEqual(self.run_json("cosim", self.trace, "--budget", "0")["status"], "oom")
        empty = self.write("empty-schedule.log", START)
        self.assertEqual(self.run_json("cosim", empty, "--budget", "0")["status"], "ok")
        self.assertEqual(self.run_cli("compare", empty, "--budget", "1").returncode, 0)

    def test_wrong_traces(self):
        good = START + constant("c", 8) + call("a", ["c"], 16, 3)
        wrong = {
            "noise.log": bytes(range(256)) * 20,
            "empty.log": "",
            "truncated.log": good[:-40],
            "negative.log": good.replace('"16"', '"-5"'),
            "huge.log": good.replace('"16"', '"1' + "0" * 23 + '"'),
            "unknown.log": good.replace('["c"]', '["d"]'),
            "cyclic.log": good.replace('["c"]', '["a"]'),
        }
        for name, content in wrong.items():
            path = self.write(name, content)
            for command in ("cosim", "compare"):
                self.refused(command, path, "--budget", "100", says=name)
        self.refused("cosim", str(self.folder), "--budget", "100", says="directory")
        self.refused("compare", "no-such-trace", "--budget", "100", says="no-such-trace")

    def test_wrong_options(self):
        for command in ("cosim", "compare"):
            for option, value, says in [
                    ("--ratio", "0", "--ratio"), ("--ratio", "1.5", "--ratio"), ("--ratio", "nan", "--ratio"),
                    ("--ratio", "half", "--ratio"), ("--budget", "-5", "--budget"), ("--budget", "1e23", "--budget"),
                    ("--budget", "1" + "0" * 23, "--budget")]:
                self.refused(command, self.trace, option, value, says=says)
            for option, value, says in [
                    ("--heuristic", "best", ("best", "dtr-eq", "lru")), ("--heuristic", "ab-eq", ("dtr-local", "firmware")),
                    ("--runtime", "v2", "v2-eager"), ("--runtime", "v9", "v9"), ("--scorer", "gpu", ("rtl", "tlm", "rtl-pins", "firmware")),
                    ("--unit", "exact-l3", ("exact-l1", "exact-l4")), ("--queue-depth", "0", "--queue-depth"),
                    ("--queue-depth", "65", "--queue-depth"), ("--queue-depth", "two", "--queue-depth"),
                    ("--controller-mhz", "0", "--controller-mhz"), ("--controller-mhz", "inf", "--controller-mhz"),
                    ("--cpu-profile", "z80", "ibex-small"), ("--cpu", "z80", ("iss", "ibex-rtl")),
                    ("--ram-wait", "-1", "--ram-wait"), ("--mmio-wait", "10001", "--mmio-wait"),
                    ("--unit-wait", "x", "--unit-wait"), ("--unit-mhz", "0", "--unit-mhz"),
                    ("--unit-mhz", "fast", "--unit-mhz"), ("--ram", "0", "--ram"), ("--ram", "8TiB", "--ram"),
                    ("--ram", "20KiB", "RAM"), ("--quantum", "0", "--quantum"), ("--time", "wall", ("model", "device")),
                    ("--tick-ns", "0", "--tick-ns"), ("--tick-ns", "1000000001", "--tick-ns"),
                    ("--tick-ns", "0.5", "--tick-ns"),
                    ("--overhead-limit", "0.5", "--overhead-limit"), ("--require", "fine", "--require"),
                    ("--firmware", "/dev/zero", "/dev/zero"), ("--evictions", "", "--evictions"),
                    ("--firmware", "absent.elf", "absent.elf"), ("--firmware", str(self.folder), "directory"),
                    ("--hueristic", "lru", "--hueristic")]:
                self.refused(command, self.trace, "--ratio", "0.5", option, value, says=says)
            self.refused(command, self.trace, "--ratio", "0.5", "--scorer", "firmware", "--unit", "exact-l4",
                         says=("--unit", "firmware"))
            self.refused(command, self.trace, "--ratio", "0.5", "--scorer", "firmware", "--unit-mhz", "500",
                         says=("--unit-mhz", "firmware"))
        self.refused("cosim", self.trace, "--ratio", "0.5", "--evictions", "no/such/folder/list.txt", says="no/such/folder")
        self.refused("demo", "--ratio", "7", says="--ratio")

    def test_scorers_with_a_unit_agree(self):
        runs = {}
        for scorer in ("rtl", "tlm", "rtl-pins"):
            runs[scorer] = self.run_json("cosim", self.trace, "--ratio", "0.5", "--heuristic", "dtr-eq", "--scorer",
                                         scorer)
            self.assertEqual(runs[scorer].pop("scorer"), scorer)
            del runs[scorer]["host"]
        self.assertEqual(runs["tlm"], runs["rtl"])
        self.assertEqual(runs["rtl-pins"], runs["rtl"])
        self.refused("cosim", self.trace, "--ratio", "0.5", "--scorer", "tlm", "--wave", str(self.folder / "w.fst"),
                     says=("waveform", "tlm"))

    def test_cpu_as_rtl(self):
        self.refused("cosim", self.trace, "--ratio", "0.5", "--cpu", "ibex-rtl", "--cpu-profile", "picorv32",
                     says=("ibex-small", "ibex-maxperf"))
        run = self.run_cli("cosim", self.trace, "--ratio", "0.5", "--cpu", "ibex-rtl", "--json")
        if run.returncode == 2:  # built without the core's RTL: one line says how to get it
            self.assertEqual(run.stderr.count(b"\n"), 1)
            self.assertIn(b"pythondata-cpu-ibex", run.stderr)
            return
        self.assertEqual(run.returncode, 0)
        controller = json.loads(run.stdout)["controller"]
        self.assertEqual(controller["cpu"], "ibex-rtl")
        self.assertEqual(controller["cycles"]["total"], controller["iss_cycles"])
        compared = self.run_json("compare", self.trace, "--ratio", "0.5", "--cpu", "ibex-rtl")
        self.assertEqual(compared["controller"]["iss_cycles"], controller["iss_cycles"])
        self.assertIn(b"on the instruction-set simulator: equal",
                      self.run_cli("compare", self.trace, "--ratio", "0.5", "--cpu", "ibex-rtl").stdout)

    def test_wrong_firmware(self):
        elf = open(FIRST_ENTRY_ELF, "rb").read()
        other_machine = bytearray(elf)
        other_machine[18:20] = struct.pack("<H", 40)  # Arm
        no_symbol = elf.replace(b"dtrmc_shared\0", b"dtrmc_shaped\0")
        for name, content, says in [
                ("empty.elf", b"", "empty.elf"), ("noise.elf", bytes(range(255, -1, -1)) * 9, "ELF"),
                ("arm.elf", bytes(other_machine), ("ARM", "RISC-V")), ("half.elf", elf[:len(elf) // 2], "half.elf"),
                ("other.elf", no_symbol, "dtrmc_shared")]:
            path = self.write(name, content)
            self.refused("cosim", self.trace, "--ratio", "0.5", "--firmware", path, says=says)
        self.refused("cosim", self.trace, "--ratio", "0.5", "--firmware", cli_test.BINARY, says=("64-bit", "RISC-V"))

    def test_an_operator_that_no_command_can_carry(self):
        args = ["c"] * 70000
        trace = self.write("wide.log", START + constant("c", 8) + call("a", args, 16, 3))
        self.refused("cosim", trace, "--budget", "100", says=("line 4", "70000 inputs"))
        self.assertEqual(self.run_cli("sim", trace, "--budget", "100").returncode, 0)

    def test_costs_that_leave_device_time(self):
        trace = self.write("slow.log", START + constant("c", 8) + call("a", ["c"], 16, 1 << 60))
        self.refused("cosim", trace, "--budget", "100", says="device time")

    def test_help_shows_an_example(self):
        for command in ("cosim", "compare", "demo"):
            result = self.run_cli(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"dtrmc {command}", result.stdout.decode())


if __name__ == "__main__":
    cli_test.BINARY = sys.argv.pop(1)
    FIRST_ENTRY_ELF = sys.argv.pop(1)
    # cli_test's own cases run in their own program
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    for test in loader.loadTestsFromTestCase(Platform):
        if test._testMethodName in Platform.__dict__:
            suite.addTest(test)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
