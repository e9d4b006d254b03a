#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws results of dtrmc with matplotlib.

  overhead  overhead and outcome against budget, of sweeps (CSV, JSON lines) and atlases (JSON lines)
  nesting   nesting depth at the pinned peak and deepest nesting against budget, of the same files
  memory    memory in use, pinned bytes and nesting over the operators, of dtrmc explain --json

The picture depends on the input alone: no date, fixed identifiers. The end of OUTPUT's name chooses SVG or PNG.
"""
import argparse
import csv
import json
import math
import os
import sys
import tempfile

MISSING = 3  # exit code: this Python has no matplotlib


class InputError(Exception):
    """One line for the user."""


# Okabe and Ito's colours; markers, hatches and line styles say the same without colour.
OUTCOMES = {
    "ok": ("#0072B2", "o", "ok"),
    "oom": ("#D55E00", "x", "oom"),
    "thrash": ("#E69F00", "^", "thrash (overhead limit passed)"),
    "metadata_full": ("#CC79A7", "s", "metadata full"),
}
NUMBERS = ("ratio", "overhead", "depth_at_pinned_peak", "max_nesting", "pinned_peak")


def number(text, where, key):
    try:
        value = float(text)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {key} is no number: {text!r}") from None
    if not math.isfinite(value):
        raise InputError(f"{where}: {key} is not finite")
    return value


def point(row, where):
    """A row of a sweep or an atlas: lo and hi in bytes, equal for a single budget."""
    if "lo" in row and "hi" in row:
        low, high = (number(row[k], where, k) for k in ("lo", "hi"))
    elif "budget" in row:
        low = high = number(row["budget"], where, "budget")
    else:
        raise InputError(f"{where}: neither budget nor lo and hi; give a file of dtrmc sweep or dtrmc atlas")
    if low > high:
        raise InputError(f"{where}: lo is above hi")
    status = row.get("status")
    if status not in OUTCOMES:
        raise InputError(f"{where}: unknown status {status!r}; known: {', '.join(OUTCOMES)}")
    out = {"lo": low, "hi": high, "status": status}
    for key in NUMBERS:
        if row.get(key) not in (None, ""):
            out[key] = number(row[key], where, key)
    return out


def name_of(row, header, path):
    parts = [str(row.get(k) or header.get(k) or "") for k in ("trace", "heuristic")]
    return ", ".join(p for p in parts if p) or os.path.basename(path)


def read_results(path):
    """Series by name (trace and heuristic), each sorted by budget."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().splitlines()
    kept = [(i, line) for i, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    if not kept:
        raise InputError(f"{path}: empty; give a file of dtrmc sweep or dtrmc atlas")
    rows, header = [], {}
    if kept[0][1].lstrip().startswith("{"):
        for i, line in kept:
            try:
                row = json.loads(line)
            except ValueError:
                raise InputError(f"{path}:{i}: no JSON; is the file cut off?") from None
            if not isinstance(row, dict):
                raise InputError(f"{path}:{i}: not an object")
            if "status" not in row and not rows:
                header.update({k: v for k, v in flat(row).items() if k not in header})
                continue
            if "status" not in row:
                continue  # a note between results
            rows.append((i, row))
    else:
        columns = next(csv.reader([kept[0][1]]))
        if "status" not in columns:
            raise InputError(f"{path}:{kept[0][0]}: no column 'status'; give a file of dtrmc sweep or dtrmc atlas")
        for i, line in kept[1:]:
            cells = next(csv.reader([line]))
            if len(cells) != len(columns):
                raise InputError(f"{path}:{i}: {len(cells)} cells, {len(columns)} columns; is the file cut off?")
            rows.append((i, dict(zip(columns, cells))))
    series = {}
    for i, row in rows:
        if not row.get("status") or row["status"] == "error":
            continue  # a trace that the sweep could not read
        series.setdefault(name_of(row, header, path), []).append(point(row, f"{path}:{i}"))
    if not series:
        raise InputError(f"{path}: no result in it")
    for points in series.values():
        points.sort(key=lambda p: (p["lo"], p["hi"]))
    return series


def flat(value):
    out = {}
    for key, part in value.items():
        if isinstance(part, dict):
            out.update(flat(part))
        else:
            out[key] = part
    return out


def read_all(paths):
    series = {}
    for path in paths:
        for name, points in read_results(path).items():
            while name in series:
                name += " (" + os.path.basename(path) + ")"
            series[name] = points
    return series


def bands(axes, points):
    """What does not complete, as hatched bands over the whole height; single budgets, and bands too narrow to be seen,
    as markers at the bottom."""
    from matplotlib.colors import to_rgba
    seen = 0.004 * (max(p["hi"] for p in points) - min(p["lo"] for p in points))
    spans = {}
    for p in points:
        if p["status"] == "ok":
            continue
        if p["lo"] == p["hi"]:
            spans.setdefault(p["status"], []).append((p["lo"], p["hi"]))
            continue
        done = spans.setdefault(p["status"], [])
        if done and done[-1][1] + 1 >= p["lo"]:
            done[-1] = (done[-1][0], p["hi"])
        else:
            done.append((p["lo"], p["hi"]))
    hatch = {"oom": "///", "thrash": "...", "metadata_full": "xxx"}
    for status, parts in spans.items():
        colour, marker, label = OUTCOMES[status]
        for low, high in parts:
            if low < high:
                axes.axvspan(low / 1e9, high / 1e9, facecolor=to_rgba(colour, 0.18), hatch=hatch[status],
                             edgecolor=to_rgba(colour, 0.6), linewidth=0.3, label=label)
                label = None
        single = [(low + high) / 2e9 for low, high in parts if high - low <= seen]
        if single:
            axes.plot(single, [0.03] * len(single), marker, color=colour, markersize=4, linestyle="none", label=label,
                      transform=axes.get_xaxis_transform(), clip_on=False)


def curve(axes, points, key, colour, style, label, every_outcome):
    """Intervals as steps, single budgets as points joined by a thin line; broken where there is no value."""
    xs, ys = [], []
    singles = all(p["lo"] == p["hi"] for p in points)
    for p in points:
        if key not in p or (p["status"] != "ok" and not every_outcome):
            xs.append(p["lo"] / 1e9)
            ys.append(math.nan)
            continue
        xs.append(p["lo"] / 1e9)
        ys.append(p[key])
        if p["hi"] > p["lo"]:
            xs.append(p["hi"] / 1e9)
            ys.append(p[key])
    if all(math.isnan(y) for y in ys):
        return False
    axes.plot(xs, ys, style, color=colour, linewidth=0.9 if singles else 1.1, marker=("." if singles else None),
              markersize=4, label=label)
    return True


def panels(plt, series, title):
    count = len(series)
    figure, axes = plt.subplots(count, 1, figsize=(7.2, 0.9 + 2.7 * count), squeeze=False, layout="constrained")
    if title:
        figure.suptitle(title)
    return figure, [a[0] for a in axes]


def finish(axes, name, y_label):
    axes.set_title(name, fontsize=10, loc="left")
    axes.set_xlabel("budget (GB)")
    axes.set_ylabel(y_label)
    axes.grid(True, linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, loc="upper right", framealpha=0.95)


def draw_overhead(plt, paths, title):
    series = read_all(paths)
    figure, axes = panels(plt, series, title)
    for ax, (name, points) in zip(axes, series.items()):
        bands(ax, points)
        if curve(ax, points, "overhead", OUTCOMES["ok"][0], "-", "ok: overhead", False):
            values = [p["overhead"] for p in points if p["status"] == "ok" and "overhead" in p]
            if max(values) > 4 * min(values):
                from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
                ax.set_yscale("log")
                ax.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
                ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
                ax.yaxis.set_minor_formatter(NullFormatter())
        ax.set_xlim(points[0]["lo"] / 1e9, max(points[-1]["hi"], points[0]["lo"] + 1) / 1e9)
        finish(ax, name, "overhead (x of baseline compute)")
    return figure


def draw_nesting(plt, paths, title):
    series = read_all(paths)
    figure, axes = panels(plt, series, title)
    for ax, (name, points) in zip(axes, series.items()):
        bands(ax, points)
        drawn = curve(ax, points, "max_nesting", "#000000", "-", "deepest nesting", True)
        drawn = curve(ax, points, "depth_at_pinned_peak", "#009E73", "--", "nesting at the pinned peak", True) or drawn
        if not drawn:
            raise InputError(f"{name}: no nesting in the file (max_nesting, depth_at_pinned_peak)")
        ax.set_xlim(points[0]["lo"] / 1e9, max(points[-1]["hi"], points[0]["lo"] + 1) / 1e9)
        ax.set_ylim(bottom=0)
        finish(ax, name, "nesting of materialisations")
    return figure


def draw_memory(plt, paths, title):
    if len(paths) != 1:
        raise InputError("memory takes one file, of dtrmc explain --json")
    with open(paths[0], encoding="utf-8") as file:
        try:
            data = json.load(file)
        except ValueError:
            raise InputError(f"{paths[0]}: no JSON; give the output of dtrmc explain --json") from None
    try:
        names = ("cheap", "dear") if data.get("kind") == "cost" else ("works", "fails")
        runs = [(label, data[key]["budget"], data["over_time"][key], colour, style)
                for label, key, colour, style in ((names[0], "works", "#0072B2", "-"), (names[1], "fails", "#D55E00", "--"))]
        figure, axes = plt.subplots(3, 1, figsize=(7.2, 7.2), sharex=True, layout="constrained")
        figure.suptitle(title or f"{data['trace']}, {data['heuristic']}")
        for label, budget, run, colour, style in runs:
            at, last = [], -1
            for op in run["operator"]:
                last = max(last + 1, op)
                at.append(last)
            axes[0].plot(at, [v / 1e9 for v in run["use"]], style, color=colour, linewidth=0.9, label=label)
            axes[0].axhline(budget / 1e9, color=colour, linewidth=0.8, linestyle=":", label=f"budget of {label}" if data.get("kind") == "cost" else f"budget that {label}")
            axes[1].plot(at, [v / 1e9 for v in run["pinned"]], style, color=colour, linewidth=0.9, label=label)
            axes[2].plot(at, run["nesting"], style, color=colour, linewidth=0.9, label=label)
    except (KeyError, TypeError):
        raise InputError(f"{paths[0]}: not the output of dtrmc explain --json") from None
    for ax, label in zip(axes, ("memory in use (GB)", "pinned (GB)", "nesting")):
        ax.set_ylabel(label)
        ax.grid(True, linewidth=0.4, color="#cccccc")
        ax.set_ylim(bottom=0)
        ax.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, ncols=4, borderaxespad=0.2)
    axes[2].set_xlabel("operator (peak of each)")
    return figure


