# SPDX-License-Identifier: Apache-2.0
"""The recorder, one case of memory behaviour at a time. Every case also passes the self-check: the replayed log and
the storages agree on the bytes in use at every operator."""

import gc
import json
import unittest

import torch_or_skip

torch = torch_or_skip.require()

from torch import library as torch_library  # noqa: E402

from traces.record import RecordError, session  # noqa: E402
from traces.record.recorder import Recorder  # noqa: E402

library = torch_library.Library("dtrmc_test", "DEF")
library.define("pair(Tensor x) -> (Tensor, Tensor)")
library.define("kept() -> Tensor")
library.define("kept_of(Tensor x) -> Tensor")


def _pair(x):
    both = torch.empty(2, *x.size())
    return both[0], both[1]


_KEPT = []
library.impl("pair", _pair, "CPU")
library.impl("kept", lambda: _KEPT[0].view(-1), "CompositeExplicitAutograd")
library.impl("kept_of", lambda x: _KEPT[0].view(-1), "CPU")


class Recording:
    """Lines that `body(x, recorder)` adds; x is a constant of 2 x 3 floats (24 bytes), named x0."""

    def __init__(self, body, device="cpu"):
        x = torch.zeros(2, 3, device=device)
        with Recorder() as recorder:
            recorder.constant(x)
            before = len(recorder.log.lines)
            kept = body(x, recorder)
            recorder.finish()
            self.lines = [json.loads(line) for line in recorder.log.lines[before:]]
            self.replayed = session.compare(recorder, recorder.log.text())
            self.final_storage_bytes = recorder.storages.meter.live
            self.labels = {}
            for key, tensor in (kept or {}).items():
                self.labels[key] = recorder.names.of(tensor).label

    def short(self):
        """The lines in one string each, sizes and times left out."""
        result = []
        for line in self.lines:
            kind = line["INSTRUCTION"]
            if kind == "CALL":
                result.append(f"{line['NAME']}({','.join(line['ARGS'])}) -> {','.join(line['RESULT'])}")
            elif kind == "MUTATE":
                result.append(f"{line['NAME']}({','.join(line['ARGS'])}) writes {line['MUTATE']}")
            elif kind == "ALIAS" and line["ALIAS"] != "-1":
                result.append(f"{line['NAME']} on {line['ALIAS']}")
            elif kind in ("COPY", "COPY_FROM"):
                result.append(f"{kind} {line['DST']} {line['SRC']}")
            elif kind in ("RELEASE", "CONSTANT"):
                result.append(f"{kind} {line['NAME']}")
        return result

    def of(self, kind):
        return [line for line in self.lines if line["INSTRUCTION"] == kind]


class Views(unittest.TestCase):
    def test_a_view_is_a_free_alias_of_its_argument_with_the_storages_size(self):
        r = Recording(lambda x, _: {"v": x[0]})
        self.assertEqual(r.short(), ["select.int(x0) -> x1", "x1 on 0"])
        self.assertEqual(r.of("CALL")[0]["TIME"], "0")
        self.assertEqual(r.of("MEMORY")[0]["MEMORY"], "24")

    def test_all_results_of_split_share_their_argument(self):
        r = Recording(lambda x, _: dict(enumerate(x.split(1, dim=1))))
        self.assertEqual(r.short(), ["split.Tensor(x0) -> x1,x2,x3", "x1 on 0", "x2 on 0", "x3 on 0"])
        self.assertEqual(r.replayed.peak_bytes, 24)

    def test_two_results_on_one_new_storage_are_one_result_and_a_free_alias_of_it(self):
        r = Recording(lambda x, _: dict(enumerate(torch.ops.dtrmc_test.pair(x))))
        self.assertEqual(r.short(), ["dtrmc_test::pair(x0) -> x1", "alias(x1) -> x2", "x2 on 0"])
        self.assertEqual([line["MEMORY"] for line in r.of("MEMORY")], ["48", "48"])
        self.assertEqual(r.of("CALL")[1]["TIME"], "0")
        self.assertNotEqual(r.of("CALL")[0]["TIME"], "0")

    def test_a_result_on_known_memory_that_was_not_passed_makes_it_an_argument(self):
        def body(x, recorder):
            kept = x + 1
            _KEPT[:] = [kept]
            return {"a": kept, "b": torch.ops.dtrmc_test.kept(), "c": torch.ops.dtrmc_test.kept_of(x)}

        r = Recording(body)
        _KEPT.clear()
        self.assertEqual(
            r.short(),
            [
                "add.Tensor(x0) -> x1",
                "dtrmc_test::kept(x1) -> x2",
                "x2 on 0",
                "dtrmc_test::kept_of(x0,x1) -> x3",
                "x3 on 1",
            ],
        )

    def test_an_operator_that_hands_its_argument_back_leaves_no_line(self):
        def body(x, recorder):
            y = x + 1
            return {"y": y.positive()}

        self.assertEqual(len(Recording(body).of("CALL")), 1)

    def test_in_place_changes_of_shape_write_nothing(self):
        def body(x, recorder):
            y = x + 1
            y.t_()
            return {"y": y}

        r = Recording(body)
        self.assertEqual(
            r.short(), ["add.Tensor(x0) -> x1", "t_(x1) -> x2", "x2 on 0", "COPY_FROM x1 x2", "RELEASE x2"]
        )
        self.assertEqual(r.of("CALL")[1]["TIME"], "0")


