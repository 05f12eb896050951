package import Bytes
package import Crypto
package import Domain
package import Interchange
package import Journaling
package import Platform
package import ReadModel
package import Syncing

/// Everything that can go wrong with a book, by what was being done.
package enum DaybookError: Error, Sendable {
  // Opening.
  case noBook(Path)
  case notABook(Path, BookFileError?)
  case bookExists(Path)
  case disk(DiskError)
  case journal(JournalError)
  case view(ReadModelError)
  case keys(Path, CryptoError)
  case noKey(Path)
  /// The key that lies there is not the one of the log that it is named after.
  case otherKey(Path)

  // Asking.
  case unknown(String, kind: Kind?)
  /// It is erased, and nothing brings it back.
  case erased(String)
  case ambiguous(String, [Found])
  case gone(Found)
  /// The words name a record that lives, and is hidden with the deleted one it lies in.
  case hidden(Found, with: Found)
  /// Only what is deleted was asked for, and this is not.
  case notGone(Found)

  // Doing.
  case refused(Domain::Refusal)
  case busy(holder: String?)
  case nothingToUndo
  /// Nothing to undo or redo is in the log that this device writes now; it has written others before.
  case nothingInThisLog
  case nothingToRedo
  /// To go further back means to pass over an erasure, which is not undone.
  case erasureInTheWay
  /// To go further back means to pass over what was done about devices, which is not undone.
  case lastingInTheWay(LastingChange)
  /// Another device has edited since what the undo would take away.
  case editedSince([EditSince])
  /// Something written since depends on all that would be undone.
  case dependedOn([Dependence])
  /// There are only so many commands to undo or redo.
  case fewerCommands(Int)
  /// The words name no command that can be undone.
  case noSuchCommand(String)
  case undoneAlready(String)
  /// The device has written nothing since the moment.
  case nothingSince(String)
  /// All that the device has written since the moment is undone, or shows nowhere.
  case nothingLeftSince(String)
  /// The device has several logs, so its name says not which is meant.
  case severalLogs([Device])
  case importFault(line: Int, OperationFault)

  // Trusting.
  /// What this device says of others counts nowhere, since nobody has admitted it or it is revoked.
  case notAdmitted
  case ownKey
  /// A record lies in a log for which the table of the own log has no room.
  case tooManyLogs
  /// The device waits to be admitted, and to name it would admit it.
  case namedBeforeAdmission(String)
  /// The device's key was revoked, and no key is taken back.
  case revokedKey(String)
  /// All that a device wrote was to be taken back, and with that the admission of this one.
  case admittedThrough(String)

  /// No device can be called that.
  case badDeviceName(String)
  /// Another device is called that.
  case deviceNameTaken(String)

  // Syncing.
  case sync(SyncError)
  case network(NetworkError)
  case declined
  case unknownPeer(String)
  /// Several devices are called so; they are listed under these names.
  case severalDevices(String, [String])
  /// The file of the peers that are remembered is damaged.
  case contacts(Path, ContactsFault)
  /// No peer is remembered under the name.
  case noSuchPeer(String)
  /// What answers where a peer is remembered shows another key than the peer did; both are spelt.
  case changedKey(name: String, known: String, shown: String)
  /// A peer that is a folder or a file has no key.
  case keyless(String)
  case badPeerName(String)
  case peerNameTaken(String)
  case tooManyPeers
  /// The peer is remembered, but it only calls here.
  case noAddress(String)
  /// The remembered folder was synced with at some time, in milliseconds, and holds no book now.
  case emptiedPeer(String, Path, since: Int64)
  /// No process serves the book, so nobody could come in by an invitation.
  case notServed
  /// The invitation is one that this device has given.
  case ownInvitation
  /// A folder holds several books, and the words do not begin the id of just one of them.
  case severalBooks([DirectoryBook], wanted: String?)
  /// Where the book was to be joined the event that began it is not to be had, for these reasons if they are known.
  case beginningNotThere([SyncProblem])

  // Disk errors after something was stored.
  /// A record is erased and no longer shown, but its bytes are still in files here.
  indirect case erasureLeft(DaybookError)
  /// A disk error; what was stored before it is durable and counts.
  indirect case storedBefore(StoredPart, DaybookError)
}

/// What was stored before a disk error.
package enum StoredPart: Hashable, Sendable {
  /// Events of this device.
  case own
  /// Events from other devices.
  case arrivals
  /// The book has joined the other one.
  case joining
}

/// A record that words have found.
package struct Found: Hashable, Sendable {
  package var id: UniqueID
  package var kind: Kind
  package var title: String
  package var isAlive: Bool
  /// The id as it is shown elsewhere.
  package var shortID: String

  package init(id: UniqueID, kind: Kind, title: String, isAlive: Bool, shortID: String) {
    self.id = id
    self.shortID = shortID
    self.kind = kind
    self.title = title
    self.isAlive = isAlive
  }
}
