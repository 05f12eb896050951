"""The interface of a peer, and the measurements."""

import os


class Log:
    """An append-only file that is flushed after each append."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "ab", buffering=0)

    def append(self, data):
        self.file.write(data)
        os.fdatasync(self.file.fileno())


class Peer:
    """One device's records, kept in a folder.

    Each subclass is what a user of the peer would write. It does everything that daybook does, except what the peer
    cannot do at all; there is no figure for that.
    """

    name = ""
    #: Notes on its figures.
    note = ""
    #: Whether it can merge the changes of two devices.
    merges = True

    def __init__(self, folder, number):
        self.folder, self.number = folder, number
        os.makedirs(folder)

    def append(self, operation):
        """Applies one operation; it is durable when this returns."""
        raise NotImplementedError

    def fill(self, operations):
        """Applies many operations in one step."""
        raise NotImplementedError

    def seal(self):
        """Compacts the stored data as much as the peer can; returns its size in bytes."""
        raise NotImplementedError

    def rebuild(self):
        """Reads the stored data as another process would, and returns the state."""
        raise NotImplementedError

    def sync(self, other):
        """Merges both sides durably; returns the number of bytes sent."""
        raise NotImplementedError

    def state(self):
        """The state of the open data."""
        raise NotImplementedError
