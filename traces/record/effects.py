# SPDX-License-Identifier: Apache-2.0
"""What an operator takes and writes. Storages show what an operator returns, but not what it wrote to: that is in the
operator's schema, and for a few operators not even there."""

import sys

import torch
from torch.autograd.profiler import record_function

# Arguments written to although the schema does not say so (PyTorch 1.13), and the flag argument that switches it on.
_WRITES_OUTSIDE_SCHEMA = {
    "aten::native_batch_norm": (("running_mean", "running_var"), "training"),
    "aten::cudnn_batch_norm": (("running_mean", "running_var"), "training"),
    "aten::miopen_batch_norm": (("running_mean", "running_var"), "training"),
    "aten::batch_norm_update_stats": (("running_mean", "running_var"), None),
    "aten::batch_norm_gather_stats": (("running_mean", "running_var"), None),
    "aten::batch_norm_gather_stats_with_counts": (("running_mean", "running_var"), None),
    "aten::rrelu_with_noise": (("noise",), "training"),
    "aten::rrelu_with_noise_": (("noise",), "training"),
}

# Change what a tensor is (size, strides, storage), not what its memory holds; besides the operators tagged so.
_METADATA_ONLY = {"aten::set_", "aten::detach_"}

# Python frames between the code that calls an operator and is_profiler_only: the recorder's and PyTorch's dispatch.
_FRAMES_TO_CALLER = 4


def is_profiler_only(func):
    """The profiler's own operators, and the placeholder tensor that torch.profiler.record_function makes for itself."""
    if func._schema.name.startswith("profiler::"):
        return True
    if func._schema.name != "aten::zeros":
        return False
    frame = sys._getframe(1)
    for _ in range(_FRAMES_TO_CALLER):
        if frame is None:
            return False
        if frame.f_code is record_function.__init__.__code__:
            return True
        frame = frame.f_back
    return False


def changes_metadata_only(func):
    return torch.Tag.inplace_view in func.tags or func._schema.name in _METADATA_ONLY


def operator_name(func):
    """As in the public logs: without the namespace aten, with the overload if it has a name."""
    name = func._schema.name
    name = name[len("aten::") :] if name.startswith("aten::") else name
    return f"{name}.{func._schema.overload_name}" if func._schema.overload_name else name


def bind(func, args, kwargs):
    """Argument name -> value, in the order of the schema, arguments left out with their defaults."""
    values = {}
    for position, argument in enumerate(func._schema.arguments):
        if position < len(args):
            values[argument.name] = args[position]
        elif argument.name in kwargs:
            values[argument.name] = kwargs[argument.name]
        elif argument.has_default_value():
            values[argument.name] = argument.default_value
    return values


def tensors_in(value):
    """The tensors in an argument or result: itself, or the elements of (nested) lists; None and numbers left out."""
    found, open_values = [], [value]
    while open_values:
        item = open_values.pop()
        if isinstance(item, torch.Tensor):
            found.append(item)
        elif isinstance(item, (list, tuple)):
            open_values.extend(reversed(item))
    return found


def tensor_arguments(func, values):
    """(tensor, written?) for every tensor argument in order, repeated ones included."""
    hidden, flag = _WRITES_OUTSIDE_SCHEMA.get(func._schema.name, ((), None))
    if flag is not None and not values.get(flag):
        hidden = ()
    result = []
    for argument in func._schema.arguments:
        info = argument.alias_info
        written = (info is not None and info.is_write) or argument.name in hidden
        result += [(tensor, written) for tensor in tensors_in(values.get(argument.name))]
    return result
