# SPDX-License-Identifier: Apache-2.0
"""Watches every operator that PyTorch runs below autograd and writes it down in the simrd log format.

Per operator:
1. names of tensors that died since the last operator are released, in order of death;
2. arguments that have no name get one: memory never seen before existed before the recording (CONSTANT); another
   handle on known memory is a COPY of the name with the same geometry, else a free operator `alias`;
3. the operator runs; its results are sorted by the storages they lie on, its writes by its schema (effects.py).

Results.  New storage: ALIAS -1. Storage of an argument: ALIAS k, cost 0 if nothing else is made or written. The
format has no word for two results on one new storage: the first one is the result, each other a free operator `alias`
of it that follows. A result on known memory that was not passed to the operator proves that the operator can reach it:
that memory's oldest name becomes one more argument, at the end, and the result an ALIAS of it. A result that is itself
an argument is no new tensor. No tensor result and no write: one result of 8 bytes, released at once.

Writes.  A replay is copy-on-write: MUTATE makes a new storage of the whole old storage's size, and all other names on
the old storage would go on meaning the memory before the write. So they are all moved: MUTATE names one argument per
written storage (an argument written twice, or through two views, is one storage), and then every other live name on
it, base or view, is made a name for the new contents: by COPY_FROM if it has the same geometry as the written one,
else by COPY_FROM of a free operator `alias` of it. Nothing keeps the old storage then, unless it is a constant.
An operator that writes and also returns new memory (batch normalisation and its running statistics), or whose
argument changes its size (resize), does not fit MUTATE: it is a CALL with one more result for each written storage,
from which all names on that storage are moved by COPY_FROM.

In-place changes of a tensor's shape or storage (t_, squeeze_, set_) write no memory: an ALIAS result that takes over
the tensor's name. Assignments to tensor.data, which run no operator, are found when the tensor is used next.

Not seen: memory that an operator allocates and frees inside itself, and writes that neither schema nor effects.py know.
Random operators are recorded like any other, as if a replay would draw the same numbers.
"""

import gc

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import RecordError, effects, meta_shapes, names, roofline
from .log import Log
from .storages import Storages

_NO_RESULT_BYTES = 8  # what an operator without tensor result returns: one number, as .item() does


