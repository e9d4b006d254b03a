# SPDX-License-Identifier: Apache-2.0
"""Runs the user's own copy of simrd on one trace and prints one JSON line. Called by bench/simulator; Python 3.7 on."""

import json
import sys
import threading
import time


def main(path, trace, budget, remat_limit):
    sys.path.insert(0, path)
    from simrd.heuristic import DTR
    from simrd.parse import parse_file
    from simrd.runtime import RematExceededError, RuntimeV2EagerOptimized

    begin = time.process_time()
    with open(trace) as log:
        replay = parse_file(log, start=True).get_closure()
    parsed = time.process_time()
    runtime = RuntimeV2EagerOptimized(budget, DTR(), remat_limit=remat_limit, stats=False, trace=False)
    status = "ok"
    try:
        replay(runtime)
    except MemoryError:
        status = "oom"
    except RematExceededError:
        status = "thrash"
    done = time.process_time()
    summary = runtime.telemetry.summary
    print(json.dumps({
        "status": status,
        "clock": runtime.clock,
        "heuristic_evals": summary["heuristic_eval_count"],
        "remat_compute": summary["remat_compute"],
        "parse_s": parsed - begin,
        "run_s": done - parsed,
    }))


if __name__ == "__main__":
    # simrd recurses as deep as rematerialisations nest.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 * 1024 * 1024)
    arguments = (sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
    worker = threading.Thread(target=main, args=arguments)
    worker.start()
    worker.join()
