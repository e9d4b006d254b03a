# SPDX-License-Identifier: Apache-2.0
"""Exposed latency against area and clock. Part of the plot script; see plot.py.

Area comes from the synthesis table alone (rtl/synth/results.csv): a CSV with the columns unit (or configuration), lut
and fmax_mhz (or Fmax), and perhaps part, in any case of letters. A unit without a row has no place on the area axis, and
that is said; one without a frequency did not fit its part.
"""
import csv
import os
import sys

from results import InputError, number, read_rows, text_of

NEEDED = ("exposed_controller_ns", "controller_mhz", "queue_depth", "scorer")
SHOWN = ("unit", "queue_depth", "controller_mhz", "unit_mhz", "cpu_profile", "search", "arithmetic")
MARKERS = "osD^vP*X<>ph"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#666666")
LARGEST_PANELS = 8


class Synthesis:
    """LUT and Fmax (MHz, None: does not fit, or was not routed) by unit, of one part."""

    def __init__(self, path, part):
        self.path = path or "rtl/synth/results.csv"
        self.exists = os.path.exists(self.path)
        self.part = part
        self.units = {}
        if not self.exists:
            return
        with open(self.path, encoding="utf-8", newline="") as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
        parts = []
        for i, cells in enumerate(csv.DictReader(lines), 2):
            row = {str(k).strip().lower(): (v or "").strip() for k, v in cells.items()}
            where = f"{self.path}: row {i}"
            unit = row.get("unit") or row.get("configuration")
            fmax = row.get("fmax_mhz", row.get("fmax"))
            if not unit or not row.get("lut") or fmax is None:
                raise InputError(f"{where}: needs unit (or configuration), lut and fmax_mhz (or fmax)")
            if row.get("part", "") not in parts:
                parts.append(row.get("part", ""))
            if row.get("part", "") == (part or parts[0]):
                self.units[unit] = (number(row["lut"], where, "lut"), number(fmax, where, "fmax_mhz") if fmax else None)
        if part and part not in parts:
            raise InputError(f"{self.path}: no part {part}; it has {', '.join(p for p in parts if p) or 'none'}")
        self.part = part or (parts[0] if parts else "")


class Design:
    """One platform configuration with what it came to."""

    def __init__(self, row, where, synthesis):
        for key in NEEDED:
            if row.get(key) in (None, ""):
                raise InputError(f"{where}: no {key}; pareto takes files of dtrmc sweep --engine cosim")
        self.exposed_ms = number(row["exposed_controller_ns"], where, "exposed_controller_ns") / 1e6
        self.mhz = number(row["controller_mhz"], where, "controller_mhz")
        self.unit = row["unit"] if row["scorer"] != "firmware" and row.get("unit") else None
        self.values = {k: text_of(row[k]) for k in SHOWN if row.get(k) not in (None, "")}
        self.values["unit"] = self.unit or "firmware"
        # The firmware's search needs no unit: its extra area is none by definition.
        self.lut = 0.0 if self.unit is None else None
        self.too_fast = False
        if self.unit in synthesis.units:
            self.lut, fmax = synthesis.units[self.unit]
            unit_mhz = row.get("unit_mhz")
            clock = self.mhz if unit_mhz in (None, "") else number(unit_mhz, where, "unit_mhz")
            self.too_fast = fmax is None or clock > fmax


def front(designs, axis):
    """Those that no other beats on both, ascending along the axis."""
    best, out = None, []
    for d in sorted(designs, key=lambda d: (axis(d), d.exposed_ms)):
        if best is None or d.exposed_ms < best:
            best = d.exposed_ms
            out.append(d)
    return out


def label(design, keys):
    words = {"queue_depth": "Q{}", "controller_mhz": "{} MHz", "unit_mhz": "unit {} MHz"}
    return ", ".join(words.get(k, "{}").format(design.values[k]) for k in keys if k in design.values)


def read_designs(paths, synthesis):
    """Designs by what all designs of a panel share: trace, heuristic, budget, time base."""
    groups = {}
    for path in paths:
        rows, _ = read_rows(path)
        for where, row in rows:
            if row["status"] != "ok":
                continue  # what did not complete has no latency to compare
            name = f"{row.get('trace')}, {row.get('heuristic')}, budget {number(row.get('budget'), where, 'budget') / 1e9:.4g} GB"
            if row.get("time_base") == "device":
                name += ", device time"
            groups.setdefault(name, []).append(Design(row, where, synthesis))
    if not groups:
        raise InputError("no run that completed (status ok) in the files; pareto has nothing to compare")
    if len(groups) > LARGEST_PANELS:
        raise InputError(f"{len(groups)} combinations of trace, heuristic and budget; pareto draws at most "
                         f"{LARGEST_PANELS}: sweep fewer, or draw several pictures")
    return groups


