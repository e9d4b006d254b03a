#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosim --record, its windows, --trace-instructions: format, agreement with the report, determinism, refusals.

usage: recording_test.py DTRMC_BINARY [unittest arguments]
"""
import json
import re
import sys
from collections import Counter
from decimal import Decimal

from runs import ROOT, Recorded, chain, main
from trace_event_format import Timeline

ACTIVITIES = ["commands", "metadata", "cost", "score", "search", "wait_unit", "wait_accelerator", "idle"]


def total(slices):
    return sum(Decimal(s["dur"]) for s in slices)


def nanoseconds(us):
    return us * 1000


class Recording(Recorded):
    def record(self, name, *args):
        report = self.run_json("cosim", "--record", self.path(name), *args)
        return report, Timeline(self.read(name))

    def test_the_file_agrees_with_the_report(self):
        for args in ([], ["--scorer", "firmware"], ["--queue-depth", "8"], ["--controller-mhz", "700"]):
            with self.subTest(args):
                report, timeline = self.record("run.json", *args)
                self.check(report, timeline)

    def check(self, report, timeline):
        self.assertEqual(report["status"], "ok")
        accelerator = timeline.track("accelerator")
        kinds = Counter(s["cat"] for s in accelerator)
        self.assertGreater(kinds["rematerialization"], 100)
        self.assertEqual(nanoseconds(total(accelerator)), report["accelerator_busy_ns"])
        self.assertEqual(nanoseconds(total(s for s in accelerator if s["cat"] == "rematerialization")),
                         report["remat_compute"])
        self.assertTrue(all(s["name"].startswith("remat ") == (s["cat"] == "rematerialization") for s in accelerator))

        instants = Counter(e["cat"] for e in timeline.of("i"))
        self.assertEqual(instants["policy eviction"], report["policy_evictions"])
        self.assertEqual(sum(instants.values()), report["all_evictions"])

        period = Decimal(1) if report["controller"]["mhz"] == 1000 else Decimal("1.429")
        activities = timeline.track("controller: activity")
        for name in ACTIVITIES:
            cycles = nanoseconds(total(s for s in activities if s["name"] == name)) / period
            self.assertEqual(cycles, report["controller"]["cycles"][name], name)
        self.assertEqual(nanoseconds(total(activities)), Decimal(str(report["device_time_ns"])))
        for before, after in zip(activities, activities[1:]):  # without gaps
            self.assertEqual(before["ts"] + before["dur"], after["ts"])

        decisions = timeline.track("controller: decisions")
        self.assertEqual(len(decisions), report["decisions"]["count"])
        cycles = sorted(d["args"]["cycles"] for d in decisions)
        self.assertEqual(cycles[0], report["decisions"]["cycles"]["min"])
        self.assertEqual(cycles[-1], report["decisions"]["cycles"]["max"])

        searches = timeline.track("scoring unit")
        if report["scorer"] == "firmware":
            self.assertEqual(searches, [])
        else:
            self.assertEqual(nanoseconds(total(searches)) / period, report["unit"]["active_cycles"])

        commands = timeline.track("controller: command in hand")
        self.assertEqual(commands[-1]["name"], "end")
        self.assertEqual([c["args"]["command"] for c in commands], list(range(len(commands))))

        memory = timeline.counter("memory in use")
        self.assertLessEqual(max(v for _, v in memory), report["max_memory"])
        self.assertGreater(max(v for _, v in memory), report["max_memory"] * 0.9)
        pinned = timeline.counter("pinned (not evictable)")
        self.assertGreater(max(v for _, v in pinned), 0)
        self.assertLessEqual(max(v for _, v in pinned), report["max_memory"])
        self.assertEqual(max(v for _, v in timeline.counter("nesting depth")), report["max_nesting"])
        self.assertGreaterEqual(max(v for _, v in timeline.counter("pool size")),
                                report["decisions"]["candidates"]["max"])
        self.assertEqual(max(v for _, v in timeline.counter("command queue: not complete")), report["queue_depth"])
        self.assertEqual(timeline.counter("command queue: not complete")[-1][1], 0)

        # An arrow leads from an eviction (a decision, or the release that freed) to a rematerialisation.
        self.assertGreater(len(timeline.flows), 100)
        for source, target in timeline.flows:
            self.assertEqual(target["cat"], "rematerialization")
            self.assertTrue(source["cat"] == "decision" or source["name"].startswith("release "), source)

    def test_the_counters_are_the_simulators_quantities(self):
        """Read from the controller's RAM, they meet what the simulator says of the same run."""
        simulated = self.run_json("sim")
        _, timeline = self.record("run.json")
        self.assertEqual(max(v for _, v in timeline.counter("pinned (not evictable)")), simulated["pinned_peak"])
        self.assertEqual(max(v for _, v in timeline.counter("nesting depth")), simulated["max_nesting"])

    def test_arrows_join_an_eviction_to_the_return_of_the_same_storage(self):
        _, timeline = self.record("run.json")
        made_by = {}  # storage name to operator
        for s in timeline.track("accelerator"):
            if s["cat"] == "first run":
                made_by.setdefault(s["args"]["output"], s["args"]["operator"])
        checked = 0
        for source, target in timeline.flows:
            name = source["name"].split(" ", 1)[1]
            if source["cat"] == "decision" and name in made_by:
                self.assertEqual(made_by[name], target["args"]["operator"])
                checked += 1
        self.assertGreater(checked, 50)

    def test_the_run_is_the_unrecorded_one(self):
        plain = self.run_json("cosim")
        recorded = self.run_json("cosim", "--record", self.path("a.json"), "--decisions", self.path("d.csv"),
                                 "--trace-instructions", self.path("i.txt.gz"), "--record-to", "100")
        self.assertEqual(plain, recorded)

    def test_a_second_run_gives_the_same_bytes_at_every_quantum(self):
        for name, quanta in (("a.json", ("10000", "1", "137")), ("a.json.gz", ("10000",))):
            self.run_json("cosim", "--record", self.path(name))
            first = (self.folder / name).read_bytes()
            for quantum in quanta:
                self.run_json("cosim", "--record", self.path(name), "--quantum", quantum)
                self.assertEqual((self.folder / name).read_bytes(), first, (name, quantum))
        self.assertEqual(self.read("a.json"), self.read("a.json.gz"))

    @staticmethod
    def within(timeline, begin, end):
        return [e for e in timeline.events
                if e["ph"] in "Xi" and begin <= e["ts"] and (end is None or e["ts"] < end)]

    def test_a_window_of_time_holds_what_begins_in_it(self):
        _, whole = self.record("whole.json")
        _, part = self.record("part.json", "--record-from", "6.2ms", "--record-to", "7500us")
        self.assertEqual(self.within(part, 0, None), self.within(whole, Decimal(6200), Decimal(7500)))
        self.assertGreater(len(part.of("X")), 100)
        # Counters start with the value that they have at that time.
        for name in ("memory in use", "pool size", "nesting depth"):
            before = [v for ts, v in whole.counter(name) if ts < 6200]
            self.assertEqual(part.counter(name)[0], (6200, before[-1]), name)
        self.assertLess((self.folder / "part.json").stat().st_size, (self.folder / "whole.json").stat().st_size / 4)
        for source, target in part.flows:  # both ends lie in it
            self.assertGreaterEqual(min(source["ts"], target["ts"]), 6200)

    def test_a_window_of_events_holds_those_events(self):
        _, whole = self.record("whole.json")
        events = [e for e in whole.events if e["ph"] in "Xi" and e["tid"] in (whole.tracks["accelerator"],
                                                                              whole.tracks["evictions"])]
        _, part = self.record("part.json", "--record-from", "900", "--record-to", "950")
        mine = [e for e in part.events if e["ph"] in "Xi" and e["tid"] in (part.tracks["accelerator"],
                                                                            part.tracks["evictions"])]
        key = lambda e: (e["ts"], e["name"], e.get("dur"))
        self.assertEqual(sorted(map(key, mine)), sorted(map(key, events[900:950])))

    def test_a_window_that_the_run_never_reaches_is_empty(self):
        _, part = self.record("part.json", "--record-from", "1000000000")
        self.assertEqual([e for e in part.events if e["ph"] != "M"], [])

    def test_every_instruction_is_traced_once(self):
        (self.folder / "chain.log").write_text(chain(20))
        report = self.run_json("cosim", "--scorer", "firmware", "--trace-instructions", self.path("i.txt.gz"),
                               trace=self.path("chain.log"))
        self.assertGreater(report["policy_evictions"], 0)
        lines = self.read("i.txt.gz").decode().splitlines()
        self.assertEqual(lines[0][0], "#")
        lines = lines[1:]
        self.assertEqual(len(lines), report["controller"]["instructions"])
        pattern = re.compile(r" *(\d+) ([0-9a-f]{8}) ([0-9a-f]{8}) (\S+\+0x[0-9a-f]+) +(\S.*)")
        last = -1
        for line in lines:
            match = pattern.fullmatch(line)
            self.assertTrue(match, line)
            self.assertGreater(int(match[1]), last)
            last = int(match[1])
        self.assertTrue(lines[0].split()[3].startswith("_start+0x0"))

    def test_registers_in_the_trace_are_those_written(self):
        self.run_json("cosim", "--trace-instructions", self.path("i.txt"), "--record-from", "100", "--record-to", "130")
        registers = {}
        checked = 0
        for line in self.read("i.txt").decode().splitlines()[1:]:
            fields = line.split()
            operands = fields[5].split(",") if len(fields) > 5 else []
            if fields[4] == "addi" and operands[1] in registers:
                value = (registers[operands[1]] + int(operands[2])) % 2**32
                if operands[0] != "zero":
                    self.assertEqual(fields[6], f"{operands[0]}={value:08x}", line)
                    checked += 1
            if len(fields) > 6:
                name, value = fields[6].split("=")
                registers[name] = int(value, 16)
        self.assertGreater(checked, 500)

    def test_a_window_applies_to_instructions(self):
        self.run_json("cosim", "--trace-instructions", self.path("i.txt"), "--record-from", "10us",
                      "--record-to", "11us")
        cycles = [int(line.split()[0]) for line in self.read("i.txt").decode().splitlines()[1:]]
        self.assertGreaterEqual(cycles[0], 10000)
        self.assertLess(cycles[0], 10040)
        self.assertLess(cycles[-1], 11000)
        self.assertGreaterEqual(cycles[-1], 10960)

    def test_profile_table_and_stacks(self):
        report = self.run_json("cosim", "--profile", self.path("p.folded"))
        mcycle = report["controller"]["cycles"]["total"]
        self.assertEqual(sum(f["self"] for f in report["profile"]), mcycle)
        folded = self.read("p.folded").decode()
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()), mcycle)
        self.assertTrue(all(re.fullmatch(r"[^ ]+ \d+", line) for line in folded.splitlines()))
        self.run_json("cosim", "--profile", self.path("q.folded"), "--quantum", "1")
        self.assertEqual(self.read("q.folded").decode(), folded)
        text = self.start("cosim", "--profile").stdout.decode()
        self.assertIn("self cycles", text)
        self.assertIn(f"{mcycle}  100.00  = mcycle", text)

    def test_wrong_paths_and_windows(self):
        self.refused("cosim", "--record", str(self.folder), says=["directory"])
        for option in ("--record", "--trace-instructions", "--profile", "--decisions", "--wave"):
            ending = {"--decisions": ".csv", "--wave": ".fst"}.get(option, ".json")
            self.refused("cosim", option, self.path("absent/x" + ending), says=["cannot be written"])
        trace = ROOT / "traces" / "lstm-recorded.log.gz"
        self.refused("cosim", "--record", str(trace), says=["the trace itself"])
        self.refused("cosim", "--record", self.path("x"), "--trace-instructions", self.path("x"), says=["same file"])
        self.refused("cosim", "--decisions", self.path("x.txt"), says=[".csv"])
        self.refused("cosim", "--record-from", "3", says=["--record"])
        for edge in ("-1", "1.2.3ms", "ms", "5 ms", "1h", "x", "1e3ms", "99999999999999999999", "99999999999s", "."):
            self.refused("cosim", "--record", self.path("x.json"), f"--record-from={edge}", says=["--record-from"])
        self.refused("cosim", "--record", self.path("x.json"), "--record-from", "5", "--record-to", "5", says=["after"])
        self.refused("cosim", "--record", self.path("x.json"), "--record-from", "5ms", "--record-to", "5us",
                     says=["after"])

    def test_a_run_that_ends_early_is_recorded_to_its_end(self):
        arguments = ["--overhead-limit", "1.01"]
        report, timeline = self.record("x.json", *arguments)
        self.assertEqual(report["status"], "thrash")
        self.assertEqual(nanoseconds(total(timeline.track("controller: activity"))), report["device_time_ns"])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
