# SPDX-License-Identifier: Apache-2.0
"""dtrmc explain and dtrmc sim --retain from the command line: text, JSON, picture, and one line for wrong input."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path

DTRMC = sys.argv.pop(1)


def run(*args, **kwargs):
    return subprocess.run([DTRMC, *map(str, args)], capture_output=True, text=True, timeout=120, **kwargs)


def line(**fields):
    return json.dumps(fields) + "\n"


def there_and_back(length):
    """A chain whose values are all read again on the way back."""
    text = line(INSTRUCTION="ANNOTATE", ANNOTATION="START") + line(INSTRUCTION="CONSTANT", NAME="x0")
    text += line(INSTRUCTION="MEMORY", NAME="x0", MEMORY="64")

    def call(name, args, size, time):
        return (line(INSTRUCTION="CALL", NAME="f", ARGS=args, RESULT=[name], TIME=str(time)) +
                line(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size)) +
                line(INSTRUCTION="ALIAS", NAME=name, ALIAS="-1"))

    for i in range(1, length):
        text += call(f"x{i}", [f"x{i - 1}"], 60 + i % 7, 5 + i % 3)
    gradient = f"x{length - 1}"
    for i in reversed(range(1, length)):
        text += call(f"g{i}", [gradient, f"x{i - 1}"], 64, 7)
        text += line(INSTRUCTION="RELEASE", NAME=gradient)
        if gradient != f"x{i}":
            text += line(INSTRUCTION="RELEASE", NAME=f"x{i}")
        gradient = f"g{i}"
    return text


def text_box(text):
    """Left, top, right, bottom of a text as a sans-serif font draws it, about."""
    content = text.firstChild.data
    size = float(text.getAttribute("font-size") or 12)
    width = len(content) * size * (0.66 if text.getAttribute("font-weight") else 0.58)
    shift = {"": 0, "start": 0, "middle": 0.5, "end": 1}[text.getAttribute("text-anchor")] * width
    if place := text.getAttribute("transform"):
        x, y = map(float, place.split("(")[1].split(")")[0].split(","))
        return x - 0.8 * size, y - width + shift, x + 0.2 * size, y + shift
    x, y = float(text.getAttribute("x")), float(text.getAttribute("y"))
    return x - shift, y - 0.8 * size, x - shift + width, y + 0.2 * size


def marks(picture):
    """Styles of all that stands for data, in the panels and in the legend."""
    legend = min(float(t.getAttribute("y")) for t in picture.getElementsByTagName("text")
                 if t.firstChild.data.startswith("run that "))
    drawn, explained = set(), set()
    for kind in ("polyline", "line", "circle"):
        for element in picture.getElementsByTagName(kind):
            style = tuple(element.getAttribute(a) for a in ("stroke", "stroke-width", "stroke-dasharray", "fill", "r"))
            y = element.getAttribute("y1") or element.getAttribute("cy")
            if y and float(y) > legend - 8:
                explained.add(style[:3] + style[4:] if kind == "line" else style)
            elif kind == "circle":
                drawn.add(style)
            elif kind == "polyline" or style[2]:  # frame and grid have no dashes
                drawn.add(style[:3] + style[4:])
    return drawn, explained


class ExplainTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.trace = self.folder / "chain.log"
        self.trace.write_text(there_and_back(40))

    def refused(self, *args, says):
        """Exit code 2, one line, nothing on stdout, no file made or changed."""
        before = {p: p.read_bytes() for p in self.folder.iterdir()}
        result = run(*args)
        self.assertEqual(result.returncode, 2, (args, result.stderr))
        self.assertEqual(result.stdout, "", args)
        self.assertTrue(result.stderr.startswith("dtrmc: error: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual({p: p.read_bytes() for p in self.folder.iterdir()}, before)

    def sim(self, *args):
        result = run("sim", self.trace, "--heuristic", "dtr", "--overhead-limit", "60", *args, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def explain(self, works, fails, *args):
        result = run("explain", self.trace, "--works", works, "--fails", fails, *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_failure(self):
        out = json.loads(self.explain("0.5", "0.08", "--json"))
        self.assertEqual((out["kind"], out["works"]["status"]), ("failure", "ok"))
        self.assertNotEqual(out["fails"]["status"], "ok")
        # Both runs are those of sim, and so is every rerun with a storage retained.
        for side in ("works", "fails"):
            self.assertEqual(out[side]["all_sha256"], self.sim("--budget", out[side]["budget"])["all_sha256"])
        for trial in out["trials"]:
            kept = ["--retain", trial["retained"]["name"]] if "retained" in trial else []
            self.assertEqual(trial["all_sha256"], self.sim("--budget", trial["budget"], *kept)["all_sha256"])
        self.assertEqual(out["trials"][0]["kind"], "control")
        self.assertTrue(out["trials"][0]["same_evictions_as_plain_run"])
        self.assertEqual(out["failing"]["chain"][-1]["nesting"], out["fails"]["failure"]["depth"])

    def test_a_regime_switch(self):
        low, high = self.sim("--ratio", "0.2"), self.sim("--ratio", "0.6")
        self.assertEqual((low["status"], high["status"]), ("ok", "ok"))
        self.assertGreater(low["clock"], 1.25 * high["clock"])
        out = json.loads(self.explain("0.6", "0.2", "--json"))
        self.assertEqual(out["kind"], "cost")
        for side, sim in (("works", high), ("fails", low)):
            self.assertEqual(sum(out["step_costs"][side]), sim["remat_compute"])
        self.assertTrue(out["suspects"])
        self.assertEqual({t["kind"] for t in out["trials"]}, {"control", "retain", "provoke"})
        for trial in out["trials"]:
            kept = ["--retain", trial["retained"]["name"]] if "retained" in trial else []
            self.assertEqual(trial["all_sha256"], self.sim("--budget", trial["budget"], *kept)["all_sha256"])
        text = self.explain("0.6", "0.2")
        for word in ("First differing decision", "Where the cost diverges", "lowered", "Counterfactuals"):
            self.assertIn(word, text)
        self.refused("explain", self.trace, "--works", "0.2", "--fails", "0.6", says="other way round")

    def test_picture(self):
        long = self.folder / "with_a_name_that_is_longer_than_the_picture_is_wide_and_goes_on_and_on_and_on_and_on.log"
        long.write_text(self.trace.read_text().replace('"NAME": "f"', f'"NAME": "{"backward_" * 9}<&"'))
        self.trace = long
        for name, works, fails in (("failure.svg", "0.5", "0.08"), ("cost.svg", "0.6", "0.2")):
            path = self.folder / name
            self.explain(works, fails, "--svg", path)
            first = path.read_bytes()
            picture = xml.dom.minidom.parseString(first)
            root = picture.documentElement
            texts = picture.getElementsByTagName("text")
            boxes = [(text_box(t), t.firstChild.data) for t in texts]
            for i, (a, text) in enumerate(boxes):
                self.assertTrue(a[0] >= 0 and a[1] >= 0 and a[2] <= float(root.getAttribute("width")) and
                                a[3] <= float(root.getAttribute("height")), (name, text))
                for b, other in boxes[:i]:
                    apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                    self.assertTrue(apart, (name, text, other))
            drawn, explained = marks(picture)
            self.assertEqual(drawn, explained, name)
            self.assertEqual(any(style[-1] for style in drawn), name == "failure.svg")  # dots
            self.explain(works, fails, "--svg", path, "-j", "1")
            self.assertEqual(path.read_bytes(), first)

    def test_wrong_input_of_explain(self):
        base = ["explain", self.trace, "--works", "0.5", "--fails", "0.08"]
        kept = self.folder / "kept.svg"
        kept.write_text("older")
        for args, says in ((["--works", "0.08", "--fails", "0.5"], "give one that completes"),
                           (["--works", "0.5", "--fails", "0.5"], "both budgets complete"),
                           (["--works", "0.5", "--fails", "0.501"], "both budgets complete"),
                           (["--works", "0", "--fails", "0.1"], "--works"), (["--works", "-1", "--fails", "0.1"], "--works"),
                           (["--works", "x", "--fails", "0.1"], "--works"), (["--works", "0.5", "--fails", "nan"], "--fails"),
                           (["--works", "0.5"], "--fails"), (["--fails", "0.5"], "--works"), ([], "required")):
            self.refused("explain", self.trace, *args, "--svg", kept, says=says)
        for args, says in ((["--heuristic", "belady"], "belady"), (["--runtime", "v9"], "v9"), (["--runtime", "v1"], "v1"),
                           (["--overhead-limit", "0.9"], "--overhead-limit"), (["--retain", "x99"], "x99"),
                           (["--retain", "79"], "below 79"), (["--retain", ""], "--retain"), (["--suspects", "-1"], "--suspects"),
                           (["--suspects", "x"], "--suspects"), (["--jobs", "0"], "--jobs"), (["--svg", ""], "--svg"),
                           (["--svg", self.trace], "the trace itself"), (["--svg", self.folder], "cannot be written"),
                           (["--svg", self.folder / "no" / "a.svg"], "cannot be written"), (["--sgv", "a"], "--sgv")):
            self.refused(*base, *args, says=says)
        self.refused("explain", self.folder / "absent.log", "--works", "0.5", "--fails", "0.1", says="absent.log")
        broken = self.folder / "broken.log"
        broken.write_text("{}\n")
        self.refused("explain", broken, "--works", "0.5", "--fails", "0.1", "--svg", kept, says="broken.log:1")
        self.assertEqual(kept.read_text(), "older")

    def test_full_disk(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([DTRMC, "explain", self.trace, "--works", "0.5", "--fails", "0.08"], stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_retain(self):
        plain = self.folder / "plain"
        self.sim("--ratio", "0.3", "--evictions", plain)
        victim = next(l.split()[2] for l in plain.read_text().splitlines() if l.startswith("p "))
        kept = self.folder / "kept"
        by_name = self.sim("--ratio", "0.3", "--retain", victim, "--evictions", kept)
        self.assertNotIn(victim, [l.split()[2] for l in kept.read_text().splitlines() if l.startswith("p ")])
        number = int(victim[1:]) if victim.startswith("x") else None
        self.assertIsNotNone(number, victim)
        by_number = self.sim("--ratio", "0.3", "--retain", number)  # simrd's id of x<i> is i here
        self.assertEqual(by_name["all_sha256"], by_number["all_sha256"])
        both = self.sim("--ratio", "0.3", "--retain", victim, "--retain", "x3")
        self.assertEqual(both["all_sha256"], self.sim("--ratio", "0.3", "--retain", "x3", "--retain", victim)["all_sha256"])
        # Retained everything: the first request beyond the budget fails.
        everything = [a for i in range(1, 79) for a in ("--retain", str(i))]
        out = self.sim("--ratio", "0.3", *everything)
        self.assertEqual((out["status"], out["policy_evictions"]), ("oom", 0))
        base = ["sim", self.trace, "--ratio", "0.3"]
        for wrong in ("x99", "79", "-1", "", "#", "#x", "1.5", "x"):
            self.refused(*base, "--retain", wrong, says="--retain")
        self.refused(*base, "--retain", says="--retain")


if __name__ == "__main__":
    unittest.main(verbosity=1)