class Writes(unittest.TestCase):
    def test_in_place_on_the_only_name(self):
        def body(x, recorder):
            y = x + 1
            y.add_(x)
            return {"y": y}

        r = Recording(body)
        self.assertEqual(r.short(), ["add.Tensor(x0) -> x1", "add_.Tensor(x1,x0) writes [0]"])
        self.assertEqual(r.replayed.peak_bytes, 24 + 2 * 24)  # constant, old storage, its copy
        self.assertEqual(r.replayed.final_bytes, 24 + 24)

    def test_other_names_of_the_same_shape_follow_by_copy_from(self):
        def body(x, recorder):
            y = x + 1
            a, b = y.detach(), y.detach()
            a.add_(1)
            return {"y": y, "a": a, "b": b}

        r = Recording(body)
        y, a, b = (r.labels[key] for key in "yab")
        self.assertEqual(r.short()[-3:], [f"add_.Tensor({a}) writes [0]", f"COPY_FROM {y} {a}", f"COPY_FROM {b} {a}"])
        self.assertEqual(r.replayed.final_bytes, 24 + 24)

    def test_in_place_on_a_view_moves_the_base_and_other_views(self):
        def body(x, recorder):
            base = x + 1
            row, turned = base[0], base.t()
            row.mul_(2)
            return {"sum": base + 1, "base": base, "row": row, "turned": turned}

        r = Recording(body)
        # base and turned become aliases of what row names now, which has the whole storage's size
        self.assertEqual(
            r.short()[-10:],
            [
                "mul_.Tensor(x2) writes [0]",
                "alias(x2) -> x4", "x4 on 0", "COPY_FROM x1 x4", "RELEASE x4",
                "alias(x2) -> x5", "x5 on 0", "COPY_FROM x3 x5", "RELEASE x5",
                "add.Tensor(x1) -> x6",
            ],
        )  # fmt: skip
        self.assertEqual(r.replayed.final_bytes, 24 + 24 + 24)
        self.assertEqual(r.replayed.peak_bytes, 24 + 24 + 24)

    def test_a_storage_written_through_two_views_is_mutated_once(self):
        def body(x, recorder):
            base = x + 1
            a, b = base[0], base[1]
            torch._foreach_add_([a, b], 1)
            return {"base": base, "a": a, "b": b}

        r = Recording(body)
        self.assertEqual(len(r.of("MUTATE")), 1)
        self.assertEqual(r.of("MUTATE")[0]["MUTATE"], [0])
        self.assertEqual(r.of("MUTATE")[0]["ARGS"], ["x2", "x3"])
        self.assertEqual(r.replayed.final_bytes, 24 + 24)

    def test_writing_twice_and_through_every_name_never_repeats_a_tensor(self):
        def body(x, recorder):
            y = x + 1
            a, row = y.detach(), y[0]
            for tensor in (y, a, row, y, row, a):
                tensor.add_(1)
            return {"y": y, "a": a, "row": row}

        r = Recording(body)  # the replay refuses a MUTATE whose new tensor name exists
        self.assertEqual(r.replayed.mutations, 6)
        self.assertEqual(r.replayed.final_bytes, 24 + 24)

    def test_a_constant_once_written_holds_its_bytes_twice(self):
        def body(x, recorder):
            x.add_(1)
            x.add_(1)

        r = Recording(body)
        self.assertEqual(r.short(), ["add_.Tensor(x0) writes [0]"] * 2)
        self.assertEqual(r.replayed.final_bytes, 48)
        self.assertEqual(r.replayed.peak_bytes, 72)

    def test_out_of_the_right_size_is_a_mutation(self):
        def body(x, recorder):
            y = torch.empty(2, 3)
            torch.add(x, x, out=y)
            return {"y": y}

        self.assertEqual(Recording(body).of("MUTATE")[0]["MUTATE"], [2])

    def test_out_that_is_resized_is_a_call_with_a_new_result(self):
        def body(x, recorder):
            y = torch.empty(0)
            torch.add(x, x, out=y)
            return {"y": y}

        r = Recording(body)
        self.assertEqual(r.short()[-3:], ["add.out(x0,x0,x1) -> x2", "COPY_FROM x1 x2", "RELEASE x2"])
        self.assertEqual(r.replayed.final_bytes, 24 + 24)

    def test_resize_that_grows_makes_new_memory(self):
        def body(x, recorder):
            y = x + 1
            view = y[0]
            y.resize_(4, 3)
            return {"y": y, "view": view}

        r = Recording(body)
        self.assertIn("resize_(x1) -> x3", r.short())
        self.assertEqual(r.replayed.final_bytes, 24 + 48)
        self.assertEqual(r.replayed.peak_bytes, 24 + 24 + 48)

    def test_set_makes_the_name_mean_other_memory(self):
        def body(x, recorder):
            y, z = x + 1, x.new_empty(10)
            y.set_(z)
            return {"y": y, "z": z}

        r = Recording(body)
        self.assertIn("COPY_FROM x1 x3", r.short())
        self.assertEqual(r.replayed.final_bytes, 24 + 40)

    def test_assigning_data_is_noticed(self):
        def body(x, recorder):
            y = x + 1
            y.data = torch.zeros(10)
            return {"y": y, "z": y + 1}

        r = Recording(body)
        self.assertIn("COPY_FROM x1 x2", r.short())
        self.assertEqual(r.replayed.final_bytes, 24 + 40 + 40)

    def test_batch_norm_writes_its_running_statistics(self):
        def body(training):
            norm = torch.nn.BatchNorm1d(3).train(training)

            def run(x, recorder):
                for tensor in [*norm.parameters(), *norm.buffers()]:
                    recorder.constant(tensor)
                norm(x)
                return {"mean": norm.running_mean, "var": norm.running_var, "norm": norm.weight}

            return Recording(run)

        r = body(True)
        call = next(c for c in r.of("CALL") if c["NAME"] == "native_batch_norm")
        self.assertEqual(call["ARGS"], ["x0", "x1", "x2", "x3", "x4"])
        self.assertEqual(len(call["RESULT"]), 5)
        self.assertEqual(
            [(c["DST"], c["SRC"]) for c in r.of("COPY_FROM")], [("x3", call["RESULT"][3]), ("x4", call["RESULT"][4])]
        )
        self.assertEqual(r.replayed.final_bytes, 24 + 4 * 12 + 8 + 2 * 12 + 8)  # statistics and counter held twice
        call = next(c for c in body(False).of("CALL") if c["NAME"] == "native_batch_norm")
        self.assertEqual(len(call["RESULT"]), 3)


