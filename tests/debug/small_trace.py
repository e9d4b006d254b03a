# SPDX-License-Identifier: Apache-2.0
"""A trace of a few hundred lines with evictions and rematerialisations at 0.4 of its peak."""
import json


def small_trace(length=40):
    lines = [{"INSTRUCTION": "ANNOTATE", "ANNOTATION": "START"},
             {"INSTRUCTION": "CONSTANT", "NAME": "x0"}, {"INSTRUCTION": "MEMORY", "NAME": "x0", "MEMORY": "64"}]

    def call(result, args, time):
        lines.append({"INSTRUCTION": "CALL", "NAME": "f", "ARGS": args, "RESULT": [result], "TIME": str(time)})
        lines.append({"INSTRUCTION": "MEMORY", "NAME": result, "MEMORY": "64"})
        lines.append({"INSTRUCTION": "ALIAS", "NAME": result, "ALIAS": "-1"})

    for i in range(1, length):
        call(f"x{i}", [f"x{i - 1}"], 5 + i % 3)
    grad = f"x{length - 1}"
    for i in reversed(range(1, length)):
        call(f"g{i}", [grad, f"x{i - 1}"], 7)
        lines.append({"INSTRUCTION": "RELEASE", "NAME": grad})
        if grad != f"x{i}":
            lines.append({"INSTRUCTION": "RELEASE", "NAME": f"x{i}"})
        grad = f"g{i}"
    return "".join(json.dumps(line) + "\n" for line in lines)
