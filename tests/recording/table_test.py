#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare --table: the aligned events with scores from both sides, and the margins that the summary counts.

usage: table_test.py DTRMC_BINARY [unittest arguments]
"""
import csv
import io
import json
import re
import sys
from fractions import Fraction

from runs import Recorded, main


def exact(text):
    """"cost/(size*staleness)" as a fraction."""
    return Fraction(eval(re.sub(r"(\d+)", r"Fraction(\1)", text), {"Fraction": Fraction}))  # digits, / * ( ) - alone


class Table(Recorded):
    def table(self, name, *args):
        report = self.run_json("compare", "--table", self.path(name), *args)
        rows = list(csv.DictReader(io.StringIO(self.read(name).decode(), newline="")))
        return report, rows

    def test_rows_are_the_events(self):
        for args in ([], ["--heuristic", "lru", "--ratio", "0.8"], ["--heuristic", "size", "--scorer", "firmware"],
                     ["--heuristic", "dtr-local", "--queue-depth", "4"]):
            with self.subTest(args):
                self.check(*self.table("t.csv", *args))

    def check(self, report, rows):
        self.assertTrue(report["identical"])
        self.assertEqual(len(rows), report["events"])
        self.assertEqual([int(row["event"]) for row in rows], list(range(len(rows))))
        self.assertTrue(all(row["identical"] == "1" and row["sim_kind"] == "" for row in rows))
        decisions = [row for row in rows if row["kind"] == "evict_policy"]
        self.assertEqual(len(decisions), report["policy_evictions"])
        for row in rows:
            policy = row["kind"] == "evict_policy"
            self.assertEqual(row["score"] != "", policy)
            self.assertEqual(row["operator"] != "", row["kind"] != "evict_eager")
            self.assertEqual(row["storage"] != "", row["kind"].startswith("evict"))
        clocks = [int(row["model_clock_ns"]) for row in rows]
        times = [float(row["device_time_ns"]) for row in rows]
        self.assertEqual(clocks, sorted(clocks))
        self.assertEqual(times, sorted(times))
        for row in decisions:
            # The simulator's numbers, and those in the controller's RAM.
            for column in ("score_exact", "score", "margin", "runner_up"):
                self.assertEqual(row[column], row["sim_" + column], row)
            value = exact(row["score_exact"])
            if "/" in row["score_exact"]:  # a quotient is rounded once; Python rounds so as well
                self.assertEqual(float(row["score"]), value.numerator / value.denominator)
            self.assertGreaterEqual(float(row["margin"]), 0)
        # An eviction makes room for the operator that runs next.
        following = None
        for row in reversed(rows):
            if row["kind"] in ("first_run", "rematerialize"):
                following = row["operator"]
            elif row["kind"] == "evict_policy":
                self.assertEqual(row["operator"], following)

    def test_the_summary_counts_the_margins_of_the_table(self):
        report, rows = self.table("t.csv")
        margins = sorted((float(row["sim_margin"]), int(row["event"])) for row in rows if row["sim_margin"] != "")
        summary = report["margins"]
        self.assertEqual(summary["decisions"], len(margins))
        self.assertEqual(summary["ties"], sum(m == 0 for m, _ in margins))
        self.assertEqual(len(summary["within"]), 4)
        for entry in summary["within"]:
            self.assertEqual(entry["decisions"], sum(m <= entry["relative_error"] for m, _ in margins), entry)
        self.assertEqual([(s["margin"], s["event"]) for s in summary["smallest"]],
                         [m for m in margins if m[0] > 0][:5])
        text = self.start("compare").stdout.decode()
        self.assertIn(f"event {summary['smallest'][0]['event']:>7}", text)

    def test_ties_are_counted_as_ties(self):
        report, rows = self.table("t.csv", "--heuristic", "size")
        ties = [row for row in rows if row["sim_margin"] in ("0", "0.0")]
        self.assertGreater(len(ties), 0)
        self.assertEqual(report["margins"]["ties"], len(ties))

    def test_csv_and_json_lines_say_the_same(self):
        _, rows = self.table("t.csv")
        self.run_json("compare", "--table", self.path("t.jsonl"))
        objects = [json.loads(line, parse_float=str) for line in self.read("t.jsonl").decode().splitlines()]
        self.assertEqual([{k: str(v) for k, v in o.items()} for o in objects],
                         [{k: v for k, v in row.items() if v != ""} for row in rows])

    def test_a_second_run_gives_the_same_bytes(self):
        self.table("t.csv")
        first = self.read("t.csv")
        self.table("t.csv", "--quantum", "1")
        self.assertEqual(self.read("t.csv"), first)

    def test_the_comparison_itself_is_the_same_without_a_table(self):
        self.assertEqual(self.table("t.csv")[0], self.run_json("compare"))

    def test_wrong_paths(self):
        self.refused("compare", "--table", str(self.folder / "t.tsv"), says=[".csv"])
        self.refused("compare", "--table", self.path("absent/t.csv"), says=["cannot be written"])
        self.refused("compare", "--table", str(self.folder), says=[])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
