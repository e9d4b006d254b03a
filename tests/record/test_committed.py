# SPDX-License-Identifier: Apache-2.0
"""What needs no PyTorch: the replay's rules, its answers to malformed logs, and that the committed recordings, their
manifest and the table in traces/README.md agree."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

from traces.record.replay import ReplayError, read, replay

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "traces")
MANIFEST = os.path.join(FOLDER, "recordings.json")

START = {"INSTRUCTION": "ANNOTATE", "ANNOTATION": "START"}


def constant(name, size):
    return [{"INSTRUCTION": "CONSTANT", "NAME": name}, {"INSTRUCTION": "MEMORY", "NAME": name, "MEMORY": size}]


def call(args, *results, time="1"):
    names = [r[0] for r in results]
    lines = [{"INSTRUCTION": "CALL", "NAME": "f", "ARGS": args, "RESULT": names, "TIME": time}]
    for name, size, alias in results:
        lines.append({"INSTRUCTION": "MEMORY", "NAME": name, "MEMORY": size})
        lines.append({"INSTRUCTION": "ALIAS", "NAME": name, "ALIAS": alias})
    return lines


def mutate(args, indices):
    return [{"INSTRUCTION": "MUTATE", "NAME": "f_", "ARGS": args, "MUTATE": indices, "TIME": "2"}]


def move(kind, destination, source):
    return [{"INSTRUCTION": kind, "DST": destination, "SRC": source}]


def release(name):
    return [{"INSTRUCTION": "RELEASE", "NAME": name}]


def log(*parts):
    return "".join(json.dumps(line) + "\n" for part in ([START], *parts) for line in part).encode()


class Rules(unittest.TestCase):
    def test_constants_stay_and_others_go_with_their_last_reference(self):
        r = replay(
            log(constant("c", "10"), call(["c"], ("a", "5", "-1")), release("c"), move("COPY", "b", "a"), release("a"),
                call([], ("d", "7", "-1")), release("b"), call(["c"], ("e", "1", "-1")))
        )  # fmt: skip
        self.assertEqual([use for _, use in r.samples], [15, 22, 18])
        self.assertEqual((r.peak_bytes, r.final_bytes, r.total_cost_ns, r.operators), (22, 18, 3, 3))

    def test_an_alias_counts_nothing_and_holds_its_storage(self):
        r = replay(log(call([], ("a", "5", "-1")), call(["a"], ("v", "5", "0")), release("a")))
        self.assertEqual((r.peak_bytes, r.final_bytes, r.aliases), (5, 5, 1))

    def test_mutate_copies_the_whole_storage_before_the_old_one_goes(self):
        r = replay(log(call([], ("a", "5", "-1")), call(["a"], ("v", "5", "0")), release("a"), mutate(["v"], [0])))
        self.assertEqual((r.peak_bytes, r.final_bytes), (10, 5))

    def test_copy_from_takes_the_last_name_from_the_old_storage(self):
        base = [call([], ("a", "5", "-1")), move("COPY", "b", "a"), mutate(["a"], [0])]
        self.assertEqual(replay(log(*base)).final_bytes, 10)
        self.assertEqual(replay(log(*base, move("COPY_FROM", "b", "a"))).final_bytes, 5)

    def test_lines_before_start_blank_lines_and_crlf(self):
        text = b"{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"x\"}\r\n\r\n" + log(constant("c", 3)).replace(b"\n", b"\r\n\r\n")
        self.assertEqual(replay(text).peak_bytes, 3)


class Malformed(unittest.TestCase):
    def check(self, reason, *parts):
        with self.assertRaisesRegex(ReplayError, rf"^t.log:\d+: .*{reason}"):
            replay(parts[0] if isinstance(parts[0], bytes) else log(*parts), "t.log")

    def test_each_is_answered_with_file_line_and_reason(self):
        a = call([], ("a", "5", "-1"))
        self.check("START", b"")
        self.check("START", json.dumps(START).replace("START", "BEGIN").encode())
        self.check("JSON", log() + b"noise\n")
        self.check("JSON", log() + b'{"INSTRUCTION":\n')
        self.check("INSTRUCTION", log() + b"[1]\n")
        self.check("INSTRUCTION", [{"INSTRUCTION": "JUMP"}])
        self.check("expected MEMORY", constant("c", "1")[:1])
        self.check("expected ALIAS", a[:2])
        self.check("defined twice", constant("c", "1"), move("COPY", "c", "c"))
        self.check("a tensor named c exists", constant("c", "1"), constant("c", "1"))
        self.check("never defined", call(["a"], ("b", "1", "-1")))
        self.check("never defined", move("COPY", "b", "a"))
        self.check("never defined", a, move("COPY_FROM", "b", "a"))
        self.check("more often", a, release("a"), release("a"))
        self.check("empty RESULT", call([]))
        self.check("ALIAS 1 is out of range", a, call(["a"], ("b", "1", "1")))
        self.check("ALIAS -2 is out of range", a, call(["a"], ("b", "1", "-2")))
        self.check("MUTATE 1 is out of range", a, mutate(["a"], [1]))
        self.check("exists already", a, mutate(["a"], [0, 0]))
        self.check("exists already", a, move("COPY", "b", "a"), mutate(["a"], [0]), mutate(["b"], [0]))
        self.check("after its last release", a, release("a"), mutate(["a"], [0]))
        self.check("MEMORY is negative", constant("c", "-5"))
        self.check("not a decimal number", constant("c", "1" + 23 * "0"))
        self.check("not a decimal number", constant("c", "five"))
        self.check("not a decimal number", a[:0] + call([], ("a", "1", "-1"), time="1.5"))

    def test_the_command_line_answers_with_one_line_and_exit_code_2(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = os.path.join(folder, "cut.log.gz")
            with open(cut, "wb") as stream:
                stream.write(gzip.compress(log(constant("c", "1")))[:-9])
            empty = os.path.join(folder, "empty.log")
            open(empty, "wb").close()
            for arguments in ([cut], [empty], [folder], ["/nonexistent"], [empty, "--manifest", empty]):
                done = subprocess.run(
                    [sys.executable, "-m", "traces.record", "check", *arguments], capture_output=True, text=True
                )
                self.assertEqual(done.returncode, 2, arguments)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


class Committed(unittest.TestCase):
    def setUp(self):
        with open(MANIFEST, encoding="utf-8") as stream:
            self.entries = json.load(stream)

    def test_every_recording_is_what_its_manifest_says(self):
        logs = sorted(f for f in os.listdir(FOLDER) if ".log" in f)
        self.assertEqual(logs, [entry["file"] for entry in self.entries])
        for name in logs:
            path = os.path.join(FOLDER, name)
            self.assertLess(os.path.getsize(path), 1 << 20)
            done = subprocess.run(
                [sys.executable, "-m", "traces.record", "check", path, "--manifest", MANIFEST],
                capture_output=True, text=True,
            )  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_changed_recording_is_found(self):
        entry = self.entries[0]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, entry["file"])
            lines = read(os.path.join(FOLDER, entry["file"])).splitlines(keepends=True)
            lines.remove(next(line for line in lines if b'"RELEASE"' in line))
            with gzip.open(path, "wb") as stream:
                stream.write(b"".join(lines))
            done = subprocess.run(
                [sys.executable, "-m", "traces.record", "check", path, "--manifest", MANIFEST],
                capture_output=True, text=True,
            )  # fmt: skip
            self.assertEqual(done.returncode, 1)
            self.assertIn("when recorded", done.stderr)

    def test_the_table_in_the_readme_says_the_same(self):
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as stream:
            text = stream.read()
        for entry in self.entries:
            row = next(line for line in text.splitlines() if line.startswith(f"| `{entry['file']}`"))
            for key in ("operators", "tensors", "peak_bytes", "total_cost_ns"):
                self.assertIn(f"| {entry[key]:,} |", row)
            self.assertIn(entry["sha256"], text)
            self.assertIn(entry["command"], text)
            self.assertIn(entry["versions"]["torch"], text)

    def test_the_lines_look_like_the_public_logs(self):
        fields = {
            "ANNOTATE": ["ANNOTATION", "INSTRUCTION"],
            "CONSTANT": ["INSTRUCTION", "NAME"],
            "MEMORY": ["INSTRUCTION", "MEMORY", "NAME"],
            "ALIAS": ["ALIAS", "INSTRUCTION", "NAME"],
            "CALL": ["ARGS", "INSTRUCTION", "NAME", "RESULT", "TIME"],
            "MUTATE": ["ARGS", "INSTRUCTION", "MUTATE", "NAME", "TIME"],
            "COPY": ["DST", "INSTRUCTION", "SRC"],
            "COPY_FROM": ["DST", "INSTRUCTION", "SRC"],
            "RELEASE": ["INSTRUCTION", "NAME"],
        }
        for entry in self.entries:
            lines = read(os.path.join(FOLDER, entry["file"])).decode().splitlines()
            self.assertEqual(lines[0], '{"ANNOTATION":"START","INSTRUCTION":"ANNOTATE"}')
            self.assertEqual(lines.count('{"ANNOTATION":"BACKWARD","INSTRUCTION":"ANNOTATE"}'), 1)
            for line in lines:
                line = json.loads(line)
                self.assertEqual(list(line), fields[line["INSTRUCTION"]])
                for key in ("MEMORY", "ALIAS", "TIME"):
                    self.assertIsInstance(line.get(key, ""), str)


if __name__ == "__main__":
    unittest.main(verbosity=1)
