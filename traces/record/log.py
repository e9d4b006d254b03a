# SPDX-License-Identifier: Apache-2.0
"""The simrd log: one JSON object a line, keys sorted, numbers as decimal strings (MUTATE: integers)."""

import gzip
import io
import json


class Log:
    """Collects the lines of one recording."""

    def __init__(self):
        self.lines = []
        self.call_lines = []  # line number (from 1) of every CALL and MUTATE, in order

    def _add(self, **fields):
        self.lines.append(json.dumps(fields, sort_keys=True, separators=(",", ":")))

    def annotate(self, text):
        self._add(INSTRUCTION="ANNOTATE", ANNOTATION=text)

    def constant(self, name, size):
        self._add(INSTRUCTION="CONSTANT", NAME=name)
        self._add(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size))

    def call(self, operator, args, results, time):
        """results: (name, storage bytes, index of the argument whose storage it shares or -1); time in ns."""
        self._add(INSTRUCTION="CALL", NAME=operator, ARGS=args, RESULT=[r[0] for r in results], TIME=str(time))
        self.call_lines.append(len(self.lines))
        for name, size, alias in results:
            self._add(INSTRUCTION="MEMORY", NAME=name, MEMORY=str(size))
            self._add(INSTRUCTION="ALIAS", NAME=name, ALIAS=str(alias))

    def mutate(self, operator, args, indices, time):
        self._add(INSTRUCTION="MUTATE", NAME=operator, ARGS=args, MUTATE=indices, TIME=str(time))
        self.call_lines.append(len(self.lines))

    def copy(self, destination, source):
        self._add(INSTRUCTION="COPY", DST=destination, SRC=source)

    def copy_from(self, destination, source):
        self._add(INSTRUCTION="COPY_FROM", DST=destination, SRC=source)

    def release(self, name):
        self._add(INSTRUCTION="RELEASE", NAME=name)

    def text(self):
        return "".join(line + "\n" for line in self.lines).encode()


def pack(text, path):
    """The bytes of the file: gzip without time and file name if the path ends in .gz, so that they are reproducible."""
    if not path.endswith(".gz"):
        return text
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as stream:
        stream.write(text)
    return packed.getvalue()
