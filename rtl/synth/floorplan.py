# SPDX-License-Identifier: Apache-2.0
"""Sites for the multipliers of an exact unit with four lanes on an ECP5-85, for nextpnr.

Left alone, the placer has 144 multipliers on 156 sites lie wherever one is free: exact-l4's wires come to 462,000 tile
lengths, and the router had no way for half of them after 48 minutes. Here each comparison gets neighbouring columns of
the three rows of multipliers, in the order in which the entries travel: the lower lanes, their comparison, the root of
the tree, the accumulator, the comparison of the upper lanes, the upper lanes. Within a comparison, partial products go
by their weight, so that what is added lies side by side, along the carry chain. 351,000 tile lengths, routed in minutes.
"""
import json
import re

ROWS = (10, 34, 58)
# Blocks of four multipliers, nine tiles wide, left and right of the middle column.
COLUMNS = [(start + offset, offset) for start in [*range(4, 59, 9), *range(69, 115, 9)] for offset in (0, 1, 4, 5)]
# Modules whose multipliers lie together, from left to right: patterns of instance names.
GROUPS = (r"gen_lane\[0\]", r"gen_lane\[1\]", r"u_tree\.gen_node\.u_low", r"u_tree\.gen_node\.u_compare",
          r"u_accumulate", r"u_tree\.gen_node\.u_high", r"gen_lane\[2\]", r"gen_lane\[3\]")


def weights(module):
    """Chunks (i, j) of the two factors, of every bit that is in a multiplier's own register."""
    found = {}
    for name, net in module["netnames"].items():
        chunk = re.search(r"gen_a\[(\d+)\]\.gen_b\[(\d+)\]\.[ab]_q", name)
        if chunk:
            for bit in net["bits"]:
                found.setdefault(bit, (int(chunk[1]), int(chunk[2])))
    return found


def place(source, target, top):
    """Writes the netlist `source` of Yosys to `target`, with a site for each multiplier of module `top`."""
    with open(source, encoding="utf-8") as file:
        design = json.load(file)
    module = design["modules"][top]
    chunk_of = weights(module)
    multipliers = {name: cell for name, cell in module["cells"].items() if cell["type"] == "MULT18X18D"}

    def order(name):
        nets = sorted(multipliers[name]["connections"].items())
        bits = (net[0] for pin, net in nets if re.match(r"[AB]\d+$", pin) and net)
        chunks = sorted({chunk_of[bit] for bit in bits if bit in chunk_of})
        second = re.search(r"multiply_b|b_sum", name) is not None
        return (sum(chunks[0]) if chunks else 0, chunks, second, name)

    column = 0
    for pattern in GROUPS:
        names = sorted((name for name in multipliers if re.search(pattern, name)), key=order)
        if column + (len(names) + 2) // 3 > len(COLUMNS):
            raise ValueError(f"{len(multipliers)} multipliers need more columns than the {len(COLUMNS)} that there are")
        for index, name in enumerate(names):
            x, offset = COLUMNS[column + index // 3]
            row = index % 3 if index // 3 % 2 == 0 else 2 - index % 3  # to and fro, so that neighbours stay neighbours
            multipliers[name]["attributes"]["BEL"] = f"X{x}/Y{ROWS[row]}/MULT18_{offset}"
        column += (len(names) + 2) // 3
    unplaced = [name for name, cell in multipliers.items() if "BEL" not in cell["attributes"]]
    if unplaced:
        raise ValueError(f"no site for {unplaced[0]} and {len(unplaced) - 1} more")
    with open(target, "w", encoding="utf-8") as file:
        json.dump(design, file)
