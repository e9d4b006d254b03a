#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes quotients.txt: divisions of the sizes that scores meet, with Python's correctly rounded result.

usage: quotients.py > quotients.txt
"""
import random

random.seed(20260101)


def number(bits):
    return random.getrandbits(random.randint(1, bits)) or 1


def near_tie():
    """numerator / denominator just beside, or exactly on, the middle between two doubles."""
    while True:
        denominator = number(random.choice([20, 40, 64, 100]))
        mantissa = (1 << 53) | random.getrandbits(53)  # 54 bits
        middle = mantissa | 1
        numerator = middle * denominator + random.choice([-1, 0, 1])
        shift = max(0, numerator.bit_length() - 64)
        if shift == 0:
            return numerator, denominator
        # Too wide: divide both sides' scale instead, and stay near the middle.
        numerator = ((middle << 10) // 1) & ((1 << 64) - 1)
        return numerator, 1 << random.randint(0, 120)


def main():
    for k in range(4000):
        if k % 4 == 0:
            n, d = near_tie()
        elif k % 4 == 1:
            n, d = number(64), number(125)
        elif k % 4 == 2:
            n, d = number(64), number(64)
        else:
            n, d = number(56), number(56)
        if random.random() < 0.3:
            n = -n
        print(n, d, (n / d).hex())


if __name__ == "__main__":
    main()
