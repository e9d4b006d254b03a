# SPDX-License-Identifier: Apache-2.0
"""Replays a recording without a budget and checks its structure. Needs no PyTorch.

The rules are those of simrd's eager runtime when nothing has to be evicted: constants are pinned for good, a storage
goes when its last reference goes, MUTATE makes its copies before the old storages are released. Written from the
format alone and shares no code with the recorder, so that the two can be compared.
"""

import dataclasses
import gzip
import json
import zlib


class ReplayError(Exception):
    """A malformed log: file:line, the reason."""


@dataclasses.dataclass
class Replay:
    operators: int = 0  # CALL and MUTATE
    constants: int = 0
    tensors: int = 0
    total_cost_ns: int = 0
    constant_bytes: int = 0
    peak_bytes: int = 0
    final_bytes: int = 0
    mutations: int = 0
    aliases: int = 0
    samples: list = dataclasses.field(default_factory=list)  # (line of CALL or MUTATE, bytes in use while it ran)
    memory: dict = dataclasses.field(default_factory=dict)  # log name still held at the end -> number of its storage

    def summary(self):
        fields = dataclasses.asdict(self)
        del fields["samples"], fields["memory"]
        return fields


class _Storage:
    __slots__ = ("size", "references", "pinned")

    def __init__(self, size):
        self.size, self.references, self.pinned = size, 0, False


class _Tensor:
    __slots__ = ("name", "storage", "references")

    def __init__(self, name, storage):
        self.name, self.storage, self.references = name, storage, 1
        storage.references += 1


def read(path):
    """The text of a .log or .log.gz."""
    try:
        with open(path, "rb") as stream:
            data = stream.read()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, zlib.error) as error:
        raise ReplayError(f"{path}: cannot be read: {error}") from None


def replay(text, path="<log>"):
    return _Replayer(text, path).run()


