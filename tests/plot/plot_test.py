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
COLUMNS = ("trace,heuristic,scorer,unit,queue_depth,controller_mhz,unit_mhz,cpu_profile,time_base,tick_ns,budget,status,"
           "overhead,exposed_controller_ns,search,arithmetic\n")
PLATFORM = "# settings\n" + COLUMNS + "".join(
    f"t,dtr-eq,{scorer},{unit},{depth},{mhz}.0,{mhz if unit else ''},ibex-small,{time},1,{budget},{status},"
    f"{1.5 if status == 'ok' else ''},{4000000 / depth / mhz * (1 if unit else 2)},{'scan' if unit else ''},exact\n"
    for scorer, unit in (("firmware", ""), ("rtl", "exact-l1"), ("rtl", "exact-l4"))
    for depth in (1, 4) for mhz in (100, 1000) for time in ("model", "device")
    for budget, status in ((100, "oom"), (200, "ok" if time == "model" else "thrash"), (300, "ok")))
SYNTHESIS = "configuration,LUT,FF,DSP,RAM,Fmax\nexact-l1,2872,2539,36,4,180.5\nexact-l4,7509,9205,144,16,160\n"


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
    # Where the binary found it; the other plots need not look again.
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('matplotlib') is None)"],
                          check=False).returncode == 0:
            os.environ["DTRMC_PYTHON"] = python
            break
    for kind in ("overhead", "nesting"):
        for source in ([atlas], [sweep], [atlas, sweep]):
            texts = []
            for i in range(len(source)):  # once more where all there is to draw is in it
                code, err = plot(kind, *source, "-o", folder / f"{i}.svg")
                expect(code == 0 and err == "", (code, err))
                texts.append((folder / f"{i}.svg").read_bytes())
            expect(texts[0] == texts[-1], f"{kind}: the same input gives the same picture")
            xml.dom.minidom.parseString(texts[0])
            expect(b"budget (GB)" in texts[0], "the axis names its unit")
        code, err = plot(kind, atlas, "-o", folder / "p.png")
        expect(code == 0 and (folder / "p.png").read_bytes()[:4] == b"\x89PNG", (code, err))
    # Variants of one trace and heuristic: the model clock is one series, whatever the hardware, device time is several.
    platform, synthesis = folder / "c.csv", folder / "y.csv"
    platform.write_text(PLATFORM)
    synthesis.write_text(SYNTHESIS)
    code, err = plot("overhead", platform, "-o", out)
    text = out.read_text()
    expect(code == 0 and err == "", (code, err))
    expect(text.count("model time") == 2 and text.count("device time, firmware") + text.count("device time, scorer") > 2,
           "curves and rows are named by what tells them apart")
    # pareto: areas come from the table, what has none is named and left out of the area panels
    few = folder / "few.csv"
    few.write_text("\n".join(line for line in PLATFORM.split("\n") if "device" not in line))
    texts = []
    for i in range(2):
        code, err = plot("pareto", few, "--synthesis", synthesis, "-o", folder / f"{i}.svg")
        expect(code == 0 and err == "", (code, err))
        texts.append((folder / f"{i}.svg").read_text())
    expect(texts[0] == texts[1], "pareto: the same input gives the same picture")
    for words in ("area of the scoring unit (LUT)", "controller clock (MHz)", "exposed controller latency (ms)", "A1",
                  "F1", "Pareto front", "none known", "front by area"):
        expect(words in texts[0], words)
    # By area: no unit at 1000 MHz (2 ns); units at 1000 MHz lie above their Fmax, at 100 MHz they are slower than that.
    expect("A2" not in texts[0] and "0 LUT" in texts[0], "the front holds what can be built and is not beaten")
    synthesis.write_text(SYNTHESIS.replace("180.5", "2000"))
    code, err = plot("pareto", few, "--synthesis", synthesis, "-o", out)
    text = out.read_text()
    expect(code == 0 and "A2" in text and "2,872 LUT" in text, "a faster unit is on the front")
    # the table of rtl/synth, with several parts: the first is taken unless one is named
    synthesis.write_text("unit,part,lut,ff,dsp,ram,fmax_mhz,limit\nexact-l1,P6,2000,1,1,1,2000.0,x\n"
                         "exact-l1,P8,1999,1,1,1,3000.0,x\nexact-l4,P6,9000,1,1,1,,does not fit: DSP\n")
    for part, area in (((), "2,000 LUT"), (("--part", "P8"), "1,999 LUT")):
        code, err = plot("pareto", few, "--synthesis", synthesis, *part, "-o", out)
        text = out.read_text()
        expect(code == 0 and area in text and f"LUT, {part[1] if part else 'P6'}" in text, (part, code, err))
        expect("9,000" not in text, "what does not fit is on no front")
    code, err = plot("pareto", few, "--synthesis", synthesis, "--part", "P7", "-o", folder / "new.svg")
    expect(code == 2 and err.count("\n") == 1 and "P6, P8" in err, (code, err))
    synthesis.write_text(SYNTHESIS.split("exact-l4")[0])
    code, err = plot("pareto", few, "--synthesis", synthesis, "-o", out)
    expect(code == 0 and err.count("\n") == 1 and "no area for exact-l4:" in err, (code, err))
    synthesis.write_text("configuration,LUT,FF,DSP,RAM,Fmax\n")
    code, err = plot("pareto", few, "--synthesis", synthesis, "-o", out)
    expect(code == 0 and "no area for exact-l1, exact-l4" in err and "area unknown" in out.read_text(), (code, err))
    for table in ("a,b\n1,2\n", SYNTHESIS.replace("2872", "many"), SYNTHESIS.replace("180.5", "nan")):
        synthesis.write_text(table)
        code, err = plot("pareto", few, "--synthesis", synthesis, "-o", folder / "new.svg")
        expect(code == 2 and err.count("\n") == 1 and not (folder / "new.svg").exists(), (table, code, err))
    for arguments in (["pareto", sweep, "-o", folder / "new.svg"], ["pareto", atlas, "-o", folder / "new.svg"],
                      ["pareto", few, "--synthesis", folder / "absent", "-o", folder / "new.svg"],
                      ["overhead", few, "--synthesis", synthesis, "-o", folder / "new.svg"]):
        code, err = plot(*arguments)
        expect(code == 2 and err.count("\n") == 1 and not (folder / "new.svg").exists(), (arguments, code, err))
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
