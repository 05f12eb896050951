"""Yjs, as pycrdt has it: a map for each record in one document, a transaction for each operation."""

import os

import pycrdt

from operations import fields
from peer import Log, Peer


class Yjs(Peer):
    name = "Yjs (pycrdt)"
    note = "what was overwritten is dropped: no history"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.document = pycrdt.Doc(client_id=number)
        self.records = self.document.get("records", type=pycrdt.Map)
        self.log = Log(os.path.join(folder, "updates"))

    def append(self, operation):
        before = self.document.get_state()
        self.apply(operation)
        self.log.append(self.document.get_update(before))

    def fill(self, operations):
        for operation in operations:
            self.apply(operation)
        self.save()

    def apply(self, operation):
        identity = operation["id"]
        with self.document.transaction():
            if operation["op"] == "add":
                self.records[identity] = pycrdt.Map({"kind": operation["kind"], **fields(operation)})
            elif identity not in self.records:
                return
            elif operation["op"] == "delete":
                del self.records[identity]
            else:
                self.records[identity].update(fields(operation))

    def save(self):
        data = self.document.get_update()
        with open(os.path.join(self.folder, "document"), "wb") as file:
            file.write(data)
            file.flush()
            os.fdatasync(file.fileno())
        return len(data)

    def seal(self):
        return self.save()

    def rebuild(self):
        document = pycrdt.Doc()
        with open(os.path.join(self.folder, "document"), "rb") as file:
            document.apply_update(file.read())
        return state(document.get("records", type=pycrdt.Map))

    def state(self):
        return state(self.records)

    def sync(self, other):
        here, there = self.document.get_state(), other.document.get_state()
        ask, answer = other.document.get_update(here), self.document.get_update(there)
        for peer, update in ((self, ask), (other, answer)):
            peer.document.apply_update(update)
            peer.log.append(update)
        return len(ask) + len(answer) + len(here) + len(there)


def state(records):
    # Numbers are kept as those of JavaScript.
    return {
        identity: {
            name: int(value) if isinstance(value, float) else value for name, value in record.items()
        }
        for identity, record in records.to_py().items()
    }
