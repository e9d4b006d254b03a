# SPDX-License-Identifier: Apache-2.0
"""Records one training step, forward and backward, and checks the result.

Whatever is recorded is checked at once: the log is replayed without a budget (replay.py), and the bytes in use while
each operator ran must be those that the recorder counted from the storages themselves (storages.Meter), for every
operator and at the peak; and at the end two log names must share a storage exactly if their tensors do.
"""

from . import RecordError
from .recorder import Recorder
from .replay import replay


def record(workload, cost):
    """The text of the log and its replay.Replay. Gradients, loss and everything the model holds stay live."""
    with Recorder(cost) as recorder:
        for tensor in workload.constants():
            recorder.constant(tensor)
        loss = workload.loss()
        recorder.backward()
        loss.backward()
        recorder.finish()
        text = recorder.log.text()
        return text, compare(recorder, text)


def compare(recorder, text):
    """The log's replay, having found it equal to the recorder's own count."""
    replayed = replay(text)
    for ours, theirs in zip(recorder.samples(), replayed.samples):
        if ours != theirs:
            line = text.decode().splitlines()[ours[0] - 1]
            raise RecordError(
                f"self-check: at line {ours[0]} the storages held {ours[1]} bytes, the replay {theirs[1]}: {line}"
            )
    if len(recorder.samples()) != len(replayed.samples) or recorder.peak_bytes != replayed.peak_bytes:
        raise RecordError(
            f"self-check: peak {recorder.peak_bytes} bytes over {len(recorder.samples())} operators from the storages, "
            f"{replayed.peak_bytes} over {len(replayed.samples)} in the replay"
        )
    ours, theirs = recorder.storages.memory(), replayed.memory
    if ours.keys() != theirs.keys():
        raise RecordError(f"self-check: live at the end on one side only: {sorted(ours.keys() ^ theirs.keys())}")
    pairs = {(ours[name], theirs[name]) for name in ours}
    if not len(pairs) == len(set(ours.values())) == len(set(theirs.values())):
        raise RecordError("self-check: tensors that share a storage do not share one in the replay, or the reverse")
    return replayed
