#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dtrmc papers: claims that hold, an altered value that does not, wrong files.

usage: papers_test.py DTRMC_BINARY CLAIMS_JSON
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

binary, claims_file = sys.argv[1:]
if not Path(os.environ.get("DTRMC_SHARED", "../shared"), "traces/public/resnet32.log").exists():
    print("SKIPPED: the public traces are absent (set DTRMC_SHARED to the folder that holds them)")
    sys.exit(77)


def papers(*arguments):
    done = subprocess.run([binary, "papers", *arguments], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(condition, message):
    if not condition:
        sys.exit("FAILED: " + message)


ONLY = ["--only", "storage 612 retained"]
code, out, err = papers(*ONLY)
expect(code == 0 and "2.24" in out and "DIFFERS" not in out, f"the claim holds: {code} {out} {err}")

claims = json.loads(Path(claims_file).read_text())
claim = next(c for c in claims["claims"] if "storage 612 retained" in c["claim"])
claim["expect"]["overhead"] = "2.25"
with tempfile.TemporaryDirectory() as folder:
    altered = Path(folder, "altered.json")
    altered.write_text(json.dumps(claims))
    code, out, err = papers(*ONLY, "--published", str(altered), "--json")
    expect(code == 1, f"an altered value is noticed: {code} {err}")
    verdicts = [f["verdict"] for f in json.loads(out)["findings"]]
    expect(verdicts.count("DIFFERS") == 1, f"exactly the altered value differs: {verdicts}")
    for text in ("", "{", "[]", '{"claims": [{"claim": "a"}]}'):
        altered.write_text(text)
        code, out, err = papers("--published", str(altered))
        expect(code == 2 and out == "" and err.count("\n") == 1, f"{text!r} is refused in one line: {code} {out} {err}")
code, out, err = papers("--published", "/nonexistent")
expect(code == 2 and err.count("\n") == 1, f"no such file: {code} {err}")
code, out, err = papers("--only", "no claim says this")
expect(code == 2 and err.count("\n") == 1, f"nothing selected: {code} {err}")
print("papers_test: passed")
