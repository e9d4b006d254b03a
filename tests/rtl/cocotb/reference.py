# SPDX-License-Identifier: Apache-2.0
"""The decision rule of rtl/README.md on whole numbers and fractions, and the table that the bench has written."""
from dataclasses import dataclass
from fractions import Fraction

ZERO, FINITE, INFINITE, NONE = range(4)


@dataclass
class Candidate:
    cost: int
    size: int
    last: int
    order: int


def decide(table, use_size, use_staleness, clock):
    """(class, slot, mixed) of a dictionary slot -> candidate."""
    zeros, finites, infinites = [], [], []
    for slot, entry in table.items():
        size = entry.size if use_size else 1
        staleness = max(clock - entry.last, 0) if use_staleness else 1
        if size == 0 or staleness == 0:
            infinites.append((entry.order, slot))
        elif entry.cost == 0:
            zeros.append((entry.order, slot))
        else:
            finites.append((Fraction(entry.cost, size * staleness), -entry.order, slot))
    mixed = bool(zeros) and any(h < 0 for h, _, _ in finites)
    if zeros:
        return ZERO, min(zeros)[1], mixed
    if finites:
        return FINITE, min(finites)[2], mixed
    if infinites:
        return INFINITE, max(infinites)[1], mixed
    return NONE, 0, False
