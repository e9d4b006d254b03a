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
# Exact regions beside the samples: those of dtrmc atlas, whether found now or read from a kept file.
UNET = ["--only", "U-Net: f", "--atlas", "--json"]
with tempfile.TemporaryDirectory() as folder:
    atlas = Path(folder, "atlas.jsonl")
    done = subprocess.run([binary, "atlas", "unet", "--heuristic", "dtr", "--from", "0.420", "--to", "0.436", "-o", atlas,
                           "--json"], capture_output=True, text=True, timeout=300, check=True)
    expected = json.loads(done.stdout)
    code, out, err = papers(*UNET)
    expect(code == 0, f"{code} {err}")
    exact = [f for f in json.loads(out)["findings"] if "exact" in f]
    expect(len(exact) == 3 and all(f["verdict"] == "exact" for f in exact), f"two regions, and the bounds: {exact}")
    bounds = next(f["exact"] for f in exact if f["claim"].startswith("U-Net: first-ok"))
    for key in ("from", "to", "first_ok", "stable_from", "intervals"):
        expect(bounds[key] == expected[key], f"{key}: {bounds} {expected}")
    regions = [{k: r[k] for k in ("lo", "hi")} for r in expected["failure_regions"]]
    expect(len(regions) == 2 and bounds["failure_regions"] == regions, f"{bounds} {regions}")
    inner = [r for f in exact if f["claim"].startswith("U-Net: failure") for r in f["exact"]["failure_regions"]]
    expect(inner == regions, f"each claim has its own: {inner} {regions}")
    kept = Path(folder, "kept")
    kept.mkdir()
    expect(papers(*UNET, "--atlas-folder", str(kept)) == (code, out, err), "a folder changes nothing")
    (file,) = kept.iterdir()
    expect(file.read_bytes() == atlas.read_bytes(), "the kept file is that of dtrmc atlas")
    file.write_bytes(atlas.read_bytes()[:5000])
    expect(papers(*UNET, "--atlas-folder", str(kept)) == (code, out, err), "an interrupted one is gone on with")
    expect(file.read_bytes() == atlas.read_bytes(), "and is complete then")
    file.write_text("other\n")
    code, out, err = papers(*UNET, "--atlas-folder", str(kept))
    expect(code == 2 and out == "" and err.count("\n") == 1, f"a foreign file is refused: {code} {out} {err}")
    expect(file.read_text() == "other\n", "and left alone")
    code, out, err = papers(*UNET, "--atlas-folder", str(Path(folder, "absent")))
    expect(code == 2 and err.count("\n") == 1, f"no such folder: {code} {err}")
code, out, err = papers("--atlas-folder", "/tmp", *ONLY)
expect(code == 2 and err.count("\n") == 1, f"a folder without --atlas: {code} {err}")
code, out, err = papers("--published", "/nonexistent")
expect(code == 2 and err.count("\n") == 1, f"no such file: {code} {err}")
code, out, err = papers("--only", "no claim says this")
expect(code == 2 and err.count("\n") == 1, f"nothing selected: {code} {err}")
print("papers_test: passed")
