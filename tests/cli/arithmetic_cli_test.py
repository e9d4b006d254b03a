#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--arithmetic, --tick-ns and --audit: the same run from sim, sweep, atlas and the hardware; wrong input in one line.

usage: arithmetic_cli_test.py DTRMC_BINARY
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DTRMC = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
TRACE = "cifar-resnet32-224"


def run(*args):
    return subprocess.run([DTRMC, *map(str, args)], capture_output=True, text=True, timeout=300, cwd=ROOT, check=False)


class Arithmetic(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def json(self, *args):
        result = run(*args, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def refused(self, *args, says):
        result = run(*args)
        self.assertEqual((result.returncode, result.stdout), (2, ""), args)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(says, result.stderr)

    def test_sim_is_the_hardware(self):
        lists = {}
        for name, unit in (("exact", "exact-l1"), ("log2", "log2-l4"), ("mitchell", "mitchell-l4"), ("fp24", "fp24-l4")):
            files = [self.folder / f"{name}.{side}" for side in ("sim", "cosim")]
            simulated = self.json("sim", TRACE, "--ratio", "0.25", "--arithmetic", name, "--evictions", files[0])
            self.assertEqual((simulated["arithmetic"], simulated["tick_ns"]), (name, 1))
            hardware = self.json("cosim", TRACE, "--ratio", "0.25", "--unit", unit, "--evictions", files[1])
            self.assertEqual(hardware["arithmetic"], name)
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes(), name)
            for field in ("status", "clock", "remat_compute", "max_memory", "policy_sha256", "all_sha256"):
                self.assertEqual(simulated[field], hardware[field], (name, field))
            lists[name] = files[0].read_bytes()
        self.assertNotEqual(lists["exact"], lists["mitchell"])

    def test_the_default_is_exact(self):
        plain = self.json("sim", TRACE, "--ratio", "0.25")
        said = self.json("sim", TRACE, "--ratio", "0.25", "--arithmetic", "exact", "--tick-ns", "1")
        plain.pop("host")
        said.pop("host")
        self.assertEqual(plain, said)

    def test_ticks(self):
        coarse = self.json("sim", TRACE, "--ratio", "0.25", "--tick-ns", "1000000000")
        fine = self.json("sim", TRACE, "--ratio", "0.25")
        self.assertEqual(coarse["tick_ns"], 1000000000)
        # The whole run is one tick: every score is infinite, and the last of the pool goes.
        self.assertNotEqual(coarse["policy_sha256"], fine["policy_sha256"])

        for unit, arithmetic in (("exact-l4", "exact"), ("log2-l4", "log2")):
            simulated = self.json("sim", TRACE, "--ratio", "0.25", "--tick-ns", "16000", "--arithmetic", arithmetic)
            hardware = self.json("cosim", TRACE, "--ratio", "0.25", "--tick-ns", "16000", "--unit", unit)
            self.assertEqual(simulated["all_sha256"], hardware["all_sha256"])
            self.assertEqual(hardware["tick_ns"], 16000)

    def test_compare(self):
        base = ["compare", TRACE, "--ratio", "0.25", "--unit", "mitchell-l4"]
        moved = self.json(*base)
        self.assertFalse(moved["identical"])
        self.assertEqual(moved["arithmetic"], "mitchell")
        self.assertIn("difference", moved)
        self.assertEqual(run(*base, "--require", "identical").returncode, 3)
        own = self.json(*base, "--arithmetic", "unit", "--require", "identical")
        self.assertTrue(own["identical"])
        self.assertGreater(own["events"], moved["events"])
        ticks = self.json(*base, "--arithmetic", "unit", "--tick-ns", "16000", "--require", "identical")
        self.assertTrue(ticks["identical"])
        exact = run("compare", TRACE, "--ratio", "0.25", "--arithmetic", "unit")
        self.assertEqual(exact.returncode, 0, exact.stderr)
        self.refused(*base, "--arithmetic", "fp24", says="--arithmetic")

    def test_sweep_and_atlas_take_the_same_runs(self):
        out = self.folder / "sweep.jsonl"
        result = run("sweep", TRACE, "--ratios", "0.25", "--arithmetic", "exact,mitchell,fp12", "--tick-ns", "1,16000",
                     "-j", "1", "-o", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [json.loads(line) for line in out.read_text().splitlines()[1:]]
        self.assertEqual([(r["arithmetic"], r["tick_ns"]) for r in rows],
                         [(a, t) for a in ("exact", "mitchell", "fp12") for t in (1, 16000)])
        for row in rows:
            single = self.json("sim", TRACE, "--budget", row["budget"], "--arithmetic", row["arithmetic"], "--tick-ns",
                               row["tick_ns"], "--overhead-limit", "60")
            self.assertEqual(row["all_sha256"], single["all_sha256"])
        budget = rows[2]["budget"]
        atlas = self.folder / "atlas.jsonl"
        report = self.json("atlas", TRACE, "--from", f"{budget}B", "--to", f"{budget}B", "--arithmetic", "mitchell", "-o",
                           atlas)
        self.assertEqual(report["arithmetic"], "mitchell")
        interval = json.loads(atlas.read_text().splitlines()[1])
        self.assertEqual(interval["all_sha256"], rows[2]["all_sha256"])
        # Another arithmetic is another atlas.
        self.refused("atlas", TRACE, "--from", f"{budget}B", "--to", f"{budget}B", "-o", atlas, says="arithmetic")
        # Rows of an ordinary sweep do not mention any of it.
        plain = self.folder / "plain.csv"
        self.assertEqual(run("sweep", TRACE, "--ratios", "0.25", "-j", "1", "-o", plain).returncode, 0)
        self.assertNotIn("arithmetic", plain.read_text())

    def test_audit(self):
        audit = self.json("sim", TRACE, "--ratio", "0.25", "--audit", "exact,mitchell@16000,log2")["audit"]
        self.assertEqual([(j["arithmetic"], j["tick_ns"]) for j in audit],
                         [("exact", 1), ("mitchell", 16000), ("log2", 1)])
        self.assertEqual((audit[0]["other"], audit[0]["regret_max"]), (0, 0))
        self.assertGreater(audit[1]["other"], 0)
        self.assertGreater(audit[1]["regret_max"], 0)
        self.assertLessEqual(audit[2]["other"], audit[1]["other"])

    def test_ties_of_rules(self):
        for heuristic in ("nbhd-penalty", "two-phase", "he-star", "cost-stale", "tie-aware", "thrash-pen", "t-control"):
            base = ["sim", TRACE, "--ratio", "0.25", "--heuristic", heuristic, "--overhead-limit", "3"]
            counted, plain = self.json(*base, "--ties"), self.json(*base)
            ties = counted.pop("ties")
            self.assertLessEqual(ties["exact"]["decisions"], ties["within_1e-6"]["decisions"])
            self.assertLess(ties["within_1e-6"]["decisions"], plain["policy_evictions"])
            counted.pop("host")
            plain.pop("host")
            self.assertEqual(counted, plain, heuristic)  # counting changes nothing
            if heuristic == "he-star":  # small whole numbers
                self.assertGreater(ties["exact"]["decisions"], 0)

    def test_plot(self):
        sweep = self.folder / "s.csv"
        sweep.write_text("# x\ntrace,heuristic,arithmetic,tick_ns,budget,status,overhead\n"
                         "t,dtr,exact,1,100,oom,\nt,dtr,exact,1,200,ok,2.5\n"
                         "t,dtr,mitchell,16000,100,thrash,\nt,dtr,mitchell,16000,200,ok,3.5\n")
        pictures = []
        for name in ("a.svg", "b.svg"):
            result = run("plot", "strips", sweep, "-o", self.folder / name)
            if result.returncode == 2 and "matplotlib" in result.stderr:
                self.skipTest("matplotlib is absent (python3-matplotlib)")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            pictures.append((self.folder / name).read_bytes())
        self.assertEqual(*pictures)
        for text in (b"exact arithmetic, ticks of 1 ns", b"mitchell arithmetic, ticks of 16000 ns", b"budget (GB)", b"thrash"):
            self.assertIn(text, pictures[0])

    def test_wrong_input(self):
        base = ["sim", TRACE, "--ratio", "0.25"]
        for text in ("log3", "log2:99", "fp8", "fp24x", "mitchell:0"):
            self.refused(*base, "--arithmetic", text, says="--arithmetic")
        for text in ("0", "-1", "1.5", "1000000001"):
            self.refused(*base, f"--tick-ns={text}", says="--tick-ns")
        self.refused(*base, "--heuristic", "he-star", "--arithmetic", "fp24", says="rule of its own")
        self.refused(*base, "--audit", "log2@x", says="--tick-ns")
        self.refused(*base, "--audit", "log2", "--ties", says="one of them")
        self.refused(*base, "--heuristic", "random:7", "--ties", says="random:7 draws its victims by lot")
        self.refused(*base, "--heuristic", "lru", "--audit", "log2", says="lru")
        self.refused("sweep", TRACE, "--ratios", "0.25", "--engine", "cosim", "--arithmetic", "log2", "-o",
                     self.folder / "x", says="--engine sim")


if __name__ == "__main__":
    unittest.main()
