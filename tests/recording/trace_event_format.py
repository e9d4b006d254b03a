# SPDX-License-Identifier: Apache-2.0
"""Checks a document against the Trace Event Format as far as its viewers rely on it, and sorts it for tests.

Sources: "Trace Event Format" (Google, public document): the JSON object form, required members per phase, ts and dur
in microseconds with fractions, flows bound to the slice that covers them.
"""
import json
from collections import defaultdict
from decimal import Decimal

REQUIRED = {
    "X": {"pid", "tid", "ts", "dur", "name"},
    "i": {"pid", "tid", "ts", "name", "s"},
    "C": {"pid", "ts", "name", "args"},
    "M": {"pid", "name", "args"},
    "s": {"pid", "tid", "ts", "name", "cat", "id"},
    "f": {"pid", "tid", "ts", "name", "cat", "id", "bp"},
}
METADATA = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}


class Timeline:
    """A checked document. Raises AssertionError where it breaks the format."""

    def __init__(self, text):
        self.document = json.loads(text, parse_float=Decimal)
        assert self.document["displayTimeUnit"] in ("ns", "ms")
        self.events = self.document["traceEvents"]
        assert isinstance(self.events, list) and self.events
        for event in self.events:
            self._check_members(event)
        self.tracks = {e["args"]["name"]: e["tid"] for e in self.events if e["name"] == "thread_name"}
        self.slices = defaultdict(list)  # by tid
        for event in self.of("X"):
            self.slices[event["tid"]].append(event)
        self._check_order()
        self._check_nesting()
        self.flows = self._check_flows()

    def of(self, phase):
        return [e for e in self.events if e["ph"] == phase]

    def track(self, name):
        return self.slices[self.tracks[name]]

    def counter(self, name):
        return [(e["ts"], next(iter(e["args"].values()))) for e in self.of("C") if e["name"] == name]

    @staticmethod
    def _check_members(event):
        phase = event["ph"]
        assert phase in REQUIRED, event
        missing = REQUIRED[phase] - event.keys()
        assert not missing, (missing, event)
        assert isinstance(event["pid"], int) and isinstance(event.get("tid", 0), int), event
        assert isinstance(event["name"], str) and event["name"], event
        for key in ("ts", "dur"):
            if key in event:
                assert isinstance(event[key], (int, Decimal)) and not isinstance(event[key], bool), event
                assert event[key] >= 0, event
                # ps are the sixth decimal of a microsecond: nothing below it, nothing rounded.
                assert Decimal(event[key]) * 10**6 % 1 == 0, event
        if phase == "C":
            assert event["args"] and all(isinstance(v, int) for v in event["args"].values()), event
        if phase == "i":
            assert event["s"] in ("g", "p", "t"), event
        if phase == "f":
            assert event["bp"] == "e", event
        if phase == "M":
            assert METADATA[event["name"]] in event["args"], event

    def _check_order(self):
        """Written in order of time; only the start of a flow may come late, together with its end."""
        last = 0
        for event in self.events:
            if event["ph"] in ("M", "s"):
                continue
            assert event["ts"] >= last, event
            last = event["ts"]

    def _check_nesting(self):
        """Slices of a track nest: a later one either lies within an earlier one or begins after it has ended."""
        for slices in self.slices.values():
            open_ends = []
            for event in slices:
                while open_ends and open_ends[-1] <= event["ts"]:
                    open_ends.pop()
                end = event["ts"] + event["dur"]
                assert not open_ends or end <= open_ends[-1], event
                open_ends.append(end)

    def covering(self, tid, ts):
        return [s for s in self.slices[tid] if s["ts"] <= ts < s["ts"] + s["dur"]]

    def _check_flows(self):
        """Each id has one start and one end, in order of time, both within a slice."""
        starts = {e["id"]: e for e in self.of("s")}
        ends = {e["id"]: e for e in self.of("f")}
        assert len(starts) == len(self.of("s")) and len(ends) == len(self.of("f"))
        assert starts.keys() == ends.keys()
        pairs = []
        for key, start in starts.items():
            end = ends[key]
            assert start["ts"] <= end["ts"] and start["name"] == end["name"] and start["cat"] == end["cat"], start
            source = self.covering(start["tid"], start["ts"])
            target = self.covering(end["tid"], end["ts"])
            assert len(source) == 1 and len(target) == 1, (start, end, source, target)
            pairs.append((source[0], target[0]))
        return pairs
