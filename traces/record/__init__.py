# SPDX-License-Identifier: Apache-2.0
"""Records forward and backward of a PyTorch model as a simrd log.

    python3 -m traces.record --help        (from the project's root folder)

One subject a file: `recorder` watches the operators, `names` and `storages` say which tensor and which memory an
operator touched, `effects` what it writes, `roofline` what it costs, `meta_shapes` fills in kernels that the meta
device lacks, `log` writes the lines, `replay` reads them again and checks them, `models/` holds what is recorded.
"""


class RecordError(Exception):
    """Something that cannot be recorded faithfully; the message says what and what to do."""
