# SPDX-License-Identifier: Apache-2.0
"""Costs against counts made another way: multiply-adds of convolutions one by one, times worked out by hand."""

import itertools
import unittest

import torch_or_skip

torch = torch_or_skip.require()

from traces.record import effects, meta_shapes, roofline  # noqa: E402

aten = torch.ops.aten


def flop_of(func, *args):
    return roofline.flop(func, effects.bind(func, args, {}), effects.tensors_in(func(*args)))


def multiply_adds(positions, channels, kernel, images):
    """Of a convolution: at each of the positions, for each pair of channels in a group, each element of the kernel."""
    count = 0
    for _ in itertools.product(range(images), *map(range, positions), range(channels[0]), range(channels[1])):
        count += len(list(itertools.product(*map(range, kernel))))
    return count


class Flop(unittest.TestCase):
    def test_convolution(self):
        x, w = torch.zeros(2, 4, 7, 6), torch.zeros(6, 2, 3, 2)  # 2 groups
        args = (x, w, None, [2, 1], [1, 0], [1, 1], False, [0, 0], 2)
        out = aten.convolution.default(*args)
        self.assertEqual(list(out.size()), [2, 6, 4, 5])
        macs = multiply_adds((4, 5), (6, 2), (3, 2), 2)
        self.assertEqual(flop_of(aten.convolution.default, *args), 2 * macs)
        with_bias = (x, w, torch.zeros(6), *args[3:])
        self.assertEqual(flop_of(aten.convolution.default, *with_bias), 2 * macs + out.numel())

    def test_transposed_convolution(self):
        x, w = torch.zeros(2, 4, 3, 3), torch.zeros(4, 5, 2, 2)
        args = (x, w, None, [2, 2], [0, 0], [1, 1], True, [0, 0], 1)
        self.assertEqual(flop_of(aten.convolution.default, *args), 2 * multiply_adds((3, 3), (4, 5), (2, 2), 2))

    def test_convolution_backward_costs_a_forward_pass_for_each_gradient(self):
        x, w = torch.zeros(2, 3, 5, 5), torch.zeros(4, 3, 3, 3)
        rest = ([1, 1], [1, 1], [1, 1], False, [0, 0], 1)
        out = aten.convolution.default(x, w, None, *rest)
        forward = flop_of(aten.convolution.default, x, w, None, *rest)
        for mask in itertools.product([False, True], repeat=3):
            if any(mask):
                count = flop_of(aten.convolution_backward.default, out, x, w, [4], *rest, list(mask))
                self.assertEqual(count, forward * (mask[0] + mask[1]) + mask[2] * out.numel())

    def test_matrix_products(self):
        a, b = torch.zeros(2, 3), torch.zeros(3, 4)
        self.assertEqual(flop_of(aten.mm.default, a, b), 2 * 2 * 3 * 4)
        self.assertEqual(flop_of(aten.addmm.default, torch.zeros(4), a, b), 2 * 2 * 3 * 4 + 2 * 4)
        c, d = torch.zeros(5, 2, 3), torch.zeros(5, 3, 4)
        self.assertEqual(flop_of(aten.bmm.default, c, d), 5 * 2 * 2 * 3 * 4)
        self.assertEqual(flop_of(aten.baddbmm.default, torch.zeros(5, 2, 4), c, d), 5 * (2 * 2 * 3 * 4 + 2 * 4))
        self.assertEqual(flop_of(aten.mv.default, a, torch.zeros(3)), 2 * 2 * 3)
        self.assertEqual(flop_of(aten.dot.default, torch.zeros(3), torch.zeros(3)), 6)
        self.assertEqual(flop_of(aten.addmm_.default, torch.zeros(2, 4), a, b), 2 * 2 * 3 * 4 + 2 * 4)

    def test_other_operators_take_one_an_element(self):
        self.assertEqual(flop_of(aten.sum.default, torch.zeros(7, 8)), 56)
        self.assertEqual(flop_of(aten.relu.default, torch.zeros(7, 8)), 56)


class Bytes(unittest.TestCase):
    def moved(self, func, *args):
        arguments = effects.tensor_arguments(func, effects.bind(func, args, {}))
        known = [t for t, _ in arguments]
        new = [t for t in effects.tensors_in(func(*args)) if not any(t is k for k in known)]
        return roofline.moved_bytes(func, arguments, new)

    def test_reads_and_writes(self):
        x = torch.zeros(10, 10)
        self.assertEqual(self.moved(aten.relu.default, x), 800)
        self.assertEqual(self.moved(aten.add.Tensor, x, x.clone()), 1200)
        self.assertEqual(self.moved(aten.add.Tensor, x, x), 800)  # one tensor, read once
        self.assertEqual(self.moved(aten.add.Tensor, x, torch.zeros(1).expand(10, 10)), 804)
        self.assertEqual(self.moved(aten.add_.Tensor, x, x.clone()), 1200)
        self.assertEqual(self.moved(aten.zero_.default, x), 400)

    def test_a_lookup_does_not_read_the_whole_table(self):
        table, index = torch.zeros(1000, 4), torch.zeros(3, dtype=torch.long)
        self.assertEqual(self.moved(aten.embedding.default, table, index), 2 * 48)


class Time(unittest.TestCase):
    def test_launch_plus_the_slower_of_the_two(self):
        cost = roofline.Roofline()
        self.assertEqual(cost.time(0, 0), 5_000)
        self.assertEqual(cost.time(14_000, 0), 5_001)
        self.assertEqual(cost.time(14_001, 0), 5_002)  # a part of a ns counts as one
        self.assertEqual(cost.time(14_000, 9_000), 5_010)
        self.assertEqual(cost.time(2 * 14 * 10**12, 900 * 10**9), 2_000_005_000)
        self.assertEqual(roofline.Roofline(0, 10**12, 10**9).time(500, 7), 7)


class MetaShapes(unittest.TestCase):
    def check(self, func, *args):
        """The shapes that meta_shapes gives are those of the real kernel; what is masked out is None."""
        real = func(*args)
        meta = meta_shapes.run(func, tuple(a.to("meta") if isinstance(a, torch.Tensor) else a for a in args), {})
        if isinstance(real, torch.Tensor):
            real, meta = (real,), (meta,)
        mask = args[-1] if isinstance(args[-1], list) else [True]
        for wanted, a, b in zip(mask, real, meta):  # some real kernels return what they were not asked for
            self.assertEqual(wanted, b is not None)
            if wanted:
                self.assertEqual((a.size(), a.dtype, "meta"), (b.size(), b.dtype, b.device.type))

    def test_convolution_backward(self):
        for transposed in (False, True):
            x = torch.zeros(2, 4, 5, 5)
            w = torch.zeros(4, 3, 3, 3) if transposed else torch.zeros(6, 2, 3, 3)
            groups = 1 if transposed else 2
            rest = ([1, 1], [1, 1], [1, 1], transposed, [0, 0], groups)
            out = aten.convolution.default(x, w, None, *rest)
            for mask in ([True, True, True], [False, True, False], [True, False, True]):
                self.check(aten.convolution_backward.default, out, x, w, [out.size(1)], *rest, mask)

    def test_embedding_backward(self):
        grad, index = torch.zeros(3, 2, 4), torch.zeros(3, 2, dtype=torch.long)
        self.check(aten.embedding_dense_backward.default, grad, index, 11, -1, False)


if __name__ == "__main__":
    unittest.main(verbosity=1)
