#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line and toggle coverage of the RTL: report.py DATA BEGIN LIST SOURCES

DATA, BEGIN: what verilator_coverage --write has merged of the benches, and of what was counted before them, until the
first reset was over (lines count there as well, toggles do not); LIST: the README.md beside this file, whose tables
name what cannot be reached and why; SOURCES: the folder of the modules. A point is a line's or a bit's in a module,
whichever instance of whichever unit has reached it; a bit has toggled when it has changed twice. Exit 1: something was
not reached and is not listed, or is listed and was reached.
"""
import collections
import fnmatch
import pathlib
import re
import sys

Point = collections.namedtuple("Point", "kind file line column what")


def read_points(path):
    counts = collections.Counter()
    with open(path, encoding="latin-1") as data:
        for text in data:
            if not text.startswith("C '"):
                continue
            fields, count = text[3:].rsplit("' ", 1)
            values = dict(field.split("\x02", 1) for field in fields.split("\x01") if field)
            kind = "toggle" if values["page"].startswith("v_toggle") else "line"
            point = Point(kind, pathlib.Path(values["f"]).name, int(values["l"]), int(values["n"]), values["o"])
            counts[point] += int(count)
    return counts


def read_list(path):
    """Rows | kind | file | what | why |, `what` one or more patterns in backticks: of lines, part of their text; of
    toggles, a signal's name, `*` for any part of it and `?` for a letter, alone for all of its bits or with
    [high:low,high:low], [high:low][high:low] for an array's words, [high:low/width] for these bits of all elements of
    that width that lie side by side."""
    entries = []
    for text in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in text.strip().strip("|").split(" | ")]
        if len(cells) == 4 and cells[0] in ("line", "toggle"):
            for pattern in re.findall(r"`([^`]+)`", cells[2]):
                entries.append((cells[0], cells[1].strip("`"), pattern))
    return entries


def listed(point, entry, sources):
    kind, file, pattern = entry
    if kind != point.kind or not fnmatch.fnmatch(point.file, file):
        return False
    if kind == "line":
        return pattern in sources.get(point.file, {}).get(point.line, "")
    name, *ranges = re.findall(r"[^\[\]]+", pattern)
    indices = [int(index) for index in re.findall(r"\[(\d+)\]", point.what)]
    return (
        fnmatch.fnmatchcase(point.what.split("[")[0], name)
        and len(ranges) <= len(indices)
        and all(within(index, text) for text, index in zip(reversed(ranges), reversed(indices)))
    )


def within(index, text):
    """high:low, several of them with commas between, /width."""
    ranges, _, width = text.partition("/")
    index = index % int(width) if width else index
    return any(int(low) <= index <= int(high) for high, low in (item.split(":") for item in ranges.split(",")))


def shortened(names):
    """Bits of one signal in a row as name[high:low]."""
    groups = collections.defaultdict(list)
    for name in names:
        index = re.fullmatch(r"(.+)\[(\d+)\]", name)
        groups[index[1] if index else name].append(int(index[2]) if index else None)
    for name, bits in groups.items():
        if bits == [None]:
            yield name
            continue
        bits = sorted(bit for bit in bits if bit is not None)
        while bits:
            length = 1
            while length < len(bits) and bits[length] == bits[0] + length:
                length += 1
            yield f"{name}[{bits[length - 1]}:{bits[0]}]"
            bits = bits[length:]


def main():
    counts = read_points(sys.argv[1])
    for point, count in read_points(sys.argv[2]).items():
        counts[point] += count if point.kind == "line" else 0
    entries = read_list(sys.argv[3])
    sources = {
        path.name: dict(enumerate(path.read_text().splitlines(), 1)) for path in pathlib.Path(sys.argv[4]).glob("*.sv")
    }
    table = collections.defaultdict(lambda: collections.Counter())
    missed = collections.defaultdict(list)
    needed = set()
    reached = collections.defaultdict(int)
    for point, count in sorted(counts.items()):
        names = [entry for entry in entries if listed(point, entry, sources)]
        row = table[point.file]
        row[point.kind] += 1
        if count >= (2 if point.kind == "toggle" else 1):
            row[point.kind, "hit"] += 1
            for entry in names:
                reached[entry] += 1
        elif names:
            row[point.kind, "listed"] += 1
            needed.update(names)
        else:
            missed[point.file].append(point)

    print("module                          lines  reached  listed   toggles  reached  listed")
    total = collections.Counter()
    for file, row in sorted(table.items()):
        total.update(row)
    for file, row in sorted(table.items()) + [("all", total)]:
        print(f"{file.removesuffix('.sv'):30} {row['line']:6} {row['line', 'hit']:8} {row['line', 'listed']:7}"
              f" {row['toggle']:9} {row['toggle', 'hit']:8} {row['toggle', 'listed']:7}")
    bad = False
    for file, points in sorted(missed.items()):
        bad = True
        for point in points:
            if point.kind == "line":
                text = sources.get(file, {}).get(point.line, "").strip()
                print(f"not reached: {file}:{point.line} ({point.what}): {text}")
        for name in shortened([point.what for point in points if point.kind == "toggle"]):
            print(f"not toggled: {file} {name}")
    counted = {point.kind for point in counts}
    for entry in entries:
        if entry[0] in counted and entry not in needed:
            bad = True
            print(f"listed, but {'reached' if reached[entry] else 'there is no such point'}: {' '.join(entry)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
