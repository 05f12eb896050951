"""JSON lines in a file, compressed with gzip when finished: the simplest log."""

import gzip
import os

import orjson

from operations import fold, line
from peer import Log, Peer


class Lines(Peer):
    name = "JSON lines, gzip -6"
    note = "no merge: whole files are copied"
    merges = False

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.log = Log(os.path.join(folder, "operations.jsonl"))

    def append(self, operation):
        self.log.append(line(operation) + b"\n")

    def fill(self, operations):
        self.log.append(b"".join(line(operation) + b"\n" for operation in operations))

    def seal(self):
        with open(self.log.path, "rb") as plain, gzip.open(self.log.path + ".gz", "wb", 6) as sealed:
            sealed.write(plain.read())
        return os.path.getsize(self.log.path + ".gz")

    def rebuild(self):
        with gzip.open(self.log.path + ".gz", "rb") as sealed:
            return fold(orjson.loads(text) for text in sealed)
