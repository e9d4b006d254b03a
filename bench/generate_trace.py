#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a synthetic training log of any length: iterations of a residual network, forward and backward.

Everything that a network does to memory is there: constants, activations that live until their backward operator,
views, skip connections, two results of one operator, weight gradients, releases. Sizes and costs come from a
generator of its own, so the same options always give the same bytes. The number of live tensors is bounded by the
depth, not by the length of the log.
"""

import argparse
import json
import sys


class Draw:
    """A 64-bit linear congruential generator: the same on every machine and in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


class Log:
    def __init__(self, out):
        self.out = out
        self.operators = 0

    def line(self, **fields):
        self.out.write(json.dumps(fields, separators=(",", ":")) + "\n")

    def constant(self, name, size):
        self.line(INSTRUCTION="CONSTANT", NAME=name)
        self.line(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size))
        self.operators += 1

    def call(self, kind, args, results, time):
        """results: (name, size, alias) each"""
        self.line(INSTRUCTION="CALL", NAME=kind, ARGS=args, RESULT=[name for name, _, _ in results], TIME=str(time))
        for name, size, alias in results:
            self.line(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size))
            self.line(INSTRUCTION="ALIAS", NAME=name, ALIAS=str(alias))
        self.operators += 1

    def release(self, name):
        self.line(INSTRUCTION="RELEASE", NAME=name)


def write_iteration(log, index, layers, sizes, times, skip):
    def name(kind, layer):
        return f"{kind}{index}.{layer}"

    log.call("load", [], [(name("a", 0), sizes[0], -1)], times[0])
    for layer in range(1, layers + 1):
        joined = layer % skip == 0
        args = [name("a", layer - 1), f"w{layer}"] + ([name("a", layer - skip)] if joined else [])
        log.call("add_conv" if joined else "conv", args, [(name("a", layer), sizes[layer], -1)], times[layer])
    log.call("view", [name("a", layers)], [(name("v", layers), 0, 0)], 1)
    log.call("loss", [name("v", layers)], [(name("g", layers), sizes[layers], -1)], times[0])
    log.release(name("v", layers))
    for layer in range(layers, 0, -1):
        joined = layer % skip == 0
        args = [name("g", layer), name("a", layer - 1), f"w{layer}"]
        log.call("conv_backward", args, [(name("g", layer - 1), sizes[layer - 1], -1), (name("d", layer), 4096, -1)],
                 2 * times[layer])
        for spent in ("g", "d", "a"):
            log.release(name(spent, layer))
        if joined:
            log.call("add", [name("g", layer - 1), name("a", layer - skip)], [(name("s", layer), 8192, -1)], 40)
            log.release(name("s", layer))
    log.release(name("g", 0))
    log.release(name("a", 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operators", type=int, default=1_000_000, help="at least so many; whole iterations")
    parser.add_argument("--layers", type=int, default=120, help="depth, which bounds what is live")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.operators < 1 or options.layers < 8:
        parser.error("--operators must be at least 1, --layers at least 8")
    draw = Draw(options.seed)
    sizes = [65536 * (1 + draw.below(64)) for _ in range(options.layers + 1)]
    times = [1000 + draw.below(100_000) for _ in range(options.layers + 1)]
    log = Log(sys.stdout)
    log.line(INSTRUCTION="ANNOTATE", ANNOTATION="START")
    for layer in range(1, options.layers + 1):
        log.constant(f"w{layer}", 16384)
    index = 0
    while log.operators < options.operators:
        write_iteration(log, index, options.layers, sizes, times, skip=4)
        index += 1


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
