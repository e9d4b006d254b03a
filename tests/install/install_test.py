# SPDX-License-Identifier: Apache-2.0
"""Installs the build into a temporary prefix, moves it (the package must be relocatable), and configures, builds and
runs every example against the installed package alone."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def refuse(command, text, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode == 0 or text not in " ".join(done.stdout.split()):
        sys.exit(f"{' '.join(map(str, command))}\nshould be refused with '{text}':\n{done.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dtrmc-install-") as folder:
        folder = pathlib.Path(folder)
        run([options.cmake, "--install", options.build, "--prefix", folder / "first"])
        prefix = folder / "moved"
        os.rename(folder / "first", prefix)
        for wanted in ("bin/dtrmc", "share/dtrmc/firmware/dtrmc.elf", "share/dtrmc/rtl/scoring_unit.rdl",
                       "share/dtrmc/rtl/src/scoring_unit.sv", "include/dtrmc/systemc/platform/controller.h"):
            if not (prefix / wanted).exists():
                sys.exit(f"{wanted} is not installed")
        # The files of the package say where other packages lie, but nothing about our own source and build folders.
        for file in (prefix / "lib").rglob("*.cmake"):
            text = file.read_text()
            for path in (options.source, options.build, folder / "first"):
                if str(path) + "/" in text or str(path) + '"' in text:
                    sys.exit(f"{file.name} refers to {path}")
        run([prefix / "bin/dtrmc", "cosim", "--help"])
        examples = sorted(path.parent for path in (options.source / "examples").glob("*/CMakeLists.txt"))
        if len(examples) < 2:
            sys.exit("no examples found")
        common = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={options.compiler}",
                  "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS={options.flags}", "-GNinja"]
        for example in examples:
            # A copy outside the tree, so that nothing of the tree can be reached by accident.
            copy = folder / example.name
            shutil.copytree(example, copy)
            run([options.cmake, "-S", copy, "-B", copy / "build", *common])
            run([options.cmake, "--build", copy / "build"])
            output = run([copy / "build" / example.name], cwd=copy, timeout=300)
            print(f"{example.name}:\n{output}")
            if output.split()[-1] != "ok":
                sys.exit("the last word should be ok")
        empty = folder / "unknown"
        empty.mkdir()
        (empty / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(unknown LANGUAGES CXX)\n"
            "find_package(dtrmc REQUIRED COMPONENTS nothing)\n")
        refuse([options.cmake, "-S", empty, "-B", empty / "build", *common],
               "dtrmc has no component nothing (known: units, controller, platform)")


main()