KINDS = {"overhead": draw_overhead, "nesting": draw_nesting, "memory": draw_memory}


def save(figure, output):
    """Whole or not at all."""
    kind = output.rsplit(".", 1)[-1].lower()
    folder = os.path.dirname(output) or "."
    try:
        handle, temporary = tempfile.mkstemp(prefix=".dtrmc-plot-", dir=folder)
        os.close(handle)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None
    try:
        metadata = {"Date": None, "Creator": "dtrmc"} if kind == "svg" else {"Software": "dtrmc"}
        figure.savefig(temporary, format=kind, dpi=150, metadata=metadata)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, output)
    except OSError as error:
        os.unlink(temporary)
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    try:
        import matplotlib
    except ImportError:
        return MISSING
    try:
        if not options.output.lower().endswith((".svg", ".png")):
            raise InputError(f"{options.output}: the name must end in .svg or .png")
        for path in options.inputs:
            if os.path.exists(options.output) and os.path.exists(path) and os.path.samefile(path, options.output):
                raise InputError(f"{options.output}: is an input; it would be overwritten")
        matplotlib.use("Agg")
        matplotlib.rcParams.update({"svg.hashsalt": "dtrmc", "svg.fonttype": "none", "font.family": "DejaVu Sans",
                                    "font.size": 9, "hatch.linewidth": 0.4})
        import matplotlib.pyplot as plt
        save(KINDS[options.kind](plt, options.inputs, options.title), options.output)
    except InputError as error:
        print("dtrmc: error: " + str(error), file=sys.stderr)
        return 2
    except UnicodeDecodeError:
        print("dtrmc: error: an input is no text", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dtrmc: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
