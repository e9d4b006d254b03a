#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dtrmc plot: pictures that repeat byte for byte, and one line for every wrong input.

usage: plot_test.py DTRMC_BINARY
"""
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom
from pathlib import Path

binary = sys.argv[1]

ATLAS = ('{"dtrmc":"atlas","trace":"t","heuristic":"dtr"}\n'
         '{"lo":100,"hi":199,"status":"oom","overhead":null,"depth_at_pinned_peak":7,"max_nesting":9}\n'
         '{"lo":200,"hi":299,"status":"ok","overhead":2.5,"depth_at_pinned_peak":3,"max_nesting":4}\n'
         '{"lo":300,"hi":399,"status":"thrash","overhead":null,"depth_at_pinned_peak":3,"max_nesting":4}\n')
SWEEP = ("# settings\ntrace,heuristic,budget,status,overhead,depth_at_pinned_peak,max_nesting\n"
         "t,dtr,100,oom,,7,9\nt,dtr,200,ok,2.5,3,4\nt,lru,200,ok,3.5,3,4\n")


def plot(*arguments, **environment):
    done = subprocess.run([binary, "plot", *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment}, check=False)
    return done.returncode, done.stderr


def expect(condition, message):
    if not condition:
        sys.exit("FAILED: " + str(message))


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    bare = folder / "python"  # a Python without matplotlib
    bare.write_text("#!/bin/sh\nexit 3\n")
    bare.chmod(0o755)
    atlas, sweep, out = folder / "a.jsonl", folder / "s.csv", folder / "p.svg"
    atlas.write_text(ATLAS)
    sweep.write_text(SWEEP)
    code, err = plot("overhead", atlas, "-o", out, DTRMC_PYTHON=str(bare))
    expect(code == 2 and err.count("\n") == 1 and "python3-matplotlib" in err and not out.exists(), (code, err))
    code, err = plot("overhead", atlas, "-o", out)
    if code == 2 and "matplotlib" in err:
        print("SKIPPED: matplotlib is absent (python3-matplotlib)")
        sys.exit(77)
    expect(code == 0, (code, err))
    for kind in ("overhead", "nesting"):
        for source in ([atlas], [sweep], [atlas, sweep]):
            texts = []
            for i in range(2):
                code, err = plot(kind, *source, "-o", folder / f"{i}.svg")
                expect(code == 0 and err == "", (code, err))
                texts.append((folder / f"{i}.svg").read_bytes())
            expect(texts[0] == texts[1], f"{kind}: the same input gives the same picture")
            xml.dom.minidom.parseString(texts[0])
            expect(b"budget (GB)" in texts[0], "the axis names its unit")
        code, err = plot(kind, atlas, "-o", folder / "p.png")
        expect(code == 0 and (folder / "p.png").read_bytes()[:4] == b"\x89PNG", (code, err))
    before = sorted(folder.iterdir())
    wrong = folder / "w.jsonl"
    wrong.touch()
    for text in ("", "{", ATLAS[:-20], "a,b\n1,2\n", ATLAS.replace('"oom"', '"gone"'), ATLAS.replace("2.5", '"x"'),
                 SWEEP.replace("ok,2.5", "ok,nan"), SWEEP + "t,dtr\n"):
        wrong.write_text(text)
        code, err = plot("overhead", wrong, "-o", folder / "new.svg")
        expect(code == 2 and err.count("\n") == 1 and not (folder / "new.svg").exists(), (text, code, err))
    for arguments in (["overhead", folder / "absent", "-o", folder / "new.svg"],
                      ["overhead", atlas, "-o", folder / "new.pdf"], ["overhead", atlas, "-o", folder / "no/new.svg"],
                      ["memory", atlas, "-o", folder / "new.svg"], ["sculpture", atlas, "-o", folder / "new.svg"],
                      ["overhead", atlas]):
        code, err = plot(*arguments)
        expect(code == 2 and err.count("\n") == 1, (arguments, code, err))
    expect(sorted(folder.iterdir()) == sorted(before + [wrong]), "nothing half-written is left")
print("plot_test: passed")
