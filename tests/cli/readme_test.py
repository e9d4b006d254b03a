#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What README shows is what the binary prints: the demo's output, and the commands that it names.

usage: readme_test.py DTRMC_BINARY README
"""
import difflib
import os
import re
import subprocess
import sys


def main():
    binary, readme = sys.argv[1:]
    text = open(readme, encoding="utf-8").read()
    failures = []
    demo = subprocess.run([binary, "demo"], stdout=subprocess.PIPE, check=True, timeout=300,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout.decode().rstrip("\n")
    shown = next((block for block in re.findall(r"```\n(.*?)\n```", text, re.S) if block.startswith("trace ")), "")
    if shown != demo:
        failures.append("README's demo output is not what dtrmc demo prints:\n" + "\n".join(
            difflib.unified_diff(shown.split("\n"), demo.split("\n"), "README", "dtrmc demo", lineterm="")))
    known = subprocess.run([binary, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for command in sorted(set(re.findall(r"`(?:build/)?dtrmc ([a-z]+)", text))):
        if not re.search(rf"^  {command} ", known, re.M):
            failures.append(f"README names the command 'dtrmc {command}', which the binary does not have")
    failures += [f"README holds the unfilled {mark}" for mark in re.findall(r"@[A-Z]+@", text)]
    print("\n".join(failures) or "README shows what the binary prints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
