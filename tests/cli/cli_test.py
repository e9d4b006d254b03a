#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the built binary as a user would: results, exit codes, and one clear line for every wrong input.

usage: cli_test.py DTRMC_BINARY [unittest arguments]
"""
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BINARY = None

START = '{"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}\n'


def constant(name, size):
    return (f'{{"INSTRUCTION":"CONSTANT","NAME":"{name}"}}\n'
            f'{{"INSTRUCTION":"MEMORY","NAME":"{name}","MEMORY":"{size}"}}\n')


def call(result, args, size, time, alias=-1):
    return (json.dumps({"INSTRUCTION": "CALL", "NAME": "f", "ARGS": args, "RESULT": [result], "TIME": str(time)}) + "\n"
            + json.dumps({"INSTRUCTION": "MEMORY", "NAME": result, "MEMORY": str(size)}) + "\n"
            + json.dumps({"INSTRUCTION": "ALIAS", "NAME": result, "ALIAS": str(alias)}) + "\n")


def chain(length):
    """A chain whose values are all used again on the way back: evictions and rematerialisations at half the peak."""
    text = START + constant("x0", 64)
    for i in range(1, length):
        text += call(f"x{i}", [f"x{i - 1}"], 64, 5 + i % 3)
    grad = f"x{length - 1}"
    for i in reversed(range(1, length)):
        text += call(f"g{i}", [grad, f"x{i - 1}"], 64, 7)
        text += f'{{"INSTRUCTION":"RELEASE","NAME":"{grad}"}}\n'
        if grad != f"x{i}":
            text += f'{{"INSTRUCTION":"RELEASE","NAME":"x{i}"}}\n'
        grad = f"g{i}"
    return text


class Cli(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="dtrmc-cli-")
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.trace = self.write("chain.log", chain(40))

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def run_cli(self, *args, **kwargs):
        return subprocess.run([BINARY, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              cwd=self.folder, check=False, **kwargs)

    def sim(self, *args):
        result = self.run_cli("sim", *args, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def refused(self, *args, says=()):
        """Exit code 2, exactly one line on stderr, nothing on stdout, no file left behind."""
        before = sorted(self.folder.iterdir())
        result = self.run_cli(*args)
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 2, (args, error))
        self.assertEqual(result.stdout, b"", args)
        self.assertTrue(error.startswith("dtrmc: error: "), error)
        self.assertEqual(error.count("\n"), 1, error)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, error)
        self.assertEqual(sorted(self.folder.iterdir()), before, "a file was left behind")

    # --- what works

    def test_sim_prints_the_golden_fields_in_order(self):
        out = self.sim(self.trace, "--ratio", "0.5", "--heuristic", "dtr-eq", "--overhead-limit", "5")
        self.assertEqual(list(out)[:17], [
            "trace", "heuristic", "runtime", "ratio", "budget", "overhead_limit", "status", "clock", "model_compute",
            "remat_compute", "max_memory", "policy_evictions", "all_evictions", "distinct_evicted", "heuristic_evals",
            "policy_sha256", "all_sha256"])
        self.assertEqual((out["trace"], out["heuristic"], out["runtime"]), ("chain", "dtr-eq", "v2-eager"))
        self.assertEqual(out["status"], "ok")
        self.assertGreater(out["policy_evictions"], 0)
        self.assertEqual(out["clock"], 1 + out["model_compute"] + out["remat_compute"])
        self.assertLessEqual(out["max_memory"], out["budget"])

    def test_ratio_is_of_the_unlimited_peak_and_null_where_bytes_were_given(self):
        full = self.sim(self.trace, "--ratio", "1")
        self.assertEqual(full["max_memory"], full["budget"])
        half = self.sim(self.trace, "--ratio", "0.5")
        self.assertEqual(half["budget"], full["budget"] // 2)
        self.assertIsNone(self.sim(self.trace, "--budget", str(half["budget"]))["ratio"])

    def test_trace_convert_keeps_every_byte(self):
        text = Path(self.trace).read_bytes() + b'\r\n\n{"INSTRUCTION":"RELEASE","NAME":"never"}'  # no last line end
        source = self.write("odd.log", text)
        names = ("a.jsonl", "b.log.gz", "c.jsonl.zst", "d.log")
        before = source
        for name in names:
            path = str(self.folder / name)
            result = self.run_cli("trace", "convert", before, path, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            out = json.loads(result.stdout)
            self.assertEqual((out["text_bytes"], out["text_sha256"]), (len(text), hashlib.sha256(text).hexdigest()))
            before = path
        self.assertEqual((self.folder / "a.jsonl").read_bytes(), text)
        self.assertEqual((self.folder / "d.log").read_bytes(), text)
        self.assertEqual(gzip.decompress((self.folder / "b.log.gz").read_bytes()), text)
        self.assertEqual((self.folder / "c.jsonl.zst").read_bytes()[:4], bytes([0x28, 0xb5, 0x2f, 0xfd]))
        again = self.run_cli("trace", "convert", source, "e.jsonl.zst")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "e.jsonl.zst").read_bytes(), (self.folder / "c.jsonl.zst").read_bytes())
        fields = [{k: v for k, v in self.sim(str(self.folder / name), "--ratio", "0.5").items()
                   if k not in ("host", "trace")} for name in names]
        self.assertTrue(all(f == fields[0] for f in fields))

    def test_trace_convert_refuses(self):
        bad = self.write("bad.log", START + "{")
        self.refused("trace", "convert", bad, "out.log", says="bad.log:2")
        self.refused("trace", "convert", self.trace, self.trace, says="trace itself")
        self.refused("trace", "convert", self.trace, "out.csv", says=(".log", ".jsonl"))
        self.refused("trace", "convert", self.trace, "out.log.xz", says=(".log", ".jsonl"))
        self.refused("trace", "convert", self.trace, "no/such/out.log", says="no/such/out.log")
        self.refused("trace", "convert", self.trace, "", says="OUT")
        self.refused("trace", "convert", "absent", "out.log", says="absent")
        self.refused("trace", "convert", "/dev/null", "out.log", says="/dev/null")
        self.refused("trace", "convert", self.trace, says="OUT")

    def test_simrd_class_names_are_aliases(self):
        ours = self.sim(self.trace, "--ratio", "0.5", "--heuristic", "dtr-local", "--runtime", "v2")
        theirs = self.sim(self.trace, "--ratio", "0.5", "--heuristic", "DTRLocal", "--runtime", "RuntimeV2Optimized")
        ours.pop("host"), theirs.pop("host")
        self.assertEqual(ours, theirs)

    def test_runtime_v1_and_its_baseline(self):
        out = self.sim(self.trace, "--ratio", "0.6", "--baseline", "simrd", "--runtime", "v1", "--heuristic", "DTRUnopt")
        self.assertEqual((out["runtime"], out["heuristic"]), ("v1", "dtr-unopt"))
        peak = json.loads(self.run_cli("trace", "info", self.trace, "--json").stdout)["peak_v1"]
        self.assertEqual(out["budget"], int(peak * 0.6))
        self.refused("sim", self.trace, "--ratio", "0.5", "--runtime", "v1", "--heuristic", "dtr-eq", says="v1")
        self.refused("sim", self.trace, "--ratio", "0.5", "--heuristic", "dtr-unopt", says="v1")

    def test_eviction_list_is_what_the_hashes_are_over(self):
        path = self.folder / "list"
        out = self.sim(self.trace, "--ratio", "0.4", "--evictions", str(path))
        content = path.read_bytes()
        self.assertEqual(hashlib.sha256(content).hexdigest(), out["all_sha256"])
        policy = b"".join(line for line in content.splitlines(keepends=True) if line.startswith(b"p "))
        self.assertEqual(hashlib.sha256(policy).hexdigest(), out["policy_sha256"])
        self.assertEqual(content.count(b"\n"), out["all_evictions"])

    def test_compressed_traces_give_the_same_run(self):
        plain = self.sim(self.trace, "--ratio", "0.5")
        packed = self.sim(self.write("chain.jsonl.gz", gzip.compress(chain(40).encode())), "--ratio", "0.5")
        plain.pop("host"), packed.pop("host")
        self.assertEqual(plain, packed)

    def test_names_are_found_in_traces_of_the_working_directory(self):
        (self.folder / "traces").mkdir()
        (self.folder / "traces" / "mine.jsonl").write_text(chain(5))
        self.assertEqual(self.sim("mine", "--ratio", "1")["trace"], "mine")

    def test_oom_reports_the_failing_request(self):
        out = self.sim(self.trace, "--budget", "100")
        self.assertEqual(out["status"], "oom")
        self.assertEqual(set(out["failure"]), {"request", "over_by", "pinned", "depth", "operator"})

    def test_require(self):
        self.assertEqual(self.run_cli("sim", self.trace, "--budget", "100", "--require", "ok").returncode, 3)
        self.assertEqual(self.run_cli("sim", self.trace, "--budget", "100", "--require", "oom").returncode, 0)
        self.assertEqual(self.run_cli("sim", self.trace, "--budget", "100").returncode, 0)

    def test_text_output_and_trace_commands(self):
        self.assertIn(b"status", self.run_cli("sim", self.trace, "--ratio", "0.5").stdout)
        info = json.loads(self.run_cli("trace", "info", self.trace, "--json").stdout)
        self.assertEqual((info["operators"], info["constants"]), (79, 1))
        check = self.run_cli("trace", "check", self.trace)
        self.assertEqual((check.returncode, b"valid" in check.stdout), (0, True))
        linking = START + constant("a", 8) + call("b", ["a"], 8, 5) + call("v", ["a", "b"], 8, 5, alias=0)
        path = self.write("linking.log", linking)
        self.assertIn(b"linking.log:7: note: operator 2 'f'", self.run_cli("trace", "check", path).stdout)

    def test_help_shows_an_example(self):
        for command in (["sim"], ["trace"], ["trace", "info"], ["trace", "check"]):
            result = self.run_cli(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(b"Example:\n  dtrmc " + command[0].encode(), result.stdout)
        self.assertEqual(self.run_cli("--help").returncode, 0)
        self.assertEqual(self.run_cli("--version").returncode, 0)

    def test_results_do_not_vary(self):
        runs = []
        for _ in range(3):
            out = self.sim(self.trace, "--ratio", "0.4")
            out.pop("host")
            runs.append(json.dumps(out))
        self.assertEqual(len(set(runs)), 1)

    # --- what is refused

    def test_wrong_files(self):
        noise = random.Random(1).randbytes(4096) if hasattr(random.Random, "randbytes") else os.urandom(4096)
        good = chain(10)
        packed = gzip.compress(good.encode())
        cases = {
            "noise.log": (noise, ":1:"),
            "empty.log": (b"", "is empty"),
            "text.log": ("hello\n", ":1: not JSON"),
            "nostart.log": (constant("x", 1), "START"),
            "cutcall.log": (START + constant("x", 1) + call("y", ["x"], 1, 1).split("\n")[0] + "\n", ":4:"),
            "cutline.log": (good[:-20], f":{good.count(chr(10))}:"),
            "negative.log": (START + constant("x", -5), ":3: MEMORY"),
            "huge.log": (START + constant("x", 10 ** 23), ":3: MEMORY"),
            "twice.log": (START + constant("x", 1) + constant("x", 1), ":4:"),
            "unknown.log": (START + call("y", ["x"], 1, 1), ":2: unknown name 'x'"),
            "cut.log.gz": (packed[:len(packed) // 2], "truncated"),
            "damaged.log.gz": (packed[:40] + bytes([packed[40] ^ 255]) + packed[41:], "gzip"),
        }
        for name, (content, says) in cases.items():
            with self.subTest(name):
                path = self.write(name, content)
                for command in (["sim", path, "--ratio", "0.5"], ["trace", "info", path], ["trace", "check", path]):
                    self.refused(*command, says=[path, says])
        self.refused("sim", str(self.folder), "--ratio", "0.5", says="is a directory")
        self.refused("sim", "no-such-trace", "--ratio", "0.5", says="no such trace")
        self.refused("trace", "info", str(self.folder / "absent.log"), says="no such file")

    def test_wrong_budgets(self):
        for ratio in ("0", "-0.5", "1.5", "nan", "inf", "text", "0.3x", ""):
            with self.subTest(ratio=ratio):
                self.refused("sim", self.trace, "--ratio", ratio, says="--ratio")
        for budget in ("-5", str(10 ** 23), "text", "5X", "1.5", "nan"):
            with self.subTest(budget=budget):
                self.refused("sim", self.trace, "--budget", budget, says="--budget")
        self.refused("sim", self.trace, says="exactly one of --budget")
        self.refused("sim", self.trace, "--budget", "5", "--ratio", "0.5", says="exactly one of --budget")
        self.refused("sim", self.trace, "--ratio", "0.5", "--baseline", "other", says="self")
        for limit in ("0.5", "nan", "text", "-1"):
            with self.subTest(limit=limit):
                self.refused("sim", self.trace, "--ratio", "0.5", "--overhead-limit", limit, says="--overhead-limit")

    def test_wrong_names_and_options(self):
        self.refused("sim", self.trace, "--ratio", "0.5", "--heuristic", "belady",
                     says=["'belady'", "dtr-eq", "dtr-local", "lru", "size", "msps"])
        self.refused("sim", self.trace, "--ratio", "0.5", "--runtime", "v9", says="v2-eager")
        self.refused("sim", self.trace, "--ratio", "0.5", "--require", "fine", says="oom")
        self.refused("sim", self.trace, "--ratio", "0.5", "--heuristc", "dtr", says="--heuristc")
        self.refused("sim", self.trace, "--ratio", says="--ratio")
        self.refused("sim", "--ratio", "0.5", says="TRACE")
        self.refused("sim", self.trace, "extra", "--ratio", "0.5", says="extra")
        self.refused("simulate", says="simulate")
        self.refused("trace", self.trace)
        self.refused()

    def test_unwritable_output(self):
        for target in ("/nonexistent/list", str(self.folder), "/proc/list"):
            with self.subTest(target):
                self.refused("sim", self.trace, "--ratio", "0.5", "--evictions", target, says="cannot be written")
        self.refused("sim", self.trace, "--ratio", "0.5", "--evictions", self.trace, says="the trace itself")
        if Path("/dev/full").exists():
            self.refused("sim", self.trace, "--ratio", "0.4", "--evictions", "/dev/full", says="cannot be written")
            with open("/dev/full", "wb") as full:
                result = subprocess.run([BINARY, "sim", self.trace, "--ratio", "0.4"], stdout=full,
                                        stderr=subprocess.PIPE, timeout=60, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_a_bad_trace_leaves_an_older_list_alone(self):
        kept = self.write("list", "older\n")
        bad = self.write("bad.log", START + constant("x", -5))
        self.refused("sim", bad, "--ratio", "0.5", "--evictions", kept)
        self.assertEqual(Path(kept).read_text(), "older\n")

    def test_a_closed_pipe_ends_quietly(self):
        process = subprocess.Popen([BINARY, "sim", self.trace, "--ratio", "0.4"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        error = process.stderr.read()
        process.stderr.close()
        process.wait(timeout=60)
        self.assertLessEqual(error.count(b"\n"), 1)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
