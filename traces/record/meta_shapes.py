# SPDX-License-Identifier: Apache-2.0
"""Output shapes of operators that have no kernel for the meta device in PyTorch 1.13.

Each function takes the bound arguments (name -> value) and returns what the operator returns, as meta tensors.
An operator that is missing here ends the recording with a message that names it.
"""

import torch

from . import RecordError
from .effects import bind, operator_name, tensors_in


def _like(tensor, *size):
    return torch.empty(size, dtype=tensor.dtype, device="meta")


def _convolution_backward(values):
    grad, source, weight = values["grad_output"], values["input"], values["weight"]
    wants_input, wants_weight, wants_bias = values["output_mask"]
    channels = weight.size(1) * values["groups"] if values["transposed"] else weight.size(0)
    return (
        torch.empty_like(source) if wants_input else None,
        torch.empty_like(weight) if wants_weight else None,
        _like(grad, channels) if wants_bias else None,
    )


def _embedding_dense_backward(values):
    grad = values["grad_output"]
    return _like(grad, values["num_weights"], grad.size(-1))


_SHAPES = {
    "aten::convolution_backward": _convolution_backward,
    "aten::embedding_dense_backward": _embedding_dense_backward,
}


def run(func, args, kwargs):
    """Executes the operator, on meta tensors without a kernel by its shapes alone."""
    tensors = tensors_in(list(args) + list(kwargs.values()))
    on_meta = any(t.device.type == "meta" for t in tensors)
    if on_meta and func._schema.name in _SHAPES:
        return _SHAPES[func._schema.name](bind(func, args, kwargs))
    try:
        return func(*args, **kwargs)
    except NotImplementedError:
        if not on_meta:
            raise
        raise RecordError(
            f"operator {operator_name(func)} has no kernel for the meta device in PyTorch {torch.__version__}: add its "
            "output shapes to meta_shapes.py, or record with --device cpu"
        ) from None
