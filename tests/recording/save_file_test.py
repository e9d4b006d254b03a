#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/waveform: the command that its README gives records every signal that its GTKWave save file shows. Skips where
the traced unit is not built.

usage: save_file_test.py DTRMC_BINARY
"""
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples/waveform"


def shown():
    """Signals of the save file: lines that are neither options, flags nor names of groups."""
    lines = (EXAMPLE / "search.gtkw").read_text().split("\n")
    return [line for line in lines if line and line[0] not in "[*@-"]


def recorded(vcd):
    """Names with their widths, as GTKWave writes them, and the changes of each."""
    header, body = vcd.split("$enddefinitions $end", 1)
    scope, codes = [], {}
    for match in re.finditer(r"\$(scope \w+ (\S+)|upscope|var \w+ \d+ (\S+) (\S+)( \[\d+:\d+\])?) \$end", header):
        if match[1].startswith("scope"):
            scope.append(match[2])
        elif match[1] == "upscope":
            scope.pop()
        else:
            codes[".".join(scope + [match[4]]) + (match[5] or "").strip()] = match[3]
    changes = set(re.findall(r"^1(\S+)$", body, re.M))
    return codes, {name for name, code in codes.items() if code in changes}


def main():
    binary = sys.argv[1]
    command = re.search(r"^build/dtrmc (.* --wave )search\.fst$", (EXAMPLE / "README.md").read_text(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("search.fst", "search.vcd"):  # the second is made from the first
            result = subprocess.run([binary, *shlex.split(command[1]), f"{folder}/{name}"], cwd=ROOT, check=False,
                                    capture_output=True, text=True)
            if "not built with tracing" in result.stderr:
                print("SKIPPED: the unit is not among DTRMC_WAVE_UNITS")
                sys.exit(77)
            assert result.returncode == 0, result.stderr
        assert Path(folder, "search.fst").read_bytes()[:1] == b"\0"
        codes, rises = recorded(Path(folder, "search.vcd").read_text())
    missing = [name for name in shown() if name not in codes]
    if missing:
        print("examples/waveform/search.gtkw shows what is not recorded:", *missing, sep="\n  ")
        sys.exit(1)
    still = [name for name in ("unit.scoring_unit.start", "unit.scoring_unit.busy") if name not in rises]
    if still or len(shown()) < 40:
        print(f"the recording shows no search: {still}, or the save file little: {len(shown())} signals")
        sys.exit(1)
    print(f"{len(shown())} signals of the save file are recorded")


if __name__ == "__main__":
    main()
