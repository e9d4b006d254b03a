# SPDX-License-Identifier: Apache-2.0
"""The committed recordings come out of the recorder again, byte for byte."""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
import zlib

import torch_or_skip

torch_or_skip.require("1.13")

from traces.record.models import MODELS  # noqa: E402
from traces.record.replay import read  # noqa: E402
from traces.record.roofline import Roofline  # noqa: E402
from traces.record.session import record  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "traces")


def run(arguments, hash_seed):
    environment = dict(os.environ, PYTHONHASHSEED=hash_seed)
    return subprocess.run(
        [sys.executable, "-m", "traces.record", *arguments], env=environment, capture_output=True, text=True
    )


def small(model, *options):
    """The text of a recording that takes little memory on a real device."""
    parser = argparse.ArgumentParser()
    MODELS[model].add_options(parser)
    parser.add_argument("--device")
    return record(MODELS[model].build(parser.parse_args(options)), Roofline())


class Recordings(unittest.TestCase):
    def test_committed_recordings_come_out_again(self):
        with open(os.path.join(FOLDER, "recordings.json"), encoding="utf-8") as stream:
            entries = json.load(stream)
        self.assertEqual(len(entries), 2)
        for entry in entries:
            committed = os.path.join(FOLDER, entry["file"])
            # the command as noted, but into another folder
            command = shlex.split(entry["command"])
            self.assertEqual(command[:3], ["python3", "-m", "traces.record"])
            for seed in ("0", "12345"):
                with self.subTest(entry["file"], hash_seed=seed), tempfile.TemporaryDirectory() as folder:
                    again = os.path.join(folder, entry["file"])
                    arguments = command[3:]
                    arguments[arguments.index("--out") + 1] = again
                    arguments[arguments.index("--manifest") + 1] = os.path.join(folder, "recordings.json")
                    result = run(arguments, seed)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    figures = json.loads(result.stdout)
                    for key in entry.keys() - {"command", "versions", "sha256"}:
                        self.assertEqual(figures[key], entry[key], key)
                    self.assertTrue(read(again) == read(committed), "the log differs")
                    if zlib.ZLIB_RUNTIME_VERSION == entry["versions"]["zlib"]:
                        with open(again, "rb") as a, open(committed, "rb") as b:
                            self.assertTrue(a.read() == b.read(), "the compressed file differs")
                    else:
                        print(f"zlib {zlib.ZLIB_RUNTIME_VERSION}: only the uncompressed logs were compared")

    def test_meta_tensors_and_real_ones_are_recorded_alike(self):
        for model, options in (
            ("cifar-resnet32", ["--batch=2", "--image=16", "--blocks=1", "--width=4"]),
            ("lstm", ["--batch=3", "--steps=4", "--hidden=8", "--layers=2", "--vocabulary=11"]),
        ):
            with self.subTest(model):
                on_meta, _ = small(model, *options, "--device=meta")
                on_cpu, _ = small(model, *options, "--device=cpu")
                self.assertTrue(on_meta == on_cpu)

    def test_only_parameters_gradients_statistics_and_the_loss_are_live_at_the_end(self):
        _, replayed = small("lstm", "--batch=3", "--steps=4", "--hidden=8", "--vocabulary=11", "--device=meta")
        parameters = 11 * 8 + 2 * 8 * 32 + 32 + 8 * 11 + 11
        inputs = 5 * 3 * 8 + 2 * 3 * 8 * 4
        self.assertEqual(replayed.final_bytes, 2 * 4 * parameters + inputs + 4)


if __name__ == "__main__":
    unittest.main(verbosity=1)
