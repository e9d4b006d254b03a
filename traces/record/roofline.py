# SPDX-License-Identifier: Apache-2.0
"""What an operator costs: launch + max(FLOP / peak rate, bytes / bandwidth), in whole ns, computed with integers.

A model and not a measurement, so that a recording does not depend on the machine it is made on. Each part is rounded
up to a ns. The defaults are those of a V100-class accelerator: 5 us, 14 TFLOP/s (FP32), 900 GB/s.
"""

import dataclasses

from .effects import tensors_in

# Read about as much as they return, however large the table that they look things up in.
_LOOKUPS = {
    "aten::embedding", "aten::index_select", "aten::gather", "aten::index", "aten::take",
    "aten::nll_loss_forward", "aten::nll_loss2d_forward",
}  # fmt: skip
# Overwrite their target without reading it.
_OVERWRITES = {"aten::zero_", "aten::fill_", "aten::copy_", "aten::normal_", "aten::uniform_", "aten::bernoulli_"}


@dataclasses.dataclass(frozen=True)
class Roofline:
    launch_ns: int = 5_000
    flop_per_s: int = 14 * 10**12
    bytes_per_s: int = 900 * 10**9

    def time(self, flop, moved):
        """ns for an operator of `flop` floating-point operations that moves `moved` bytes."""
        return self.launch_ns + max(_ceil(flop * 10**9, self.flop_per_s), _ceil(moved * 10**9, self.bytes_per_s))


def _ceil(a, b):
    return -(-a // b)


def _product(sizes):
    result = 1
    for size in sizes:
        result *= int(size)
    return result


def footprint(tensor):
    """Bytes that reading the tensor moves: a dimension of stride 0 (expand) is one element in memory."""
    return _product(n if s != 0 else min(n, 1) for n, s in zip(tensor.size(), tensor.stride())) * tensor.element_size()


def moved_bytes(func, arguments, outputs):
    """arguments: (tensor, written?) in order; outputs: new tensors. A tensor passed twice is read once."""
    read = written = 0
    seen = set()
    for tensor, is_written in arguments:
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        size = footprint(tensor)
        written += size if is_written else 0
        if not (is_written and func._schema.name in _OVERWRITES):
            read += size
    written += sum(footprint(tensor) for tensor in outputs)
    if func._schema.name in _LOOKUPS:
        read = min(read, written)
    return read + written


def _convolution(values, grad_output=None):
    """Multiply-adds times 2 of one pass: every weight element meets every position of the map it is applied to.

    For a transposed convolution that map is the input; for a plain one the output (here its gradient, or computed
    from the sizes by the caller).
    """
    weight = values["weight"]
    positions = values["input"] if values["transposed"] else grad_output
    # weight (out, in/groups, k...) or, transposed, (in, out/groups, k...): either way its element count times the
    # number of positions in one channel of one image, times images, is the number of multiply-adds.
    return 2 * _product(weight.size()) * int(positions.size(0)) * _product(positions.size()[2:])


def _matrix_product(a, b):
    """(..., m, k) x (..., k, n)"""
    return 2 * _product(a.size()) * int(b.size(-1))


def flop(func, values, outputs):
    """Floating-point operations; one per element of the largest tensor where nothing better is known."""
    name = func._schema.name.rstrip("_") if not func._schema.name.endswith("__") else func._schema.name
    if name in ("aten::convolution", "aten::convolution_overrideable"):
        bias = _product(outputs[0].size()) if values.get("bias") is not None else 0
        return _convolution(values, outputs[0]) + bias
    if name in ("aten::convolution_backward", "aten::convolution_backward_overrideable"):
        grad = values["grad_output"]
        mask = list(values["output_mask"])
        one = _convolution(values, grad)  # the gradients of input and weight each cost what the forward pass did
        bias = _product(grad.size()) if len(mask) > 2 and mask[2] else 0
        return one * (int(mask[0]) + int(mask[1])) + bias
    if name == "aten::mm":
        return _matrix_product(values["self"], values["mat2"])
    if name == "aten::bmm":
        return _matrix_product(values["self"], values["mat2"])
    if name == "aten::addmm":
        return _matrix_product(values["mat1"], values["mat2"]) + _product(outputs_or_self(outputs, values).size())
    if name in ("aten::baddbmm", "aten::addbmm"):
        return _matrix_product(values["batch1"], values["batch2"]) + _product(outputs_or_self(outputs, values).size())
    if name in ("aten::mv", "aten::addmv"):
        matrix = values["self"] if name == "aten::mv" else values["mat"]
        return 2 * _product(matrix.size())
    if name in ("aten::dot", "aten::vdot"):
        return 2 * _product(values["self"].size())
    sizes = [t.numel() for value in values.values() for t in tensors_in(value)] + [t.numel() for t in outputs]
    if func._schema.name in _LOOKUPS:
        sizes = [t.numel() for t in outputs]
    return max(sizes, default=0)


def outputs_or_self(outputs, values):
    """The result: a new tensor, or, in place, self."""
    return outputs[0] if outputs else values["self"]
