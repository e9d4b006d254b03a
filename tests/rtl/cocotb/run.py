#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cocotb benches on Icarus.  usage: run.py axil|apb WORK [LANES DEPTH]. Exit 77 without cocotb or Icarus."""
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def skip(text):
    print(f"SKIPPED: {text}")
    sys.exit(77)


def main():
    bench, work = sys.argv[1], Path(sys.argv[2])
    lanes, depth = (sys.argv[3:5] + ["2", "16"])[:2] if len(sys.argv) >= 5 else ("2", "16")
    if shutil.which("iverilog") is None:
        skip("iverilog is not installed (apt-get install iverilog)")
    try:
        import cocotbext.axi  # noqa: F401
        from cocotb_tools.runner import get_results, get_runner
    except ImportError:
        skip("cocotb is absent: .venv/bin/python -m pip install -r tests/rtl/cocotb/requirements.txt")
    packages = sorted((ROOT / "rtl/generated").glob("*_pkg.sv")) + sorted((ROOT / "rtl/src").glob("*_pkg.sv"))
    modules = [file for file in sorted((ROOT / "rtl/src").glob("*.sv")) if file not in packages]
    runner = get_runner("icarus")
    build = work / f"cocotb_{bench}_l{lanes}_d{depth}"
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    runner.build(sources=packages + modules + [HERE / f"{bench}_top.sv"], hdl_toplevel=f"{bench}_top",
                 includes=[ROOT / "rtl/src"], build_args=["-g2012", "-DSCORING_UNIT_ASSERTIONS"],
                 parameters={"LANES": lanes, "DEPTH": depth}, build_dir=build, always=True)
    results = runner.test(test_module=f"test_{bench}", hdl_toplevel=f"{bench}_top", build_dir=build, test_dir=build,
                          results_xml=str(build / "results.xml"))
    ran, failed = get_results(results)
    print(f"{ran} cocotb tests, {failed} failed")
    sys.exit(1 if failed or ran == 0 else 0)


if __name__ == "__main__":
    main()
