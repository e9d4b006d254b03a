# SPDX-License-Identifier: Apache-2.0
"""What the recording tests share: the binary, a folder of their own, runs and refusals."""
import gzip
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# A committed recording with some 180 decisions and 300 rematerialisations; a run takes a fraction of a second.
TRACE = "lstm-recorded"
RUN = {"--ratio": "0.4", "--heuristic": "dtr-eq"}


def chain(length):
    """A small trace: a chain whose values are all used again on the way back."""
    def call(result, args):
        return [{"INSTRUCTION": "CALL", "NAME": "f", "ARGS": args, "RESULT": [result], "TIME": "7"},
                {"INSTRUCTION": "MEMORY", "NAME": result, "MEMORY": "64"},
                {"INSTRUCTION": "ALIAS", "NAME": result, "ALIAS": "-1"}]

    lines = [{"INSTRUCTION": "ANNOTATE", "ANNOTATION": "START"}, {"INSTRUCTION": "CONSTANT", "NAME": "x0"},
             {"INSTRUCTION": "MEMORY", "NAME": "x0", "MEMORY": "64"}]
    for i in range(1, length):
        lines += call(f"x{i}", [f"x{i - 1}"])
    for i in reversed(range(1, length)):
        lines += call(f"g{i}", [f"g{i + 1}" if i + 1 < length else f"x{i}", f"x{i - 1}"])
        lines += [{"INSTRUCTION": "RELEASE", "NAME": name} for name in (f"g{i + 1}", f"x{i}")]
    return "".join(json.dumps(line) + "\n" for line in lines)


class Recorded(unittest.TestCase):
    binary = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="dtrmc-recording-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def read(self, name):
        data = (self.folder / name).read_bytes()
        return gzip.decompress(data) if name.endswith(".gz") else data

    def start(self, command, *args, trace=TRACE):
        defaults = [word for option, value in RUN.items() if option not in args for word in (option, value)]
        return subprocess.run([self.binary, command, trace, *defaults, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=600, cwd=ROOT, check=False)

    def run_json(self, command, *args, trace=TRACE):
        result = self.start(command, *args, "--json", trace=trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        report.pop("host", None)
        return report

    def refused(self, command, *args, says=()):
        """Exit code 2, one line on stderr, nothing on stdout, no file made or left behind."""
        before = {p: p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}
        result = self.start(command, *args)
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 2, (args, error))
        self.assertEqual(error.count("\n"), 1, (args, error))
        self.assertEqual(result.stdout, b"", args)
        for text in says:
            self.assertIn(text, error)
        after = {p: p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}
        self.assertEqual(before, after, args)


def main(binary, arguments):
    Recorded.binary = str(Path(binary).resolve())
    unittest.main(module="__main__", argv=["test", *arguments])
