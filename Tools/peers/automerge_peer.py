"""Automerge: a map for each record in one document, a change for each operation."""

from automerge import core

from document import DocumentPeer
from operations import fields


class Automerge(DocumentPeer):
    name = "Automerge"
    note = "all changes are kept, but by its Python package without their times"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.document = core.Document()
        self.document.set_actor(number.to_bytes(16, "big"))
        self.places = {}

    def version(self):
        return self.document.get_heads()

    def changes(self, version):
        return b"".join(change.bytes for change in self.document.get_changes(version))

    def encoded(self):
        return self.document.save()

    def apply(self, operation):
        identity = operation["id"]
        with self.document.transaction() as transaction:
            if operation["op"] == "delete":
                if self.places.pop(identity, None):
                    transaction.delete(core.ROOT, identity)
                return
            if operation["op"] == "add":
                place = transaction.put_object(core.ROOT, identity, core.ObjType.Map)
                self.places[identity] = place
                transaction.put(place, "kind", core.ScalarType.Str, operation["kind"])
            place = self.places.get(identity)
            if place is None:
                return
            for name, value in fields(operation).items():
                transaction.put(place, name, scalar_type(value), value)

    def rebuild(self):
        return state(core.Document.load(self.kept()))

    def state(self):
        return state(self.document)

    def sync(self, other):
        here, there = core.SyncState(), core.SyncState()
        before = [(peer, peer.version()) for peer in (self, other)]
        sent = 0
        while True:
            ask = self.document.generate_sync_message(here)
            if ask is not None:
                sent += len(ask.encode())
                other.document.receive_sync_message(there, ask)
            answer = other.document.generate_sync_message(there)
            if answer is not None:
                sent += len(answer.encode())
                self.document.receive_sync_message(here, answer)
            if ask is None and answer is None:
                break
        for peer, version in before:
            peer.log.append(peer.changes(version))
        return sent


def scalar_type(value):
    if isinstance(value, bool):
        return core.ScalarType.Boolean
    if isinstance(value, int):
        return core.ScalarType.Int
    return core.ScalarType.Null if value is None else core.ScalarType.Str


def state(document):
    records = {}
    for identity in document.keys(core.ROOT):
        _, place = document.get(core.ROOT, identity)
        records[identity] = {name: document.get(place, name)[0][1] for name in document.keys(place)}
    return records
