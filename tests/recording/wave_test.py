#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosim --wave: the waveform shows what the report counts. Skips where the traced unit is not built.

usage: wave_test.py DTRMC_BINARY [unittest arguments]
"""
import re
import shutil
import sys
from pathlib import Path

from runs import Recorded, main


class Vcd:
    """The top-level signals of a VCD file, as lists of (time in ps, value)."""

    def __init__(self, text):
        header, body = text.split("$enddefinitions $end", 1)
        assert re.search(r"\$timescale\s+1\s*ps\s+\$end", header)
        scope = []
        self.names = {}
        for match in re.finditer(r"\$(scope \w+ (\S+)|upscope|var \w+ (\d+) (\S+) (\S+)[^$]*) \$end", header):
            if match[1].startswith("scope"):
                scope.append(match[2])
            elif match[1] == "upscope":
                scope.pop()
            else:
                self.names.setdefault(match[4], ".".join(scope + [match[5]]))
        self.signals = {name: [] for name in self.names.values()}
        time = 0
        for line in body.split("\n"):
            if line.startswith("#"):
                assert int(line[1:]) > time or time == 0, line
                time = int(line[1:])
            elif line and line[0] in "01xz":
                self.signals[self.names[line[1:]]].append((time, line[0]))

    def find(self, name):
        return next(values for full, values in self.signals.items() if full.split(".")[-1] == name)


class Wave(Recorded):
    def test_the_waveform_shows_every_busy_cycle(self):
        for mhz, period in (("1000", 1000), ("700", 1429)):
            report = self.run_json("cosim", "--wave", self.path("w.vcd"), "--controller-mhz", mhz)
            vcd = Vcd(self.read("w.vcd").decode())
            busy = dict(vcd.find("busy_o"))
            edges = 0
            level, clock = "0", "0"
            changes = sorted([(t, 1, v) for t, v in busy.items()] + [(t, 0, v) for t, v in vcd.find("clk_i")])
            for time, is_busy, value in changes:  # at one instant the edge sees what was before it
                if is_busy:
                    level = value
                elif value == "1" and clock == "0":
                    edges += level == "1"
                    self.assertEqual(time % period, 0)
                if not is_busy:
                    clock = value
            self.assertEqual(edges, report["unit"]["active_cycles"])

    def test_the_run_is_the_unrecorded_one_and_the_bytes_repeat(self):
        plain = self.run_json("cosim")
        for name in ("w.fst", "w.vcd"):
            self.assertEqual(self.run_json("cosim", "--wave", self.path(name), "--record-to", "8ms"), plain)
            first = self.read(name)
            self.assertGreater(len(first), 1000)
            self.run_json("cosim", "--wave", self.path(name), "--record-to", "8ms", "--quantum", "1")
            self.assertEqual(self.read(name), first, name)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.name.startswith(name)), [name])

    def test_a_window_cuts(self):
        self.run_json("cosim", "--wave", self.path("w.vcd"), "--record-from", "7ms", "--record-to", "8ms")
        vcd = Vcd(self.read("w.vcd").decode())
        times = [t for values in vcd.signals.values() for t, _ in values]
        self.assertGreaterEqual(min(times), 7 * 10**9)
        self.assertLess(max(times), 8 * 10**9)

    def test_an_empty_window_gives_an_empty_waveform(self):
        for name in ("w.vcd", "w.fst"):
            self.run_json("cosim", "--wave", self.path(name), "--record-from", "1000000000")
            self.assertTrue((self.folder / name).exists())

    def test_refusals(self):
        self.refused("cosim", "--wave", self.path("w.txt"), says=[".fst"])
        self.refused("cosim", "--wave", self.path("w.fst"), "--scorer", "firmware", says=["scoring unit"])
        if not (Path(self.binary).parent / "dtrmc-wave-exact-l1.so").exists():
            self.refused("cosim", "--wave", self.path("w.fst"), "--unit", "exact-l1", says=["DTRMC_WAVE_UNITS"])

    def test_a_module_of_another_build_is_refused(self):
        """Left behind by a build that failed half-way, it would crash or lie."""
        module = Path(self.binary).parent / "dtrmc-wave-exact-l4.so"
        binary = self.folder / "dtrmc"  # modules are looked for beside it
        shutil.copy(self.binary, binary)
        beside = self.folder / module.name
        own, Recorded.binary = self.binary, str(binary)
        self.addCleanup(setattr, Recorded, "binary", own)
        shutil.copy(module, beside)
        self.run_json("cosim", "--wave", self.path("w.vcd"))
        code = module.read_bytes()
        interface = re.findall(rb"\0([0-9a-f]{64})\0", code)
        self.assertEqual(len(interface), 1)
        beside.write_bytes(code.replace(interface[0], interface[0][::-1]))
        self.refused("cosim", "--wave", self.path("v.vcd"), says=[str(beside), "build both again"])
        beside.write_bytes(code.replace(b"dtrmc_wave_interface\0", b"dtrmc_wave_interfacf\0"))
        self.refused("cosim", "--wave", self.path("v.vcd"), says=[str(beside)])
        beside.write_bytes(b"no module at all\n" * 100)
        self.refused("cosim", "--wave", self.path("v.vcd"), says=[str(beside)])


if __name__ == "__main__":
    if not (Path(sys.argv[1]).resolve().parent / "dtrmc-wave-exact-l4.so").exists():
        print("SKIPPED: unit exact-l4 is not built with tracing (configure with -DDTRMC_WAVE_UNITS=exact-l4)")
        sys.exit(77)
    main(sys.argv[1], sys.argv[2:])
