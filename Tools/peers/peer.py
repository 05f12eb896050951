"""What is asked of a peer, and how it is measured."""

import os


class Log:
    """A file that is only appended to, and flushed whenever something was."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "ab", buffering=0)

    def append(self, data):
        self.file.write(data)
        os.fdatasync(self.file.fileno())


class Peer:
    """One device's records, kept in a folder.

    Each of these is what a user of the peer would write: nothing is left out that daybook does, but for what the
    peer cannot do at all, which is then not a figure of its.
    """

    name = ""
    #: What is to be known of its figures.
    note = ""
    #: Whether it can bring together what two devices have written.
    merges = True

    def __init__(self, folder, number):
        self.folder, self.number = folder, number
        os.makedirs(folder)

    def append(self, operation):
        """Takes in one operation; it is safe on the disk when this returns."""
        raise NotImplementedError

    def fill(self, operations):
        """Takes in many operations at once."""
        raise NotImplementedError

    def seal(self):
        """Makes what is kept as small as the peer makes it; returns how many bytes that are."""
        raise NotImplementedError

    def rebuild(self):
        """Reads what is kept as another process would, and returns the state."""
        raise NotImplementedError

    def sync(self, other):
        """Brings the two together, durably on both sides; returns how many bytes had to be sent."""
        raise NotImplementedError

    def state(self):
        """The state of what it has open."""
        raise NotImplementedError