class Recorder(TorchDispatchMode):
    """Use: `with Recorder() as r: r.constant(..); r.start(); ...; r.backward(); ...; r.finish()`."""

    def __init__(self, cost=None):
        super().__init__()
        self.cost = cost if cost is not None else roofline.Roofline()
        self.log = Log()
        self.names = names.Names()
        self.storages = Storages()
        self.active = True
        self.log.annotate("START")
        # Reference counts alone decide when a tensor dies; the cycle collector would do so at times of its own.
        gc.collect()
        self._collector_was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception):
        super().__exit__(*exception)
        self.close()

    def close(self):
        if self.active:
            self.active = False
            self.names.close()
            self.storages.close()
            if self._collector_was_on:
                gc.enable()

    # --- what the caller says

    def constant(self, tensor):
        """A parameter, buffer or input: there before the recording and never freed."""
        self._settle()
        self._name(tensor, "constant")

    def backward(self):
        self._settle()
        self.log.annotate("BACKWARD")

    def finish(self):
        """Writes down what died since the last operator. What is alive now is the result of the recording."""
        self._settle()

    @property
    def peak_bytes(self):
        return self.storages.meter.peak

    def samples(self):
        """(line of a CALL or MUTATE, bytes in use while it ran): the recorder's own count, from storages alone."""
        return list(zip(self.log.call_lines, self.storages.meter.samples))

    # --- operators

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not self.active or effects.is_profiler_only(func):
            return func(*args, **kwargs)
        self._settle()
        values = effects.bind(func, args, kwargs)
        arguments = effects.tensor_arguments(func, values)
        operator = effects.operator_name(func)
        arg_names = [self._name(tensor, operator) for tensor, _ in arguments]
        result = meta_shapes.run(func, args, kwargs)
        new_tensors = self._new_tensors(result)
        if effects.changes_metadata_only(func):
            self._record_metadata_change(operator, arguments, arg_names, new_tensors)
        else:
            returned = bool(effects.tensors_in(result))
            self._record(func, operator, values, arguments, arg_names, new_tensors, returned)
        return result

    def _new_tensors(self, result):
        """Results that are not one of the tensors known already (in-place operators return their argument)."""
        new = []
        for tensor in effects.tensors_in(result):
            if self.names.of(tensor) is None and not any(tensor is other for other in new):
                new.append(tensor)
        return new

    def _record(self, func, operator, values, arguments, arg_names, new_tensors, returned):
        written = {}  # storage -> index of the first argument that is written and lies on it
        for index, ((_, is_written), name) in enumerate(zip(arguments, arg_names)):
            if is_written:
                written.setdefault(name.storage, index)
        sizes = {}
        for storage, index in written.items():
            address, size = self.storages.address_and_size(arguments[index][0], operator)
            if address != storage.address:
                raise RecordError(f"{operator}: replaced the storage of an argument; only set_ may do that")
            sizes[storage] = size
        resized = any(size != storage.size for storage, size in sizes.items())

        fresh, shared = [], []  # tensors with a storage of their own; (tensor, storage that it shares)
        for tensor in new_tensors:
            storage = self.storages.find(tensor, operator)
            if storage is None:
                self.storages.add(tensor, operator)
                fresh.append(tensor)
            else:
                shared.append((tensor, storage))

        if not new_tensors and not written:
            if not returned:  # otherwise it only handed an argument back: no new tensor, no memory
                self._record_without_result(func, operator, values, arguments, arg_names)
            return

        free = not fresh and not written
        moved = roofline.moved_bytes(func, arguments, fresh)
        time = 0 if free else self.cost.time(roofline.flop(func, values, fresh), moved)
        args = [name.label for name in arg_names]
        copies = sum(sizes.values())

        if written and not fresh and not resized:
            indices = list(written.values())
            self.log.mutate(operator, args, indices, time)
            self.storages.meter.operator(copies)
            moves = []
            for storage, index in written.items():
                arg_names[index].value = self.names.value()
                arg_names[index].geometry = names.geometry(arguments[index][0])
                moves.append((arg_names[index], self.storages.meter.written(storage, sizes[storage])))
            self._move_others(moves)
            self._record_aliases(shared)
            return

        results, siblings = [], []
        for tensor in fresh:
            storage = self.storages.find(tensor, operator)
            name = self.names.add(tensor, storage)
            results.append((name.label, storage.size, -1))
        later = []
        for tensor, storage in shared:
            if storage in written:
                later.append((tensor, storage))  # sees the memory after the write
                continue
            if any(storage is self.storages.find(other, operator) for other in fresh):
                siblings.append((tensor, storage))
                continue
            index = next((i for i, n in enumerate(arg_names) if n.storage is storage), None)
            if index is None:
                index = len(args)
                arg_names.append(self._oldest(storage, operator))
                args.append(arg_names[index].label)
            name = self.names.add(tensor, storage)
            results.append((name.label, storage.size, index))
        temporaries = []
        for storage in written:
            label = self.names.label()
            temporaries.append((storage, label))
            results.append((label, sizes[storage], -1))
        self.log.call(operator, args, results, time)
        self.storages.meter.operator(copies)
        moves = []
        for storage, label in temporaries:
            first = arg_names[written[storage]]
            self._take_over(first, label, arguments[written[storage]][0])
            moves.append((first, self.storages.meter.written(storage, sizes[storage])))
        self._move_others(moves)
        self._record_aliases(siblings + later)

    def _record_without_result(self, func, operator, values, arguments, arg_names):
        moved = roofline.moved_bytes(func, arguments, []) + _NO_RESULT_BYTES
        label = self.names.label()
        time = self.cost.time(roofline.flop(func, values, []), moved)
        self.log.call(operator, [n.label for n in arg_names], [(label, _NO_RESULT_BYTES, -1)], time)
        self.storages.meter.operator(_NO_RESULT_BYTES)
        self.log.release(label)

    def _record_metadata_change(self, operator, arguments, arg_names, new_tensors):
        """The written argument may now have another shape, lie on another argument's storage or have a larger one."""
        if new_tensors:
            raise RecordError(f"{operator}: returned new tensors besides changing its argument; not supported")
        for (tensor, is_written), name in zip(arguments, arg_names):
            if not is_written:
                continue
            old = name.storage
            storage = self.storages.find(tensor, operator)
            label = self.names.label()
            args = [n.label for n in arg_names]
            if storage is old and self.storages.address_and_size(tensor, operator)[1] != old.size:
                # Grown: new memory, old contents copied.
                size = self.storages.address_and_size(tensor, operator)[1]
                self.log.call(operator, args, [(label, size, -1)], self.cost.time(0, old.size + size))
                self.storages.meter.operator(size)
                self._take_over(name, label, tensor)
                self._move_others([(name, self.storages.meter.written(old, size))])
                continue
            if storage is None:
                storage = self.storages.add(tensor, operator)
                self.log.call(operator, args, [(label, storage.size, -1)], self.cost.time(0, 0))
            else:
                index = next((i for i, n in enumerate(arg_names) if n.storage is storage), None)
                if index is None:
                    index = len(args)
                    args.append(self._oldest(storage, operator).label)
                self.log.call(operator, args, [(label, storage.size, index)], 0)
            self.storages.meter.operator(0)
            old.names.remove(name)
            storage.names.append(name)
            name.storage = storage
            self._take_over(name, label, tensor)

    def _take_over(self, name, label, tensor):
        """The name now means what the temporary log name means, which ends here."""
        self.log.copy_from(name.label, label)
        self.log.release(label)
        name.value = self.names.value()
        name.geometry = names.geometry(tensor)

    # --- names

    def _settle(self):
        for storage in self.storages.reap():
            # A live tensor whose storage is gone was given another one (tensor.data = other).
            for name in storage.names[:]:
                tensor = name.tensor
                if tensor is not None:
                    self._name(tensor, "tensor.data")
        self.names.release_dead(lambda name: self.log.release(name.label))

    def _name(self, tensor, operator):
        """The name of a tensor that is about to be used; writes lines for one that has none yet."""
        name = self.names.of(tensor)
        storage = self.storages.find(tensor, operator)
        if name is not None and name.storage is storage and name.geometry == names.geometry(tensor):
            return name
        if name is not None:
            self._rebind(name, tensor, storage, operator)
            return name
        if storage is None:
            return self._constant(tensor, operator)
        adopted = self.names.adopt(tensor, storage)
        return adopted if adopted is not None else self._another(tensor, storage, operator)

    @staticmethod
    def _oldest(storage, operator):
        if not storage.names:
            raise RecordError(f"{operator}: uses memory whose every known tensor was given other memory since")
        return storage.names[0]

    def _constant(self, tensor, operator):
        storage = self.storages.add(tensor, operator, pinned=True)
        name = self.names.add(tensor, storage)
        self.log.constant(name.label, storage.size)
        self.storages.meter.constant()
        return name

    def _another(self, tensor, storage, operator):
        """A further name for known memory: COPY where a name of the same geometry exists, else a free operator."""
        geometry = names.geometry(tensor)
        same = next((n for n in storage.names if n.geometry == geometry), None)
        source = same if same is not None else self._oldest(storage, operator)
        name = self.names.add(tensor, storage, same.value if same is not None else None)
        if same is not None:
            self.log.copy(name.label, source.label)
        else:
            self._alias(name.label, source)
        return name

    def _alias(self, label, source, transient=0):
        self.log.call("alias", [source.label], [(label, source.storage.size, 0)], 0)
        self.storages.meter.operator(transient)

    def _record_aliases(self, tensors):
        for tensor, storage in tensors:
            name = self.names.add(tensor, storage)
            self._alias(name.label, next(n for n in storage.names if n is not name))

    def _rebind(self, name, tensor, storage, operator):
        """The tensor was given other memory or another shape without an operator (tensor.data = other)."""
        if storage is None:
            storage = self.storages.add(tensor, operator, pinned=True)
            label = self.names.label()
            self.log.constant(label, storage.size)
            self.storages.meter.constant()
            self._take_over(name, label, tensor)
        else:
            geometry = names.geometry(tensor)
            same = next((n for n in storage.names if n is not name and n.geometry == geometry), None)
            if same is not None:
                self.log.copy_from(name.label, same.label)
                name.value, name.geometry = same.value, geometry
            else:
                label = self.names.label()
                self._alias(label, self._oldest(storage, operator))
                self._take_over(name, label, tensor)
        name.storage.names.remove(name)
        storage.names.append(name)
        name.storage = storage

    def _move_others(self, moves):
        """After a write: all other names on each written storage follow the first one to the new contents.

        moves: (name that means the new contents, bytes of the old storage that go once no name means it).
        """
        moves = [(new, size) for new, size in moves if len(new.storage.names) > 1]
        waiting = sum(size for _, size in moves)
        for new, size in moves:
            for name in new.storage.names:
                if name is new:
                    continue
                if name.geometry == new.geometry:
                    self.log.copy_from(name.label, new.label)
                    name.value = new.value
                else:
                    label = self.names.label()
                    self._alias(label, new, waiting)
                    self.log.copy_from(name.label, label)
                    self.log.release(label)
                    name.value = self.names.value()
            waiting -= size
