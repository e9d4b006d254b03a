# SPDX-License-Identifier: Apache-2.0
"""Reads files of dtrmc sweep and dtrmc atlas. Part of the plot script; see plot.py."""
import csv
import json
import math
import os


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

# Columns that tell variants of one trace and heuristic apart, and how a legend says them.
VARIANTS = {
    "runtime": "{}",
    "arithmetic": "{} arithmetic",
    "time_base": "{} time",
    "tick_ns": "ticks of {} ns",
    "scorer": "scorer {}",
    "unit": "{}",
    "queue_depth": "Q {}",
    "controller_mhz": "{} MHz",
    "unit_mhz": "unit {} MHz",
    "cpu_profile": "{}",
}
# On the model clock with exact arithmetic none of these changes what is evicted.
HARDWARE = ("scorer", "unit", "queue_depth", "controller_mhz", "unit_mhz", "cpu_profile")


def number(text, where, key):
    try:
        value = float(text)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {key} is no number: {text!r}") from None
    if not math.isfinite(value):
        raise InputError(f"{where}: {key} is not finite")
    return value


def read_rows(path):
    """Pairs of place and row, as texts or JSON values, and what the file's header says."""
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
            rows.append((f"{path}:{i}", row))
    else:
        columns = next(csv.reader([kept[0][1]]))
        if "status" not in columns:
            raise InputError(f"{path}:{kept[0][0]}: no column 'status'; give a file of dtrmc sweep or dtrmc atlas")
        for i, line in kept[1:]:
            cells = next(csv.reader([line]))
            if len(cells) != len(columns):
                raise InputError(f"{path}:{i}: {len(cells)} cells, {len(columns)} columns; is the file cut off?")
            rows.append((f"{path}:{i}", dict(zip(columns, cells))))
    # Rows of a trace that the sweep could not read have no result.
    rows = [(where, row) for where, row in rows if row.get("status") and row["status"] != "error"]
    if not rows:
        raise InputError(f"{path}: no result in it")
    return rows, header


def flat(value):
    out = {}
    for key, part in value.items():
        if isinstance(part, dict):
            out.update(flat(part))
        else:
            out[key] = part
    return out


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


def text_of(value):
    """A cell as people write it, the same from CSV and from JSON: 1000.0 is 1000."""
    try:
        as_number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return f"{as_number:g}" if as_number < 1e6 else str(value)


def variant_of(row, header):
    """What tells the row from others of its trace and heuristic, without what cannot matter."""
    said = {**{k: header[k] for k in ("arithmetic", "tick_ns") if k in header}, **row}
    variant = {k: text_of(said[k]) for k in VARIANTS if said.get(k) not in (None, "")}
    if variant.get("time_base", "model") == "model" and variant.get("arithmetic", "exact") == "exact":
        for key in HARDWARE:
            variant.pop(key, None)
    return variant


def labels_of(variants):
    """A text for each variant, of the columns in which those that have them differ."""
    keys = [k for k in VARIANTS if len({v[k] for v in variants if k in v}) > 1]
    if all(v.get("unit_mhz") in (None, v.get("controller_mhz")) for v in variants) and "unit_mhz" in keys:
        keys.remove("unit_mhz")
    labels = []
    for variant in variants:
        shown = [VARIANTS[k].format(variant[k]) for k in keys if k in variant]
        labels.append(", ".join(shown))
    return labels


def read_panels(paths):
    """Panels by trace and heuristic; in each, points by the variant's text, sorted by budget."""
    found = {}
    for path in paths:
        rows, header = read_rows(path)
        for where, row in rows:
            variant = variant_of(row, header)
            panel = found.setdefault(name_of(row, header, path), {})
            _, points = panel.setdefault((path, tuple(variant.items())), (variant, {}))
            p = point(row, where)
            points.setdefault((p["lo"], p["hi"]), p)  # the same run under other hardware: once
    panels = {}
    for name, panel in found.items():
        variants = [variant for variant, _ in panel.values()]
        labels = labels_of(variants)
        several_files = len({path for path, _ in panel}) > 1
        out = panels.setdefault(name, {})
        for ((path, _), (_, points)), label in zip(panel.items(), labels):
            if several_files:
                label = ", ".join(part for part in (label, os.path.basename(path)) if part)
            while label in out:
                label += " (again)"
            out[label] = [points[k] for k in sorted(points)]
    return panels
