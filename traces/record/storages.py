# SPDX-License-Identifier: Apache-2.0
"""Which memory exists: PyTorch's storages, told apart and found dead by weak references to the storages themselves.

A weak reference keeps the address of a StorageImpl from being used again, so the address identifies the storage for
as long as its record exists; records are numbered by creation and the address never reaches a result.

The meter counts live bytes from these storages alone. Two rules put it on the footing of a simrd replay, which knows
neither in-place writes nor the freeing of constants:
- a constant is pinned for good: its bytes stay, whatever becomes of its storage. Once written in place it holds its
  bytes twice: the pinned original and the copy that took its place.
- an in-place write makes a copy of the whole storage before the old one goes: while the operator runs, both count,
  and the old one goes on counting until the last name on it has been moved to the copy.
"""

import torch

from . import RecordError


class Storage:
    __slots__ = ("number", "address", "size", "pinned", "names", "expired")

    def __init__(self, number, address, size):
        self.number = number
        self.address = address
        self.size = size  # bytes
        self.pinned = False  # a constant that has not been written to yet
        self.names = []  # live log names (names.Name) on it, oldest first
        self.expired = False


def _untyped(tensor, operator):
    try:
        return tensor.storage()._storage
    except (RuntimeError, NotImplementedError, AttributeError):
        raise RecordError(
            f"{operator}: a tensor of layout {tensor.layout} has no storage of its own (sparse or wrapped tensors "
            "cannot be recorded); use dense tensors"
        ) from None


class Storages:
    def __init__(self):
        self._by_address = {}
        self._count = 0
        self.meter = Meter()

    def address_and_size(self, tensor, operator):
        storage = _untyped(tensor, operator)
        return storage._cdata, storage.nbytes()

    def find(self, tensor, operator):
        """The record of the tensor's storage, or None where it has never been seen."""
        return self._by_address.get(_untyped(tensor, operator)._cdata)

    def add(self, tensor, operator, pinned=False):
        storage = _untyped(tensor, operator)
        address = storage._weak_ref()  # holds the address until _free_weak_ref
        if address in self._by_address:
            raise RecordError(f"{operator}: storage recorded twice (a defect of the recorder)")
        record = Storage(self._count, address, storage.nbytes())
        record.pinned = pinned
        self._count += 1
        self._by_address[address] = record
        self.meter.live += record.size
        return record

    def reap(self):
        """Takes out the storages that have died since the last call and returns them, oldest first."""
        dead = [s for s in self._by_address.values() if torch.UntypedStorage._expired(s.address)]
        for storage in dead:
            storage.expired = True
            del self._by_address[storage.address]
            torch.UntypedStorage._free_weak_ref(storage.address)
            if not storage.pinned:
                self.meter.live -= storage.size
        return dead

    def memory(self):
        """Live log name -> number of the storage it lies on."""
        return {name.label: s.number for s in self._by_address.values() for name in s.names}

    def close(self):
        for storage in self._by_address.values():
            torch.UntypedStorage._free_weak_ref(storage.address)
        self._by_address.clear()


class Meter:
    """Bytes in use; see the module's text for what counts."""

    def __init__(self):
        self.live = 0
        self.peak = 0
        self.samples = []  # bytes in use while each recorded operator ran

    def operator(self, transient):
        """An operator ran; its new storages are in `live` already, `transient` bytes existed only meanwhile."""
        self.samples.append(self.live + transient)
        self.peak = max(self.peak, self.live + transient)

    def constant(self):
        self.peak = max(self.peak, self.live)

    def written(self, storage, new_size):
        """An in-place operator wrote to the storage, which afterwards has new_size bytes.

        Returns the bytes that a replay frees once every name has left the old storage.
        """
        old = storage.size
        storage.size = new_size
        if storage.pinned:
            storage.pinned = False
            self.live += new_size  # the pinned original stays beside the copy
            return 0
        self.live += new_size - old
        return old
