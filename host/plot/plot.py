#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws results of dtrmc with matplotlib.

  overhead  overhead and outcome against budget, of sweeps (CSV, JSON lines) and atlases (JSON lines)
  nesting   nesting depth at the pinned peak and deepest nesting against budget, of the same files
  strips    outcome of every variant (arithmetic, tick, ...) as one strip over the budget, of the same files
  memory    memory in use, pinned bytes and nesting over the operators, of dtrmc explain --json
  pareto    exposed latency of the controller against its area and clock, of sweeps of the platform

The picture depends on the input alone: no date, fixed identifiers. The end of OUTPUT's name chooses SVG or PNG.
"""
import argparse
import importlib.util
import json
import math
import os
import sys
import tempfile

from pareto import draw_pareto
from results import OUTCOMES, InputError, read_panels
from strips import draw_strips

MISSING = 3  # exit code: this Python has no matplotlib

# Of several variants in one panel; line styles say the same without colour.
CURVES = (("#000000", "-"), ("#0072B2", "--"), ("#D55E00", "-."), ("#009E73", ":"), ("#CC79A7", "-"),
          ("#56B4E9", "--"), ("#E69F00", "-."), ("#666666", ":"))


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


def panels(plt, count, title):
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
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, loc="upper right", framealpha=0.95)


def overhead_scale(axes, values):
    if not values or max(values) <= 4 * min(values):
        return
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def overheads(points):
    return [p["overhead"] for p in points if p["status"] == "ok" and "overhead" in p]


def span(series):
    low = min(points[0]["lo"] for points in series)
    high = max(points[-1]["hi"] for points in series)
    return low / 1e9, max(high, low + 1) / 1e9


def outcome_strip(axes, points, row):
    """The outcomes of one variant as coloured cells in a row; a single budget reaches halfway to its neighbours."""
    drawn = set()
    for i, p in enumerate(points):
        low, high = p["lo"], p["hi"]
        if low == high:
            if i > 0:
                low = (points[i - 1]["hi"] + low) / 2
            if i + 1 < len(points):
                high = (high + points[i + 1]["lo"]) / 2
            if low == high:
                low, high = low - 0.5, high + 0.5
        colour, _, _ = OUTCOMES[p["status"]]
        hatch = {"oom": "////", "thrash": "....", "metadata_full": "xxxx"}.get(p["status"])
        axes.broken_barh([(low / 1e9, (high - low) / 1e9)], (row - 0.4, 0.8), linewidth=0, hatch=hatch,
                         facecolor="#DDE9F2" if hatch is None else colour, alpha=1 if hatch is None else 0.75,
                         edgecolor="#ffffff")
        drawn.add(p["status"])
    return drawn


def draw_variants(plt, panels_of, title):
    """Several variants of one trace and heuristic: their overheads as curves, their outcomes as rows below."""
    from matplotlib.patches import Patch
    heights = []
    for variants in panels_of.values():
        heights += [2.4, 0.5 + 0.17 * len(variants)]
    figure, axes = plt.subplots(len(heights), 1, figsize=(7.6, 0.6 + 1.15 * sum(heights)), squeeze=False,
                                layout="constrained", gridspec_kw={"height_ratios": heights})
    if title:
        figure.suptitle(title)
    for i, (name, variants) in enumerate(panels_of.items()):
        curves, strips = axes[2 * i][0], axes[2 * i + 1][0]
        low, high = span(variants.values())
        statuses = set()
        for row, (label, points) in enumerate(variants.items()):
            colour, style = CURVES[row % len(CURVES)]
            curve(curves, points, "overhead", colour, style, label or "all", False)
            statuses |= outcome_strip(strips, points, row)
        overhead_scale(curves, [v for points in variants.values() for v in overheads(points)])
        curves.set_xlim(low, high)
        curves.tick_params(labelbottom=False)
        finish(curves, name, "overhead of ok\n(x of baseline compute)")
        curves.set_xlabel("")
        curves.get_legend() and curves.legend(fontsize=7, loc="upper right", framealpha=0.95)
        strips.set_xlim(low, high)
        strips.set_ylim(len(variants) - 0.5, -0.5)
        strips.set_yticks(range(len(variants)), [label or "all" for label in variants], fontsize=7)
        strips.set_xlabel("budget (GB)")
        known = [k for k in OUTCOMES if k in statuses]
        hatches = {"oom": "////", "thrash": "....", "metadata_full": "xxxx"}
        strips.legend(handles=[Patch(facecolor="#DDE9F2" if k == "ok" else OUTCOMES[k][0], hatch=hatches.get(k),
                                     edgecolor="#888888" if k == "ok" else "#ffffff", label=OUTCOMES[k][2])
                               for k in known],
                      fontsize=7, ncols=len(known), loc="lower right", bbox_to_anchor=(1, 1), frameon=False,
                      borderaxespad=0.1)
    return figure


def draw_overhead(pyplot, options):
    found = read_panels(options.inputs)
    plt = pyplot()
    if any(len(variants) > 1 for variants in found.values()):
        return draw_variants(plt, found, options.title)
    figure, axes = panels(plt, len(found), options.title)
    for ax, (name, variants) in zip(axes, found.items()):
        points = next(iter(variants.values()))
        bands(ax, points)
        if curve(ax, points, "overhead", OUTCOMES["ok"][0], "-", "ok: overhead", False):
            overhead_scale(ax, overheads(points))
        ax.set_xlim(*span([points]))
        finish(ax, name, "overhead (x of baseline compute)")
        if ax.get_legend():  # beside the title: peaks may be anywhere in the picture
            handles, labels = ax.get_legend_handles_labels()
            ax.legend(handles, labels, fontsize=8, ncols=len(labels), loc="lower right", bbox_to_anchor=(1, 1),
                      frameon=False, borderaxespad=0.1)
    return figure


def draw_nesting(pyplot, options):
    series = {}
    for name, variants in read_panels(options.inputs).items():
        for label, points in variants.items():
            series[", ".join(part for part in (name, label) if part)] = points
    plt = pyplot()
    figure, axes = panels(plt, len(series), options.title)
    for ax, (name, points) in zip(axes, series.items()):
        bands(ax, points)
        drawn = curve(ax, points, "max_nesting", "#000000", "-", "deepest nesting", True)
        drawn = curve(ax, points, "depth_at_pinned_peak", "#009E73", "--", "nesting at the pinned peak", True) or drawn
        if not drawn:
            raise InputError(f"{name}: no nesting in the file (max_nesting, depth_at_pinned_peak)")
        ax.set_xlim(*span([points]))
        ax.set_ylim(bottom=0)
        finish(ax, name, "nesting of materialisations")
    return figure


def draw_memory(pyplot, options):
    paths, title = options.inputs, options.title
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
        figure, axes = pyplot().subplots(3, 1, figsize=(7.2, 7.2), sharex=True, layout="constrained")
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


KINDS = {"overhead": draw_overhead, "nesting": draw_nesting, "memory": draw_memory, "pareto": draw_pareto,
         "strips": draw_strips}


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


def pyplot():
    """Starting matplotlib takes longer than anything else here, so inputs are read before."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "dtrmc", "svg.fonttype": "none", "font.family": "DejaVu Sans",
                                "font.size": 9, "hatch.linewidth": 0.4})
    import matplotlib.pyplot
    return matplotlib.pyplot


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--title", default="")
    parser.add_argument("--synthesis", default="")
    parser.add_argument("--part", default="")
    options = parser.parse_args()
    if importlib.util.find_spec("matplotlib") is None:
        return MISSING
    try:
        if not options.output.lower().endswith((".svg", ".png")):
            raise InputError(f"{options.output}: the name must end in .svg or .png")
        for path in options.inputs:
            if os.path.exists(options.output) and os.path.exists(path) and os.path.samefile(path, options.output):
                raise InputError(f"{options.output}: is an input; it would be overwritten")
        save(KINDS[options.kind](pyplot, options), options.output)
    except ImportError:
        return MISSING
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
