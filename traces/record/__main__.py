# SPDX-License-Identifier: Apache-2.0
"""Command line: python3 -m traces.record (run | check | models). Exit code 2: bad usage or input."""

import argparse
import decimal
import hashlib
import json
import os
import platform
import shlex
import sys
import zlib

from .replay import ReplayError, read, replay


def _scaled(factor):
    """A positive decimal number times factor, as an integer; exact, unlike a float."""

    def parse(text):
        try:
            value = decimal.Decimal(text) * factor
        except decimal.InvalidOperation:
            raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
        if not value.is_finite() or value <= 0 or value != int(value):
            raise argparse.ArgumentTypeError(f"must be positive and at most {len(str(factor)) - 1} decimals: {text!r}")
        return int(value)

    return parse


def _parser(models):
    parser = argparse.ArgumentParser(
        prog="python3 -m traces.record", description="Records forward and backward of a model as a simrd log."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="record a model (needs PyTorch)")
    if models is not None:
        kinds = run.add_subparsers(dest="model", required=True, metavar="MODEL")
        for name, model in models.items():
            one = kinds.add_parser(
                name,
                help=model.SUMMARY,
                formatter_class=argparse.RawDescriptionHelpFormatter,
                epilog=f"example: python3 -m traces.record run {name} --out {name}.log.gz",
            )
            model.add_options(one)
            one.add_argument("--out", required=True, help="the log to write; .gz compresses")
            one.add_argument("--manifest", help="JSON file in which to note the figures of this recording")
            one.add_argument("--device", choices=["meta", "cpu"], default="meta", help="meta needs no memory (default)")
            cost = one.add_argument_group("cost = launch + max(FLOP / rate, bytes / bandwidth); views are free")
            cost.add_argument("--launch-us", type=_scaled(10**3), default="5", help="us (default %(default)s)")
            cost.add_argument("--tflops", type=_scaled(10**12), default="14", help="TFLOP/s (default %(default)s)")
            cost.add_argument("--gbps", type=_scaled(10**9), default="900", help="GB/s, 10^9 (default %(default)s)")
    check = commands.add_parser(
        "check",
        help="replay a log without a budget (needs no PyTorch)",
        epilog="example: python3 -m traces.record check traces/lstm-recorded.log.gz --manifest traces/recordings.json",
    )
    check.add_argument("log")
    check.add_argument("--manifest", help="compare with the figures noted there when the log was recorded")
    commands.add_parser("models", help="list what can be recorded")
    return parser


def figures(path, packed, text, replayed):
    """What identifies a recording and must come out again."""
    return {
        "file": os.path.basename(path),
        **replayed.summary(),
        "sha256": hashlib.sha256(packed).hexdigest(),
        "log_sha256": hashlib.sha256(text).hexdigest(),
    }


def load_manifest(path):
    try:
        with open(path, encoding="utf-8") as stream:
            entries = json.load(stream)
    except (OSError, ValueError) as error:
        raise ReplayError(f"{path}: cannot be read as a manifest: {error}") from None
    if not isinstance(entries, list) or not all(isinstance(e, dict) and "file" in e for e in entries):
        raise ReplayError(f"{path}: not a list of recordings")
    return entries


def _note(path, entry):
    entries = [e for e in load_manifest(path) if e["file"] != entry["file"]] if os.path.exists(path) else []
    entries = sorted(entries + [entry], key=lambda e: e["file"])
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(entries, stream, indent=2)
        stream.write("\n")


def _run(options, model, arguments):
    import torch

    from . import RecordError
    from .log import pack
    from .roofline import Roofline
    from .session import record

    for key, value in vars(options).items():
        if isinstance(value, int) and value <= 0:
            raise RecordError(f"--{key.replace('_', '-')} must be positive, not {value}")
    cost = Roofline(options.launch_us, options.tflops, options.gbps)
    text, replayed = record(model.build(options), cost)
    packed = pack(text, options.out)
    with open(options.out, "wb") as stream:
        stream.write(packed)
    entry = figures(options.out, packed, text, replayed)
    entry["command"] = "python3 -m traces.record " + shlex.join(arguments)
    entry["versions"] = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    if options.manifest:
        _note(options.manifest, entry)
    print(json.dumps(entry, indent=2))
    return 0


def _check(options):
    with_manifest = {}
    if options.manifest:
        name = os.path.basename(options.log)
        with_manifest = next((e for e in load_manifest(options.manifest) if e["file"] == name), None)
        if with_manifest is None:
            raise ReplayError(f"{options.manifest}: has no entry for {name}")
    text = read(options.log)
    with open(options.log, "rb") as stream:
        found = figures(options.log, stream.read(), text, replay(text, options.log))
    print(json.dumps(found, indent=2))
    wrong = [k for k in found if k in with_manifest and found[k] != with_manifest[k]]
    for key in wrong:
        print(f"{options.log}: {key} is {found[key]}, {with_manifest[key]} when recorded", file=sys.stderr)
    return 1 if wrong else 0


def main(arguments):
    models = None
    if arguments[:1] in (["run"], ["models"]):
        try:
            import torch  # noqa: F401
        except ImportError:
            print("traces.record: PyTorch is missing; install python3-torch (Debian 12) and use its python3", file=sys.stderr)
            return 2
        from .models import MODELS as models
    from . import RecordError

    options = _parser(models).parse_args(arguments)
    try:
        if options.command == "models":
            for name, model in models.items():
                print(f"{name:16} {model.SUMMARY}")
            return 0
        if options.command == "check":
            return _check(options)
        return _run(options, models[options.model], arguments)
    except (ReplayError, RecordError, OSError) as error:
        print(f"traces.record: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