class Lifetimes(unittest.TestCase):
    def test_releases_come_in_order_of_death(self):
        def body(x, recorder):
            tensors = [x + 1 for _ in range(4)]
            for index in (2, 0, 3, 1):
                tensors[index] = None
            x + 1

        r = Recording(body)
        self.assertEqual(
            r.short(),
            [f"add.Tensor(x0) -> x{i}" for i in (1, 2, 3, 4)]
            + [f"RELEASE x{i}" for i in (3, 1, 4, 2)]
            + ["add.Tensor(x0) -> x5", "RELEASE x5"],
        )

    def test_the_last_name_lives_as_long_as_the_storage(self):
        def body(x, recorder):
            y = x + 1
            held = y.storage()
            del y
            x + 1
            lines = len(recorder.log.lines)
            self.assertNotIn("x1", [json.loads(l)["NAME"] for l in recorder.log.lines if "RELEASE" in l])
            del held
            x + 1
            self.assertIn("x1", [json.loads(l)["NAME"] for l in recorder.log.lines[lines:] if "RELEASE" in l])

        Recording(body)

    def test_another_handle_on_known_memory_is_a_copy_or_a_free_alias(self):
        def body(x, recorder):
            y = x + 1
            recorder.active = False  # make handles that no operator is seen to make
            same, row = y.detach(), y[0]
            recorder.active = True
            return {"a": same + 1, "b": row + 1, "y": y, "same": same, "row": row}

        r = Recording(body)
        self.assertEqual(
            r.short(),
            [
                "add.Tensor(x0) -> x1",
                "COPY x2 x1",
                "add.Tensor(x2) -> x3",
                "alias(x1) -> x4",
                "x4 on 0",
                "add.Tensor(x4) -> x5",
            ],
        )

    def test_tensors_saved_for_backward_live_until_then(self):
        def body(x, recorder):
            weight = torch.zeros(3, 3, requires_grad=True)
            recorder.constant(weight)
            loss = torch.sigmoid(x @ weight).tanh().sum()
            recorder.backward()
            loss.backward()
            return {"grad": weight.grad, "loss": loss, "weight": weight}

        r = Recording(body)
        self.assertEqual(r.replayed.final_bytes, 24 + 36 + 36 + 4)
        self.assertEqual(r.final_storage_bytes, r.replayed.final_bytes)
        self.assertEqual([line["ANNOTATION"] for line in r.of("ANNOTATE")], ["BACKWARD"])

    def test_an_operator_without_tensor_result_returns_8_bytes_for_a_moment(self):
        r = Recording(lambda x, _: x[0, 0].item() and None)
        self.assertEqual(r.short()[-3:-1], ["_local_scalar_dense(x2) -> x3", "RELEASE x3"])
        self.assertEqual(r.of("MEMORY")[-1]["MEMORY"], "8")
        self.assertEqual(r.replayed.peak_bytes, 32)

    def test_memory_first_seen_as_an_argument_is_a_constant(self):
        other = torch.zeros(5)
        r = Recording(lambda x, _: {"y": other + 1})
        self.assertEqual(r.short(), ["CONSTANT x1", "add.Tensor(x1) -> x2"])

    def test_two_constants_on_one_storage_count_once(self):
        def body(x, recorder):
            view = other[0]
            recorder.constant(other)
            recorder.constant(other)
            recorder.constant(view)
            return {"view": view}

        other = torch.zeros(2, 2)
        self.assertEqual(Recording(body).replayed.constant_bytes, 24 + 16)

    def test_profiler_operators_are_left_out(self):
        def body(x, recorder):
            with torch.profiler.record_function("region"):
                return {"y": x + 1}

        self.assertEqual(Recording(body).short(), ["add.Tensor(x0) -> x1"])

    def test_the_cycle_collector_is_off_while_recording_and_restored(self):
        self.assertTrue(gc.isenabled())
        Recording(lambda x, _: self.assertFalse(gc.isenabled()))
        self.assertTrue(gc.isenabled())


