"""Loro: a map for each record in one document, a commit for each operation, with its time."""

import os

import loro

from operations import fields
from peer import Log, Peer


class Loro(Peer):
    name = "Loro"
    note = "updates with the time of each commit"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.document = loro.LoroDoc()
        self.document.peer_id = number
        self.document.set_record_timestamp(True)
        self.document.set_change_merge_interval(-1)
        self.records = self.document.get_map("records")
        self.log = Log(os.path.join(folder, "updates"))

    def append(self, operation):
        before = self.document.oplog_vv
        self.apply(operation)
        self.log.append(self.document.export(loro.ExportMode.Updates(before)))

    def fill(self, operations):
        for operation in operations:
            self.apply(operation)
        self.save()

    def apply(self, operation):
        identity = operation["id"]
        if operation["op"] == "delete":
            self.records.delete(identity)
        elif operation["op"] == "add":
            record = self.records.insert_container(identity, loro.LoroMap())
            record.insert("kind", operation["kind"])
            self.write(record, operation)
        elif (found := self.records.get(identity)) is not None:
            self.write(found.container, operation)
        self.document.set_next_commit_timestamp(operation["t"] // 1_000)
        self.document.commit()

    @staticmethod
    def write(record, operation):
        for name, value in fields(operation).items():
            record.insert(name, value)

    def save(self):
        data = self.document.export(loro.ExportMode.Updates(loro.VersionVector()))
        with open(os.path.join(self.folder, "document"), "wb") as file:
            file.write(data)
            file.flush()
            os.fdatasync(file.fileno())
        return len(data)

    def seal(self):
        return self.save()

    def rebuild(self):
        document = loro.LoroDoc()
        with open(os.path.join(self.folder, "document"), "rb") as file:
            document.import_(file.read())
        return document.get_map("records").get_deep_value()

    def state(self):
        return self.records.get_deep_value()

    def sync(self, other):
        here, there = self.document.oplog_vv, other.document.oplog_vv
        ask = other.document.export(loro.ExportMode.Updates(here))
        answer = self.document.export(loro.ExportMode.Updates(there))
        for peer, update in ((self, ask), (other, answer)):
            peer.document.import_(update)
            peer.log.append(update)
        return len(ask) + len(answer) + len(here.encode()) + len(there.encode())
