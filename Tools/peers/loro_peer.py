"""Loro: a map for each record in one document, a commit for each operation, with its time."""

import loro

from document import UpdatePeer
from operations import fields


class Loro(UpdatePeer):
    name = "Loro"
    note = "updates with the time of each commit"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.document = loro.LoroDoc()
        self.document.peer_id = number
        self.document.set_record_timestamp(True)
        self.document.set_change_merge_interval(-1)
        self.records = self.document.get_map("records")

    def version(self):
        return self.document.oplog_vv

    def changes(self, version):
        return self.document.export(loro.ExportMode.Updates(version))

    def encoded(self):
        return self.changes(loro.VersionVector())

    def take(self, update):
        self.document.import_(update)

    @staticmethod
    def told(version):
        return version.encode()

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

    def rebuild(self):
        document = loro.LoroDoc()
        document.import_(self.kept())
        return document.get_map("records").get_deep_value()

    def state(self):
        return self.records.get_deep_value()