def annotate(axes, designs, axis, letter):
    """Numbers beside the points of the front; what they stand for is listed beside the panels."""
    for i, d in enumerate(designs, 1):
        axes.annotate(f"{letter}{i}", (axis(d), d.exposed_ms), fontsize=7.5, fontweight="bold",
                      textcoords="offset points", xytext=(-6, -5), ha="right", va="top", zorder=5,
                      bbox={"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85})


def scatter(axes, designs, axis, axis_label, colour_of, marker_of, letter):
    """Returns the front, ascending along the axis."""
    for d in designs:
        axes.plot([axis(d)], [d.exposed_ms], marker_of[d.values["unit"]], color=colour_of[d.values["queue_depth"]],
                  markersize=5, markerfacecolor="none" if d.too_fast else colour_of[d.values["queue_depth"]],
                  markeredgewidth=0.9, linestyle="none", zorder=3)
    best = front([d for d in designs if not d.too_fast], axis)
    if best:
        xs, ys = [], []
        for d in best:
            if xs:  # a staircase: what is not worse on either axis lies right of it and above
                xs.append(axis(d))
                ys.append(ys[-1])
            xs.append(axis(d))
            ys.append(d.exposed_ms)
        axes.plot(xs, ys, "-", color="#000000", linewidth=1.0, zorder=2)
        annotate(axes, best, axis, letter)
    axes.set_xlabel(axis_label)
    axes.grid(True, linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    axes.margins(x=0.12, y=0.16)
    low = min(d.exposed_ms for d in designs)
    if low > 0 and max(d.exposed_ms for d in designs) > 5 * low:
        axes.set_yscale("log")
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
        axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    return best


def list_fronts(axes, by_area, by_clock, keys):
    lines = []
    if by_area:
        lines.append("front by area")
        lines += [f"  A{i}  {d.lut:,.0f} LUT, {d.exposed_ms:.3g} ms\n       {label(d, keys)}"
                  for i, d in enumerate(by_area, 1)]
    if by_clock:
        lines += ["", "front by clock"] if lines else ["front by clock"]
        lines += [f"  F{i}  {d.mhz:g} MHz, {d.exposed_ms:.3g} ms\n       "
                  f"{label(d, [k for k in keys if k != 'controller_mhz'])}" for i, d in enumerate(by_clock, 1)]
    axes.axis("off")
    axes.text(0, 1, "\n".join(lines), fontsize=6.8, va="top", ha="left", transform=axes.transAxes,
              linespacing=1.25)


def draw_pareto(pyplot, options):
    synthesis = Synthesis(options.synthesis, options.part)
    groups = read_designs(options.inputs, synthesis)
    plt = pyplot()
    from matplotlib.lines import Line2D
    designs = [d for group in groups.values() for d in group]
    units = sorted({d.values["unit"] for d in designs}, key=lambda u: (u != "firmware", u))
    depths = sorted({d.values["queue_depth"] for d in designs}, key=float)
    marker_of = {u: MARKERS[i % len(MARKERS)] for i, u in enumerate(units)}
    colour_of = {q: COLOURS[i % len(COLOURS)] for i, q in enumerate(depths)}
    keys = [k for k in SHOWN if len({d.values[k] for d in designs if k in d.values}) > 1] or ["unit"]
    if "unit_mhz" in keys and all(d.values.get("unit_mhz") in (None, d.values["controller_mhz"]) for d in designs):
        keys.remove("unit_mhz")
    missing = sorted({d.unit for d in designs if d.lut is None})
    if missing:
        reason = "has no row for them" if synthesis.exists else "is absent"
        reason = f"{synthesis.path} {reason}"
        print(f"dtrmc: note: no area for {', '.join(missing)}: {reason}; left out of the area panels", file=sys.stderr)
    area = f"area of the scoring unit (LUT, {synthesis.part})" if synthesis.part else "area of the scoring unit (LUT)"
    with_area = bool(units != ["firmware"]) and any(d.lut for d in designs)
    figure = plt.figure(figsize=(12.4, 1.1 + 3.9 * len(groups)), layout="constrained")
    grid = figure.add_gridspec(len(groups) + 1, 3, height_ratios=[3.9] * len(groups) + [0.55],
                               width_ratios=[4.3, 4.3, 2.6])
    axes = []
    for i in range(len(groups)):
        left = figure.add_subplot(grid[i, 0])
        axes.append((left, figure.add_subplot(grid[i, 1], sharey=left), figure.add_subplot(grid[i, 2])))
    if options.title:
        figure.suptitle(options.title)
    for row, (name, group) in zip(axes, groups.items()):
        row[0].set_title(name, fontsize=10, loc="left")
        row[0].set_ylabel("exposed controller latency (ms)")
        placed = [d for d in group if d.lut is not None]
        by_area = []
        if with_area and placed:
            by_area = scatter(row[0], placed, lambda d: d.lut, area, colour_of, marker_of,
                              "A")
        else:
            row[0].text(0.5, 0.5, "no synthesis figures:\narea unknown", transform=row[0].transAxes, ha="center",
                        va="center", fontsize=9)
            row[0].set_xticks([])
            row[0].set_xlabel(area)
        by_clock = scatter(row[1], group, lambda d: d.mhz, "controller clock (MHz)", colour_of, marker_of, "F")
        list_fronts(row[2], by_area, by_clock, keys)
        if len({d.mhz for d in group}) > 1:
            row[1].set_xscale("log")
            from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
            row[1].xaxis.set_major_locator(FixedLocator(sorted({d.mhz for d in group})))
            row[1].xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
            row[1].xaxis.set_minor_locator(NullLocator())
    handles = [Line2D([], [], marker=marker_of[u], color="#444444", linestyle="none", markersize=5, label=u) for u in units]
    handles += [Line2D([], [], marker="s", color=colour_of[q], linestyle="none", markersize=5, label=f"queue depth {q}")
                for q in depths]
    handles.append(Line2D([], [], color="#000000", linewidth=1.0, label="Pareto front"))
    if any(d.too_fast for d in designs):
        handles.append(Line2D([], [], marker="o", markerfacecolor="none", color="#444444", linestyle="none",
                              markersize=5, label="clock above the unit's Fmax, or none known"))
    below = figure.add_subplot(grid[len(groups), :])
    below.axis("off")
    below.legend(handles=handles, fontsize=8, ncols=min(6, len(handles)), loc="center", frameon=False)
    return figure
