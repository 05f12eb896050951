"""Peers that keep all records in one document."""

import os

from peer import Log, Peer


class DocumentPeer(Peer):
    """A file with the whole document, and a log of the changes since."""

    def __init__(self, folder, number):
        super().__init__(folder, number)
        self.path = os.path.join(folder, "document")
        self.log = Log(os.path.join(folder, "changes"))

    def apply(self, operation):
        """Changes the document, in memory."""
        raise NotImplementedError

    def encoded(self):
        """The whole document."""
        raise NotImplementedError

    def version(self):
        """The current version of the document."""
        raise NotImplementedError

    def changes(self, version):
        """The changes that a version of the document lacks."""
        raise NotImplementedError

    def append(self, operation):
        before = self.version()
        self.apply(operation)
        self.log.append(self.changes(before))

    def fill(self, operations):
        for operation in operations:
            self.apply(operation)
        self.seal()

    def seal(self):
        data = self.encoded()
        with open(self.path, "wb") as file:
            file.write(data)
            file.flush()
            os.fdatasync(file.fileno())
        return len(data)

    def kept(self):
        """The whole document, as stored in the file."""
        with open(self.path, "rb") as file:
            return file.read()


class UpdatePeer(DocumentPeer):
    """A peer whose two sides exchange their versions, and then the changes that the other lacks."""

    def take(self, update):
        """Applies the changes of another side."""
        raise NotImplementedError

    @staticmethod
    def told(version):
        """A version as bytes."""
        return version

    def sync(self, other):
        here, there = self.version(), other.version()
        ask, answer = other.changes(here), self.changes(there)
        for peer, update in ((self, ask), (other, answer)):
            peer.take(update)
            peer.log.append(update)
        return len(ask) + len(answer) + len(self.told(here)) + len(self.told(there))