class SelfCheck(unittest.TestCase):
    def test_a_log_that_differs_from_the_storages_is_found(self):
        x = torch.zeros(2, 3)
        with Recorder() as recorder:
            recorder.constant(x)
            for _ in range(3):
                y = x + 1
                y.add_(1)
                del y
            recorder.finish()
            text = recorder.log.text()
            session.compare(recorder, text)
            for kind in (b"RELEASE", b"MUTATE"):  # one line left out
                lines = text.splitlines(keepends=True)
                lines.remove(next(line for line in lines if kind in line))
                with self.assertRaises(RecordError):
                    session.compare(recorder, b"".join(lines))

    def test_a_view_left_behind_by_a_write_is_found(self):
        x = torch.zeros(2, 3)
        with Recorder() as recorder:
            recorder.constant(x)
            y = x + 1
            view = y[0]  # noqa: F841
            y.add_(1)
            recorder.finish()
            text = recorder.log.text()
            session.compare(recorder, text)
            at = text.index(b'{"DST"')  # COPY_FROM of the view
            with self.assertRaises(RecordError):
                session.compare(recorder, text[:at] + text[text.index(b"\n", at) + 1 :])

    def test_sparse_tensors_are_refused_in_words(self):
        with self.assertRaisesRegex(RecordError, "layout"):
            Recording(lambda x, _: {"s": x.to_sparse()})

    def test_a_missing_meta_kernel_is_named(self):
        with self.assertRaisesRegex(RecordError, "nonzero"):
            Recording(lambda x, _: {"s": x.nonzero()}, device="meta")


if __name__ == "__main__":
    unittest.main(verbosity=1)
