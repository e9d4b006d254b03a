#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosim --decisions: each decision's cycles add up, and the list adds up to the report.

usage: decisions_test.py DTRMC_BINARY [unittest arguments]
"""
import csv
import io
import json
import sys

from runs import Recorded, main

PARTS = ["cycles_commands", "cycles_metadata", "cycles_cost", "cycles_score", "cycles_search", "cycles_wait_unit"]


class Decisions(Recorded):
    def decisions(self, name, *args):
        report = self.run_json("cosim", "--decisions", self.path(name), *args)
        rows = list(csv.DictReader(io.StringIO(self.read(name).decode(), newline="")))
        return report, rows

    def numbers(self, rows, column):
        return [int(row[column]) for row in rows]

    def test_the_list_adds_up_to_the_report(self):
        for args in ([], ["--scorer", "firmware"], ["--queue-depth", "4"], ["--controller-mhz", "700"],
                     ["--heuristic", "lru", "--ratio", "0.8"], ["--heuristic", "size"]):
            with self.subTest(args):
                self.check(*self.decisions("d.csv", *args))

    def check(self, report, rows):
        self.assertEqual(len(rows), report["policy_evictions"])
        self.assertEqual(self.numbers(rows, "decision"), list(range(len(rows))))
        for row in rows:
            self.assertEqual(sum(int(row[part]) for part in PARTS), int(row["cycles"]), row)
        cycles = sorted(self.numbers(rows, "cycles"))
        reported = report["decisions"]["cycles"]
        self.assertEqual((cycles[0], cycles[-1]), (reported["min"], reported["max"]))
        self.assertEqual(cycles[(50 * len(cycles) + 99) // 100 - 1], reported["p50"])
        candidates = self.numbers(rows, "candidates")
        self.assertEqual(max(candidates), report["decisions"]["candidates"]["max"])
        self.assertAlmostEqual(sum(candidates) / len(rows), report["decisions"]["candidates"]["mean"])
        if "unit" in report:
            # Each row counts up to its decision; the table is kept up to date after the last one as well.
            self.assertTrue(all(count > 0 for count in self.numbers(rows, "table_writes")))
            self.assertLessEqual(sum(self.numbers(rows, "table_writes")), report["unit"]["table_writes"])
            self.assertEqual(sum(self.numbers(rows, "overflow_scan")), report["unit"]["overflow_scans"])
            self.assertEqual(sum(self.numbers(rows, "redecided")), report["unit"]["redecided"])
            self.assertTrue(all(int(row["cycles_wait_unit"]) > 0 for row in rows if row["redecided"] == "0"))
        else:
            self.assertEqual(sum(self.numbers(rows, "table_writes")), 0)
            self.assertEqual(sum(self.numbers(rows, "cycles_wait_unit")), 0)
        # Decisions and the time between them cover the run up to the last one.
        end = 0
        for row in rows:
            self.assertEqual(int(row["begin_cycle"]), end + int(row["cycles_since_last"]))
            end = int(row["begin_cycle"]) + int(row["cycles"])
        self.assertLess(end, report["controller"]["cycles"]["total"])

    def test_the_victims_are_those_of_the_eviction_list(self):
        report = self.run_json("cosim", "--evictions", self.path("e.txt"), "--decisions", self.path("d.csv"))
        listed = [line.split()[1:] for line in self.read("e.txt").decode().splitlines() if line.startswith("p ")]
        rows = csv.DictReader(io.StringIO(self.read("d.csv").decode(), newline=""))
        self.assertEqual([[row["model_clock_ns"], row["victim_name"]] for row in rows], listed)
        self.assertEqual(len(listed), report["policy_evictions"])

    def test_csv_and_json_lines_say_the_same(self):
        _, rows = self.decisions("d.csv")
        self.run_json("cosim", "--decisions", self.path("d.jsonl.gz"))
        objects = [json.loads(line) for line in self.read("d.jsonl.gz").decode().splitlines()]
        self.assertEqual([{key: str(value) for key, value in o.items()} for o in objects], rows)

    def test_a_second_run_gives_the_same_bytes_at_every_quantum(self):
        self.decisions("d.csv")
        first = self.read("d.csv")
        for quantum in ("10000", "1"):
            self.decisions("d.csv", "--quantum", quantum)
            self.assertEqual(self.read("d.csv"), first)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
