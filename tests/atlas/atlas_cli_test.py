# SPDX-License-Identifier: Apache-2.0
"""dtrmc atlas from the command line: the file, resuming at every byte, two processes, a full disk, wrong input."""

import fcntl
import gzip
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

DTRMC = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]


def run(*args, **kwargs):
    return subprocess.run([DTRMC, *map(str, args)], capture_output=True, text=True, timeout=300, **kwargs)


def random_trace(folder, name):
    with gzip.open(ROOT / "tests/data/random.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            if row["id"] == name:
                path = Path(folder) / f"{name}.log"
                path.write_text("".join(json.dumps(entry) + "\n" for entry in row["lines"]))
                return path
    raise KeyError(name)


class AtlasTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.trace = random_trace(self.folder, "r0")
        self.out = self.folder / "map.jsonl"
        self.args = ["atlas", self.trace, "--heuristic", "dtr", "--overhead-limit", "6", "--from", "0",
                     "-o", self.out]

    def refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertTrue(result.stderr.startswith("dtrmc: error: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_file_and_report(self):
        result = run(*self.args)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, *rows = [json.loads(line) for line in self.out.read_text().splitlines()]
        self.assertEqual(header["trace_sha256"], hashlib.sha256(self.trace.read_bytes()).hexdigest())
        self.assertEqual(rows[0]["lo"], 0)
        self.assertEqual(rows[-1]["hi"], header["baseline_peak"])
        for low, high in zip(rows, rows[1:]):
            self.assertEqual(low["hi"] + 1, high["lo"])
        # Every row is what dtrmc sim says at both of its ends.
        for row in rows:
            for budget in {row["lo"], row["hi"]}:
                alone = json.loads(
                    run("sim", self.trace, "--heuristic", "dtr", "--overhead-limit", "6", "--budget", budget,
                        "--json").stdout)
                for key in ("status", "clock", "model_compute", "remat_compute", "max_memory", "policy_evictions",
                            "all_evictions", "distinct_evicted", "heuristic_evals", "pinned_peak", "max_nesting",
                            "policy_sha256", "all_sha256"):
                    self.assertEqual(row[key], alone[key], (budget, key))
        # The report, from the rows.
        report = json.loads(run(*self.args, "--json").stdout)
        ok = [row for row in rows if row["status"] == "ok"]
        failing = [row for row in rows if row["status"] != "ok"]
        self.assertEqual(report["first_ok"], ok[0]["lo"])
        self.assertEqual(report["stable_from"], failing[-1]["hi"] + 1)
        holes = 0
        for region in report["failure_regions"]:
            inside = [row for row in rows if region["lo"] <= row["lo"] and row["hi"] <= region["hi"]]
            self.assertTrue(all(row["status"] != "ok" for row in inside))
            self.assertEqual([r["status"] for r in rows if r["hi"] == region["lo"] - 1], ["ok"])
            self.assertEqual([r["status"] for r in rows if r["lo"] == region["hi"] + 1], ["ok"])
            holes += len(inside)
        self.assertEqual(holes, sum(1 for row in failing if row["lo"] > ok[0]["lo"] and row["hi"] < ok[-1]["hi"]))

    def test_threads_and_snapshots_change_nothing(self):
        run(*self.args, "-j", "1")
        whole = self.out.read_bytes()
        for jobs, snapshots in (("4", "1"), ("2", "3"), ("1", "1")):
            self.out.unlink()
            self.assertEqual(run(*self.args, "-j", jobs, "--snapshots", snapshots).returncode, 0)
            self.assertEqual(self.out.read_bytes(), whole)

    def test_resumes_from_every_interruption(self):
        first = run(*self.args)
        whole = self.out.read_bytes()
        self.assertGreater(len(whole.splitlines()), 20)
        ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
        cuts = {0, 1, 50, len(whole) - 1, len(whole)}
        for end in ends[:8] + ends[-3:]:
            cuts |= {end - 1, end, end + 1, end + 100}
        for cut in sorted(c for c in cuts if c <= len(whole)):
            self.out.write_bytes(whole[:cut])
            result = run(*self.args)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.out.read_bytes(), whole, f"cut at {cut}")
            self.assertEqual(result.stdout, first.stdout)

    def test_killed_run_resumes(self):
        big = ["atlas", "cifar-resnet32-224", "--heuristic", "dtr", "--from", "0.3", "--to", "0.6", "-o", self.out]
        process = subprocess.Popen([DTRMC, *map(str, big)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if self.out.exists() and self.out.stat().st_size > 20000:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = self.out.read_bytes()
        kept = kept[:kept.rfind(b"\n") + 1]
        self.assertGreater(kept.count(b"\n"), 1)
        self.assertEqual(run(*big, cwd=ROOT).returncode, 0)
        resumed = self.out.read_bytes()
        self.assertTrue(resumed.startswith(kept))
        self.out.unlink()
        self.assertEqual(run(*big, cwd=ROOT).returncode, 0)
        self.assertEqual(self.out.read_bytes(), resumed)

    def test_other_settings_or_content_are_refused(self):
        run(*self.args)
        whole = self.out.read_bytes()
        base = ["atlas", self.trace, "-o", self.out]
        for other in (["--heuristic", "dtr-eq", "--overhead-limit", "6"], ["--heuristic", "dtr"],
                      ["--heuristic", "dtr", "--overhead-limit", "6", "--from", "0.5"],
                      ["--heuristic", "dtr", "--overhead-limit", "6", "--runtime", "v2"]):
            self.refused(run(*base, *other), "map.jsonl:1", "something else")
        lines = whole.splitlines(keepends=True)
        for changed in (lines[:3] + lines[4:], lines[:3] + [b"{}\n"] + lines[3:], lines[:3] + [b"\0\0\n"] + lines[3:],
                        lines[:3] + lines[2:]):
            self.out.write_bytes(b"".join(changed))
            self.refused(run(*self.args), "map.jsonl:")
        for foreign in (b"notes\n", b"{}\n", b"[1]\n", b'{"dtrmc":"sweep"}\n', b'{"dtrmc":1}\n'):
            self.out.write_bytes(foreign)
            self.refused(run(*self.args), "not an atlas")
            self.assertEqual(self.out.read_bytes(), foreign)
        # The trace itself changed.
        self.out.write_bytes(whole)
        self.trace.write_text(self.trace.read_text() + "\n")
        self.refused(run(*self.args), "trace_sha256")
        self.assertEqual(self.out.read_bytes(), whole)

    def test_one_process_at_a_time(self):
        run(*self.args)
        with open(self.out, "r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refused(run(*self.args), "another process")

    def test_full_disk(self):
        run(*self.args)
        whole = self.out.read_bytes()
        for limit in (0, 100, len(whole) // 2, len(whole) - 1):
            self.out.unlink()
            result = subprocess.run(
                [DTRMC, *map(str, self.args)], capture_output=True, text=True, timeout=300, restore_signals=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.refused(result, "cannot be written")
            self.assertNotIn("intervals", result.stdout)
            left = self.out.read_bytes()
            self.assertTrue(whole.startswith(left))
            self.assertTrue(left == b"" or left.endswith(b"\n"))
            self.assertEqual(run(*self.args).returncode, 0)
            self.assertEqual(self.out.read_bytes(), whole)

    def test_wrong_input(self):
        for args, word in ((["--from", "0.6", "--to", "0.5"], "above"), (["--from", "much"], "--from"),
                           (["--to", "-1"], "--to"), (["--jobs", "0"], "--jobs"), (["--snapshots", "x"], "--snapshots"),
                           (["--overhead-limit", "0.5"], "--overhead-limit"), (["--heuristic", "none"], "heuristic"),
                           (["--heuristic", "random:1"], "random"), (["--heuristic", "two-phase:8"], "reads the budget"),

                           (["--baseline", "x"], "--baseline"), (["--runtime", "v1"], "v1"), (["--switches", "-1"], "--switches"),
                           (["-o", self.folder], "directory"), (["-o", self.folder / "no" / "map"], "No such file"),
                           (["-o", "/dev/null"], "ordinary"), (["-o", self.trace], "trace itself")):
            self.refused(run("atlas", self.trace, *args), word)
        self.refused(run("atlas", self.folder / "absent.log"), "absent")

    def test_bounds(self):
        rows = json.loads(run("atlas", self.trace, "--from", "100B", "--to", "120", "--json").stdout)
        self.assertEqual((rows["from"], rows["to"]), (100, 120))
        # By default from where something can complete at all.
        low = json.loads(run("atlas", self.trace, "--json").stdout)
        whole = json.loads(run("atlas", self.trace, "--from", "0", "--json").stdout)
        self.assertGreater(low["from"], 0)
        self.assertLessEqual(low["from"], whole["first_ok"])
        for key in ("first_ok", "stable_from", "failure_regions", "switches"):
            self.assertEqual(low[key], whole[key])
        rows = json.loads(run("atlas", self.trace, "--from", "0.5", "--to", "1", "--json").stdout)
        self.assertEqual((rows["from"], rows["to"]), (rows["baseline_peak"] // 2, rows["baseline_peak"]))


if __name__ == "__main__":
    unittest.main(verbosity=1)
