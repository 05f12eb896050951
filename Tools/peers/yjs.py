"""Yjs, in the form of pycrdt: a map for each record in one document, a transaction for each operation."""

import pycrdt

from document import UpdatePeer
from operations import fields


class Yjs(UpdatePeer):
    name = "Yjs (pycrdt)"
    note = "overwritten values are dropped: no history"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.document = pycrdt.Doc(client_id=number)
        self.records = self.document.get("records", type=pycrdt.Map)

    def version(self):
        return self.document.get_state()

    def changes(self, version):
        return self.document.get_update(version)

    def encoded(self):
        return self.document.get_update()

    def take(self, update):
        self.document.apply_update(update)

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

    def rebuild(self):
        document = pycrdt.Doc()
        document.apply_update(self.kept())
        return state(document.get("records", type=pycrdt.Map))

    def state(self):
        return state(self.records)


def state(records):
    # Numbers are stored as JavaScript numbers.
    return {
        identity: {
            name: int(value) if isinstance(value, float) else value for name, value in record.items()
        }
        for identity, record in records.to_py().items()
    }
