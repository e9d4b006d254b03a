# SPDX-License-Identifier: Apache-2.0
"""What can be recorded. A model is one file with `SUMMARY`, `add_options(parser)` and `build(options) -> Workload`,
and one line here."""

from . import lstm, resnet32

MODELS = {
    "cifar-resnet32": resnet32,
    "lstm": lstm,
}
