"""A table of events in SQLite, with a write-ahead log and full flushes."""

import os
import sqlite3

import orjson

from operations import fold, line
from peer import Peer


class SQLite(Peer):
    name = "SQLite, a table of events"
    note = "rows that the other side lacks are sent as they are; nothing is verified"

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.path = os.path.join(folder, "events.sqlite")
        self.base = sqlite3.connect(self.path, isolation_level=None)
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("PRAGMA synchronous = FULL")
        self.base.execute(
            "CREATE TABLE event (replica INTEGER, number INTEGER, body BLOB, "
            "PRIMARY KEY (replica, number)) WITHOUT ROWID"
        )
        self.ends = {}

    def append(self, operation):
        self.base.execute("INSERT INTO event VALUES (?, ?, ?)", self.row(operation))

    def fill(self, operations):
        self.insert([self.row(operation) for operation in operations])

    def row(self, operation):
        replica = operation["replica"]
        self.ends[replica] = self.ends.get(replica, 0) + 1
        return replica, self.ends[replica], line(operation)

    def insert(self, rows):
        self.base.execute("BEGIN")
        self.base.executemany("INSERT INTO event VALUES (?, ?, ?)", rows)
        self.base.execute("COMMIT")

    def seal(self):
        self.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return os.path.getsize(self.path)

    def rebuild(self):
        return self.fold(sqlite3.connect(self.path))

    def state(self):
        return self.fold(self.base)

    @staticmethod
    def fold(base):
        bodies = base.execute("SELECT body FROM event")
        operations = [orjson.loads(body) for (body,) in bodies]
        # Every peer stores the operations in the order of their times.
        operations.sort(key=lambda operation: operation["t"])
        return fold(operations)

    def sync(self, other):
        there, here = other.missing(self.ends), self.missing(other.ends)
        self.take(there)
        other.take(here)
        return sum(len(body) + 12 for _, _, body in there + here)

    def missing(self, ends):
        return [
            row
            for replica in self.ends
            for row in self.base.execute(
                "SELECT * FROM event WHERE replica = ? AND number > ?", (replica, ends.get(replica, 0))
            )
        ]

    def take(self, rows):
        self.insert(rows)
        for replica, number, _ in rows:
            self.ends[replica] = max(number, self.ends.get(replica, 0))
