# SPDX-License-Identifier: Apache-2.0
"""dtrmc sweep from the command line: rows against dtrmc sim, resuming, shards, refinement, locks, full disk, wrong input."""

import csv
import fcntl
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DTRMC = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ("status", "clock", "model_compute", "remat_compute", "max_memory", "policy_evictions", "all_evictions",
          "distinct_evicted", "policy_sha256", "all_sha256")


def run(*args, **kwargs):
    return subprocess.run([DTRMC, *map(str, args)], capture_output=True, text=True, timeout=300, **kwargs)


def json_rows(path):
    header, *rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return header, rows


def csv_rows(path):
    head, *lines = Path(path).read_text().splitlines()
    return json.loads(head[2:]), list(csv.DictReader(lines))


class SweepTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.traces = []
        with gzip.open(ROOT / "tests/data/random.jsonl.gz", "rt") as lines:
            for line in lines:
                row = json.loads(line)
                if row["id"] in ("r0", "r1"):
                    path = self.folder / f"{row['id']}.log"
                    path.write_text("".join(json.dumps(entry) + "\n" for entry in row["lines"]))
                    self.traces.append(path)
                if len(self.traces) == 2:
                    break
        self.out = self.folder / "out.jsonl"
        self.args = ["sweep", *self.traces, "--heuristic", "dtr,lru", "--ratios", "0.1:1:0.05", "--overhead-limit", "6"]

    def refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertTrue(result.stderr.startswith("dtrmc: error: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_rows_are_those_of_sim(self):
        result = run(*self.args, "--runtime", "v2-eager", "--runtime", "v2", "--samples", 5, "-o", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = json_rows(self.out)
        self.assertGreater(len(rows), 2 * 2 * 2 * 19)
        self.assertEqual(sum(row["ratio"] is not None for row in rows), 2 * 2 * 2 * 19)
        order = [(r["trace"], r["heuristic"], r["runtime"], r["budget"]) for r in rows]
        self.assertEqual(order, sorted(order, key=lambda k: (["r0", "r1"].index(k[0]), ["dtr", "lru"].index(k[1]),
                                                             ["v2-eager", "v2"].index(k[2]), k[3])))
        self.assertEqual(len(set(order)), len(order))
        for row in rows[::9]:
            where = ["--ratio", row["ratio"]] if row["ratio"] is not None else ["--budget", row["budget"]]
            alone = json.loads(run("sim", self.folder / f"{row['trace']}.log", "--heuristic", row["heuristic"], "--runtime",
                                   row["runtime"], "--overhead-limit", "6", *where, "--json").stdout)
            for key in (*GOLDEN, "budget", "heuristic_evals", "pinned_peak", "max_nesting"):
                self.assertEqual(row[key], alone[key], key)
            self.assertEqual(row["overhead"] is not None, row["status"] == "ok")
            self.assertEqual(row["failure_request"] is not None, row["status"] == "oom")
        # CSV says the same.
        table = self.folder / "out.csv"
        run(*self.args, "--runtime", "v2-eager", "--runtime", "v2", "--samples", 5, "-o", table)
        head, lines = csv_rows(table)
        self.assertEqual(head, header)
        self.assertEqual(len(lines), len(rows))
        for line, row in zip(lines, rows):
            for key, value in row.items():
                self.assertEqual(line[key], "" if value is None else value if isinstance(value, str) else json.dumps(value))

    def test_processes_change_nothing(self):
        run(*self.args, "-j", 1, "-o", self.out)
        whole = self.out.read_bytes()
        self.out.unlink()
        run(*self.args, "-j", 5, "-o", self.out)
        self.assertEqual(self.out.read_bytes(), whole)

    def test_resumes_from_every_interruption(self):
        for out in (self.out, self.folder / "out.csv"):
            for extra in ([], ["--refine", "--refine-step", "3B"]):
                args = [*self.args, *extra, "-o", out]
                self.assertEqual(run(*args).returncode, 0)
                whole = out.read_bytes()
                ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
                for cut in (0, 1, ends[0] - 1, ends[0], ends[0] + 5, ends[1], ends[5] + 40, ends[9], ends[-2], ends[-1] - 1):
                    out.write_bytes(whole[:cut])
                    self.assertEqual(run(*args).returncode, 0)
                    self.assertEqual(out.read_bytes(), whole, f"{out.name} cut at {cut}")
                # Rows in any order, as an interruption leaves them; and nothing is run twice.
                lines = whole.splitlines(keepends=True)
                head = 2 if out.suffix == ".csv" else 1
                kept = lines[head:][::-2]
                out.write_bytes(b"".join(lines[:head] + kept))
                result = run(*args)
                self.assertIn(f"{len(lines) - head - len(kept)} run now, {len(kept)} there before", result.stdout)
                self.assertEqual(out.read_bytes(), whole)
                self.assertIn(" 0 run now", run(*args).stdout)
                out.unlink()

    def test_shards_make_the_whole(self):
        for extra in ([], ["--refine", "--refine-step", "0.01"]):
            run(*self.args, *extra, "-o", self.out)
            _, whole = json_rows(self.out)
            self.out.unlink()
            parts = []
            for k in (1, 2, 3):
                part = self.folder / "part.jsonl"
                self.assertEqual(run(*self.args, *extra, "--shard", f"{k}/3", "-o", part).returncode, 0)
                header, rows = json_rows(part)
                self.assertEqual(header["shard"], f"{k}/3")
                self.assertTrue(rows)
                parts += rows
                part.unlink()
            key = lambda row: json.dumps(row, sort_keys=True)
            self.assertEqual(sorted(map(key, parts)), sorted(map(key, whole)))

    def test_refinement_narrows_every_change(self):
        run(*self.args, "--refine", "--refine-step", "1B", "-o", self.out)
        _, rows = json_rows(self.out)
        refined = [row for row in rows if row["ratio"] is None]
        self.assertGreater(len(refined), 10)
        for low, high in zip(rows, rows[1:]):
            if (low["trace"], low["heuristic"]) != (high["trace"], high["heuristic"]):
                continue
            differ = low["status"] != high["status"]
            if low["overhead"] and high["overhead"]:
                a, b = sorted((low["overhead"], high["overhead"]))
                differ |= b > a * 1.25
            if differ:
                self.assertEqual(high["budget"] - low["budget"], 1)

    def test_broken_trace_is_said_and_the_others_go_on(self):
        broken = self.folder / "broken.log"
        broken.write_text("{}\n")
        args = ["sweep", self.traces[0], broken, self.folder / "absent.log", self.traces[1], "--ratios", "0.5,0.6", "-o", self.out]
        result = run(*args)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("dtrmc: error: "), 2)
        self.assertIn("broken.log:1", result.stderr)
        _, rows = json_rows(self.out)
        self.assertEqual([row["trace"] for row in rows], ["r0", "r0", "r1", "r1"])
        # Repaired, it joins; what is there stays.
        broken.write_text(self.traces[0].read_text())
        result = run(*args)
        self.assertEqual(result.returncode, 1)
        self.assertIn("2 run now, 4 there before", result.stdout)
        header, rows = json_rows(self.out)
        self.assertEqual([row["trace"] for row in rows], ["r0", "r0", "broken", "broken", "r1", "r1"])
        self.assertEqual(sorted(header["traces"]), ["broken", "r0", "r1"])
        # Broken again: its rows stay.
        before = sorted(self.out.read_text().splitlines()[1:])
        broken.write_text("{}\n")
        result = run(*args)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(sorted(self.out.read_text().splitlines()[1:]), before)
        # Other content under the same name is not mixed in.
        broken.write_text(self.traces[1].read_text())
        self.refused_last(run(*args), "broken")
        self.assertEqual(run("sweep", broken.parent / "absent.log", "--ratios", "0.5", "-o", self.out).returncode, 2)

    def refused_last(self, result, word):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(word, result.stderr.splitlines()[-1])

    def test_a_point_that_fails_is_said_and_tried_again(self):
        # A clock beyond its range: an operator of 2^61 ns, rematerialised again and again without limit.
        line = lambda **k: json.dumps(k) + "\n"
        def call(name, args, size, time):
            return (line(INSTRUCTION="CALL", NAME="f", ARGS=args, RESULT=[name], TIME=str(time)) +
                    line(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size)) + line(INSTRUCTION="ALIAS", NAME=name, ALIAS="-1"))
        text = line(INSTRUCTION="ANNOTATE", ANNOTATION="START") + line(INSTRUCTION="CONSTANT", NAME="c")
        text += line(INSTRUCTION="MEMORY", NAME="c", MEMORY="1") + call("a", ["c"], 10, 1 << 61)
        for i in range(12):
            text += call(f"b{i}", ["c"], 15, 1) + line(INSTRUCTION="RELEASE", NAME=f"b{i}")
            text += call(f"d{i}", ["a"], 1, 1) + line(INSTRUCTION="RELEASE", NAME=f"d{i}")
        huge = self.folder / "huge.log"
        huge.write_text(text)
        args = ["sweep", huge, "--heuristic", "lru", "--overhead-limit", "none", "--budgets", "22,1000", "-o", self.out]
        result = run(*args)
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertIn("clock", result.stderr)
        _, rows = json_rows(self.out)
        self.assertEqual([row["budget"] for row in rows], [1000])
        self.assertIn("failed", run(*args).stdout)

    def test_one_process_at_a_time(self):
        run(*self.args, "-o", self.out)
        with open(self.out, "r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refused(run(*self.args, "-o", self.out), "another process")

    def test_full_disk(self):
        run(*self.args, "-j", 1, "-o", self.out)
        whole = self.out.read_bytes()
        for limit in (0, 100, len(whole) // 2):
            self.out.unlink()
            result = subprocess.run([DTRMC, *map(str, self.args), "-o", str(self.out)], capture_output=True, text=True,
                                    timeout=300, restore_signals=False,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.refused(result, "cannot be written")
            left = self.out.read_bytes()
            self.assertTrue(left == b"" or left.endswith(b"\n"))
            self.assertLessEqual(len(left), limit)
            self.assertEqual(run(*self.args, "-o", self.out).returncode, 0)
            self.assertEqual(self.out.read_bytes(), whole)

    def test_other_settings_are_refused(self):
        run(*self.args, "-o", self.out)
        whole = self.out.read_bytes()
        for other in (["--seed", "2"], ["--samples", "3"], ["--refine"], ["--shard", "1/2"], ["--runtime", "v2"],
                      ["--baseline", "simrd"], ["--budgets", "50"]):
            self.refused(run(*self.args, *other, "-o", self.out), "another sweep")
        for text in (b"x\n", b"{}\n", b'{"dtrmc":"atlas","traces":{}}\n', b"\n"):
            self.out.write_bytes(text)
            self.refused(run(*self.args, "-o", self.out), "not a sweep")
            self.assertEqual(self.out.read_bytes(), text)
        lines = whole.splitlines(keepends=True)
        for bad in (b"{}\n", b"\0\n", b"[]\n"):
            self.out.write_bytes(b"".join(lines[:4]) + bad)
            self.refused(run(*self.args, "-o", self.out), "out.jsonl:5")

    def test_platform(self):
        args = ["sweep", self.traces[0], "--engine", "cosim", "--heuristic", "lru,size", "--ratios", "0.4,0.7", "--scorer",
                "rtl,firmware", "--queue-depth", "1,4", "--overhead-limit", "6", "-o", self.out]
        result = run(*args)
        self.assertEqual(result.returncode, 0, result.stderr)
        _, rows = json_rows(self.out)
        self.assertEqual(len(rows), 2 * 2 * 2 * 2)
        for row in rows:
            software = json.loads(run("sim", self.traces[0], "--heuristic", row["heuristic"], "--budget", row["budget"],
                                      "--overhead-limit", "6", "--json").stdout)
            for key in GOLDEN:
                self.assertEqual(row[key], software[key], key)
            self.assertGreater(row["cycles_total"], 0)
            self.assertEqual(row["unit"], None if row["scorer"] == "firmware" else "exact-l4")
        alone = json.loads(run("cosim", self.traces[0], "--heuristic", "size", "--ratio", "0.4", "--scorer", "firmware",
                               "--queue-depth", "4", "--overhead-limit", "6", "--json").stdout)
        row = next(r for r in rows if (r["heuristic"], r["scorer"], r["queue_depth"], r["ratio"]) == ("size", "firmware", 4, 0.4))
        self.assertEqual(row["cycles_total"], alone["controller"]["cycles"]["total"])
        self.assertIn(" 0 run now", run(*args).stdout)
        self.refused(run("sweep", self.traces[0], "--ratios", "0.5", "--unit", "exact-l4", "-o", self.out), "--engine cosim")

    def test_device_time(self):
        args = ["sweep", self.traces[0], "--engine", "cosim", "--ratios", "0.4:0.8:0.1", "--time", "model,device",
                "--tick-ns", "1,50", "--controller-mhz", "100,1000", "--overhead-limit", "6", "-o", self.out]
        result = run(*args)
        self.assertEqual(result.returncode, 0, result.stderr)
        _, rows = json_rows(self.out)
        self.assertEqual(len(rows), 5 * 2 * 2 * 2)
        differ = 0
        for row in rows:
            single = json.loads(run("cosim", self.traces[0], "--budget", row["budget"], "--time", row["time_base"], "--tick-ns",
                                    row["tick_ns"], "--controller-mhz", row["controller_mhz"], "--overhead-limit", "6",
                                    "--json").stdout)
            for key in GOLDEN:
                self.assertEqual(row[key], single[key], key)
            self.assertEqual(sum(row[key] for key in row if key.startswith("stall_")), row["exposed_controller_ns"])
            self.assertEqual((row["lanes"], row["search"], row["arithmetic"]), (4, "scan", "exact"))
            if row["time_base"] == "device":
                model = next(r for r in rows if r["time_base"] == "model" and
                             all(r[k] == row[k] for k in ("budget", "tick_ns", "controller_mhz")))
                differ += row["all_sha256"] != model["all_sha256"]
        self.assertGreater(differ, 0)
        self.refused(run("sweep", self.traces[0], "--ratios", "0.5", "--time", "device", "-o", self.out), "--engine cosim")

    def test_wrong_input(self):
        base = ["sweep", self.traces[0], "-o", self.out]
        for args, word in (([], "--ratios"), (["--ratios", "2"], "--ratios"), (["--ratios", "0.5:0.4:0.1"], "above"),
                           (["--budgets", "1G:2G:0"], "step"), (["--budgets", "x"], "--budgets"),
                           (["--ratios", "0.5", "--samples", "4"], "--samples"), (["--ratios", "0.5", "--shard", "3/2"], "--shard"),
                           (["--ratios", "0.5", "--shard", "x"], "--shard"), (["--ratios", "0.5", "-j", "0"], "--jobs"),
                           (["--ratios", "0.5", "--heuristic", "x"], "heuristic"), (["--ratios", "0.5", "--engine", "x"], "--engine"),
                           (["--ratios", "0.5", "--runtime", "v1"], "v1"), (["--ratios", "0.5", "--overhead-limit", "0"], "limit"),
                           (["--ratios", "0.5", "--refine", "--refine-step", "x"], "--refine-step")):
            self.refused(run(*base, *args), word)
            self.assertFalse(self.out.exists())
        self.refused(run("sweep", self.traces[0], self.traces[0], "--ratios", "0.5", "-o", self.out), "two traces")
        self.refused(run("sweep", self.traces[0], "--ratios", "0.5", "-o", self.folder), "directory")
        self.refused(run("sweep", self.traces[0], "--ratios", "0.5", "-o", self.traces[0]), "not a sweep")


if __name__ == "__main__":
    unittest.main(verbosity=1)
