# SPDX-License-Identifier: Apache-2.0
"""Offsets, masks and shifts of the generated C header, as attributes without the prefix."""
import re
from pathlib import Path

HEADER = Path(__file__).resolve().parents[3] / "rtl/generated/scoring_unit_regs.h"

for name, value in re.findall(r"#define SCORING_UNIT_(\w+) (0x[0-9a-fA-F]+|\d+)u", HEADER.read_text()):
    globals()[name] = int(value, 0)