class _Replayer:
    def __init__(self, text, path):
        self.path = path
        self.raw = text.splitlines()
        self.next = 0  # index of the next line
        self.names = {}
        self.tensor_names = set()
        self.released = set()
        self.use = 0
        self.result = Replay()

    def fail(self, reason):
        raise ReplayError(f"{self.path}:{self.next}: {reason}")

    def instruction(self):
        """The next instruction or None at the end; blank lines are skipped."""
        while self.next < len(self.raw):
            line = self.raw[self.next]
            self.next += 1
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
            except (ValueError, RecursionError):
                self.fail("not a JSON object")
            if not isinstance(fields, dict) or not isinstance(fields.get("INSTRUCTION"), str):
                self.fail("no INSTRUCTION")
            return fields
        return None

    def text(self, fields, key):
        if not isinstance(fields.get(key), str):
            self.fail(f"{key} is missing or not a string")
        return fields[key]

    def number(self, fields, key):
        value = fields.get(key)
        if isinstance(value, str):
            digits = value[1:] if value.startswith("-") else value
            if digits.isascii() and digits.isdigit() and len(digits) < 20:
                value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            return value
        self.fail(f"{key} is not a decimal number: {value!r}")

    def size(self, fields, key):
        value = self.number(fields, key)
        if value < 0:
            self.fail(f"{key} is negative: {value}")
        return value

    def list_of(self, fields, key, kind):
        value = fields.get(key)
        if not isinstance(value, list) or not all(isinstance(v, kind) and not isinstance(v, bool) for v in value):
            self.fail(f"{key} is not a list of {kind.__name__}")
        return value

    def known(self, name):
        if name not in self.names:
            self.fail(f"{name} is used but was never defined")
        return self.names[name]

    def detail(self, kind, name):
        """The MEMORY or ALIAS line that must follow."""
        fields = self.instruction()
        if fields is None or fields["INSTRUCTION"] != kind or fields.get("NAME") != name:
            self.fail(f"expected {kind} of {name}")
        return fields

    def define(self, name, tensor):
        if name in self.names:
            self.fail(f"{name} is defined twice")
        self.names[name] = tensor

    def create(self, name, size):
        if name in self.tensor_names:
            self.fail(f"a tensor named {name} exists already")
        self.tensor_names.add(name)
        return _Tensor(name, _Storage(size))

    def release(self, tensor):
        if tensor.references == 0:
            self.fail(f"tensor {tensor.name} is released more often than it was referenced")
        tensor.references -= 1
        storage = tensor.storage
        storage.references -= 1
        if storage.references == 0 and not storage.pinned:
            self.use -= storage.size

    def refer(self, tensor):
        if tensor.storage.references == 0 and not tensor.storage.pinned:
            self.fail(f"tensor {tensor.name} is used after its last release")
        tensor.references += 1
        tensor.storage.references += 1

    def use_arguments(self, fields):
        tensors = [self.known(name) for name in self.list_of(fields, "ARGS", str)]
        for tensor in tensors:
            if tensor.storage.references == 0 and not tensor.storage.pinned:
                self.fail(f"tensor {tensor.name} is an argument after its last release")
        return tensors

    def ran(self, line, fields):
        self.result.operators += 1
        self.result.total_cost_ns += self.size(fields, "TIME")
        self.result.peak_bytes = max(self.result.peak_bytes, self.use)
        self.result.samples.append((line, self.use))

    def constant(self, fields):
        name = self.text(fields, "NAME")
        size = self.size(self.detail("MEMORY", name), "MEMORY")
        tensor = self.create(name, size)
        self.define(name, tensor)
        tensor.storage.pinned = True
        self.use += size
        self.result.peak_bytes = max(self.result.peak_bytes, self.use)
        self.result.constants += 1
        self.result.tensors += 1
        self.result.constant_bytes += size

    def call(self, fields):
        line = self.next
        arguments = self.use_arguments(fields)
        results = self.list_of(fields, "RESULT", str)
        if not results:
            self.fail("empty RESULT")
        made = []
        for name in results:
            size = self.size(self.detail("MEMORY", name), "MEMORY")
            alias = self.number(self.detail("ALIAS", name), "ALIAS")
            if not -1 <= alias < len(arguments):
                self.fail(f"ALIAS {alias} is out of range: {len(arguments)} arguments")
            if alias < 0:
                made.append(self.create(name, size))
                self.use += size
            else:
                self.tensor_names.add(name)
                made.append(_Tensor(name, arguments[alias].storage))
                self.result.aliases += 1
        for name, tensor in zip(results, made):
            self.define(name, tensor)
        self.result.tensors += len(made)
        self.ran(line, fields)

    def mutate(self, fields):
        line = self.next
        arguments = self.use_arguments(fields)
        labels = fields["ARGS"]
        made = []
        for index in self.list_of(fields, "MUTATE", int):
            if not 0 <= index < len(arguments):
                self.fail(f"MUTATE {index} is out of range: {len(arguments)} arguments")
            made.append((labels[index], self.create(arguments[index].name + "$", arguments[index].storage.size)))
            self.use += made[-1][1].storage.size
        self.ran(line, fields)
        for label, tensor in made:
            old = self.names[label]
            self.names[label] = tensor
            self.release(old)
        self.result.tensors += len(made)
        self.result.mutations += 1

    def run(self):
        fields = self.instruction()
        while fields is not None and (fields["INSTRUCTION"], fields.get("ANNOTATION")) != ("ANNOTATE", "START"):
            fields = self.instruction()
        if fields is None:
            self.fail("no ANNOTATE START")
        while (fields := self.instruction()) is not None:
            kind = fields["INSTRUCTION"]
            if kind == "CONSTANT":
                self.constant(fields)
            elif kind == "CALL":
                self.call(fields)
            elif kind == "MUTATE":
                self.mutate(fields)
            elif kind == "COPY":
                source = self.known(self.text(fields, "SRC"))
                self.refer(source)
                self.define(self.text(fields, "DST"), source)
            elif kind == "COPY_FROM":
                destination = self.text(fields, "DST")
                old, source = self.known(destination), self.known(self.text(fields, "SRC"))
                self.release(old)
                self.refer(source)
                self.names[destination] = source
            elif kind == "RELEASE":
                name = self.text(fields, "NAME")
                if name in self.names:
                    self.release(self.names[name])
                    self.released.add(name)
            elif kind != "ANNOTATE":
                self.fail(f"unknown INSTRUCTION {kind!r}")
        self.result.final_bytes = self.use
        numbers = {}
        for name, tensor in self.names.items():
            if name not in self.released:
                self.result.memory[name] = numbers.setdefault(id(tensor.storage), len(numbers))
        return self.result
