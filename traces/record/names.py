# SPDX-License-Identifier: Apache-2.0
"""Log names: one for each tensor that reached an operator, x0, x1, ... in order of first sight.

A name dies with its tensor (a weak reference says so). PyTorch keeps the Python object of a tensor alive while C++
still holds the tensor, so a tensor saved for the backward pass keeps its name.
"""

import weakref


class Name:
    __slots__ = ("label", "storage", "geometry", "value", "reference")

    def __init__(self, label, storage, geometry, value):
        self.label = label
        self.storage = storage
        self.geometry = geometry
        self.value = value  # number of the log's tensor that the name stands for; names of one tensor share it
        self.reference = None  # weak; None: the Python object died (see Names.release_dead)

    @property
    def tensor(self):
        return self.reference() if self.reference is not None else None


def geometry(tensor):
    """What tells two tensors on one storage apart."""
    return (tensor.dtype, tensor.storage_offset(), tuple(tensor.size()), tuple(tensor.stride()))


class Names:
    def __init__(self):
        self._by_object = {}  # id of a live tensor object -> Name
        self._dead = []  # names whose object died, in order of death
        self._orphans = []  # last names on storages that outlived the tensor object
        self._labels = 0
        self._values = 0

    def label(self):
        self._labels += 1
        return f"x{self._labels - 1}"

    def value(self):
        self._values += 1
        return self._values - 1

    def of(self, tensor):
        return self._by_object.get(id(tensor))

    def add(self, tensor, storage, value=None):
        """Gives the tensor a name; a value of None stands for a log tensor of its own."""
        name = Name(self.label(), storage, geometry(tensor), self.value() if value is None else value)
        storage.names.append(name)
        self._attach(name, tensor)
        return name

    def adopt(self, tensor, storage):
        """The name left behind by a tensor object of the same geometry on the storage, now this tensor's; or None."""
        for name in self._orphans:
            if name.storage is storage and name.geometry == geometry(tensor):
                self._orphans.remove(name)
                self._attach(name, tensor)
                return name
        return None

    def _attach(self, name, tensor):
        key = id(tensor)

        def died(_, name=name, key=key, table=self._by_object, dead=self._dead):
            # The id may be used again at once, so the entry goes now; the log line waits for the next operator.
            del table[key]
            name.reference = None
            dead.append(name)

        name.reference = weakref.ref(tensor, died)
        self._by_object[key] = name

    def release_dead(self, release):
        """Calls release(name) for every name that ended since the last call: in order of death, then orphans by age.

        A tensor can live on where Python does not see it (C++ code that made its own handle on the storage). So the
        last name on a storage ends only with the storage: until then it is an orphan, whose place another tensor
        object may take.
        """
        for name in self._dead[:]:
            if name.storage.expired or len(name.storage.names) > 1:
                self._end(name, release)
            else:
                self._orphans.append(name)
        self._dead.clear()
        for name in self._orphans[:]:
            if name.storage.expired or len(name.storage.names) > 1:
                self._orphans.remove(name)
                self._end(name, release)

    @staticmethod
    def _end(name, release):
        name.storage.names.remove(name)
        release(name)

    def close(self):
        """Drops the weak references, so that nothing is recorded any more."""
        for name in list(self._by_object.values()):
            name.reference = None
        self._by_object.clear()
        self._dead.clear()
