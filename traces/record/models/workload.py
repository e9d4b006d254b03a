# SPDX-License-Identifier: Apache-2.0
"""What a model file hands to the recorder."""

import dataclasses
import typing

import torch


@dataclasses.dataclass
class Workload:
    module: torch.nn.Module
    inputs: list  # tensors that exist before the step
    loss: typing.Callable[[], torch.Tensor]  # the forward pass

    def constants(self):
        """Parameters, buffers and inputs, each once, in a fixed order."""
        return [*self.module.parameters(), *self.module.buffers(), *self.inputs]
