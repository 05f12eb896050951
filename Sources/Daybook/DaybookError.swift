package import Bytes
package import Crypto
package import Domain
package import Interchange
package import Journaling
package import Platform
package import ReadModel
package import Sealing
package import Syncing

/// The errors of a book, grouped by activity.
package enum DaybookError: Error, Sendable {
  // Errors that occur when a book is opened.
  case noBook(Path)
  case notABook(Path, BookFileError?)
  case bookExists(Path)
  /// A join has begun in the folder and has not finished.
  case joinBegun(Path)
  case disk(DiskError)
  case journal(JournalError)
  case view(ReadModelError)
  case keys(Path, CryptoError)
  case noKey(Path)
  /// The file is named after one log but contains the key of another.
  case otherKey(Path)
  /// The file with the store keys cannot be read.
  case storeKeys(Path, StoreKeyError)
  /// A store key cannot be made or accepted.
  case storeKey(StoreKeyError)

  // Errors that occur when a record or an event is requested.
  case unknown(String, kind: Kind?)
  /// The record is erased, and cannot be restored.
  case erased(String)
  case ambiguous(String, [Found])
  case gone(Found)
  /// The search text identifies a living record that is hidden because its parent is deleted.
  case hidden(Found, with: Found)
  /// A deleted record was requested, but this record is not deleted.
  case notGone(Found)

  // Errors that occur when a command is carried out.
  case refused(Domain::Refusal)
  /// The conflict to settle has changed since it was read.
  case conflictChanged
  /// The side chosen to settle a conflict is not one of its sides.
  case otherSide
  case busy(holder: String?)
  case nothingToUndo
  /// There is nothing to undo or redo in the log that this device writes now.
  ///
  /// The device has previously written other logs.
  case nothingInThisLog
  /// Nothing can be redone; `afterUndo` says whether the last command is an undo that only an undo reverses.
  case nothingToRedo(afterUndo: Bool)
  /// An erasure, which cannot be undone, prevents the undo.
  case erasureInTheWay
  /// A change to devices, which cannot be undone, prevents the undo.
  case lastingInTheWay(LastingChange)
  /// Another device has edited fields that the undo would change.
  case editedSince([EditSince])
  /// Later events depend on records that the undo would delete.
  case dependedOn([Dependence])
  /// Only this many commands can be undone or redone.
  case fewerCommands(Int)
  /// The text identifies no command that can be undone.
  case noSuchCommand(String)
  case undoneAlready(String)
  /// The device has written nothing since the given time.
  case nothingSince(String)
  /// Since the given time, the device has only erased this number of records.
  case onlyErasedSince(String, Int)
  /// Everything that the device has written since the given time is already undone or has no effect.
  case nothingLeftSince(String)
  /// The device has several logs, so its name is ambiguous.
  case severalLogs([Device])
  case importFault(line: Int, OperationFault)
  /// No proof can be made.
  case unprovable(ProofObstacle)

  // Errors about trust in devices.
  /// This device is not admitted or has been revoked, so its events about other devices have no effect.
  case notAdmitted
  case ownKey
  /// The record is in a log for which the table of this device's own log has no space.
  case tooManyLogs
  /// The device is waiting to be admitted, and naming it would admit it.
  case namedBeforeAdmission(String, key: String)
  /// The key of the device has been revoked, which is permanent.
  case revokedKey(String)
  /// The device has already been revoked, by the named device and, if known, at the given time.
  case alreadyRevoked(String, by: String, time: Int64?)
  /// Everything that a device wrote would be revoked, including the admission of this device.
  case admittedThrough(String)

  /// The text cannot be the name of a device.
  case badDeviceName(String)
  /// Another device has this name.
  case deviceNameTaken(String)
  /// A revoked device has this name; `key` is the beginning of the words of its key.
  case nameOfRevokedDevice(String, key: String)

  // Errors that occur during a sync.
  case sync(SyncError)
  case network(NetworkError)
  case declined
  case unknownPeer(String)
  /// Several devices have this name; each of them is listed once.
  case severalDevices(String, [Device])
  /// The file of remembered peers is damaged.
  case contacts(Path, ContactsFault)
  /// No peer is remembered under this name.
  case noSuchPeer(String)
  /// The machine at the address of a remembered peer has a different key.
  ///
  /// The associated values are the name of the peer and both keys.
  case changedKey(name: String, known: String, shown: String)
  /// The machine that was called has a key that was revoked.
  ///
  /// The associated values are the machine's device name, the words of its key, and the name of the peer that is
  /// remembered at its address, if there is one.
  case revokedPeer(device: String, words: String, peer: String?)
  /// The peer is a folder or a file, which has no key.
  case keyless(String)
  case badPeerName(String)
  case peerNameTaken(String)
  case tooManyPeers
  /// The peer is remembered without an address, because it has only connected to this device.
  case noAddress(String)
  /// The remembered folder contained a book at the given time, in milliseconds since 1970, but now contains none.
  case emptiedPeer(String, PeerAddress, since: Int64)
  /// A folder that is to be sealed contains readable files of this book.
  case plainFolder(Path)
  /// The sealed store of a remembered peer belongs to a book that this device has left.
  case formerStore(Path)
  /// A folder contains sealed stores, but this device can open none of them.
  case unopenedStores(Path, count: Int)
  /// No process serves the book, so no device could join with an invitation.
  case notServed
  /// A device cannot invite or join through a sealed store.
  case storeJoin(StoreJoinFault)
  /// This device made the invitation.
  case ownInvitation
  /// The text is not a usable invitation.
  case badInvitation(InvitationFault)
  /// The invitation is no longer valid.
  case closedInvitation
  /// The machine at the invitation's address is not the machine that issued the invitation.
  case otherInviter(String)
  /// A folder contains several books, and the given id does not identify one of them.
  case severalBooks([DirectoryBook], wanted: String?)
  /// The event that founded the book could not be read, for the given reasons, if known.
  case beginningNotThere([SyncProblem])

  // Disk errors that occur after something has been stored.
  /// A record is erased and hidden, but its bytes are still in files on this device.
  indirect case erasureLeft(DaybookError)
  /// A disk error that occurred after something was stored; the stored data is durable and takes effect.
  indirect case storedBefore(StoredPart, DaybookError)
}

/// The data that was stored before a disk error.
package enum StoredPart: Hashable, Sendable {
  /// Events of this device.
  case own
  /// Events of other devices.
  case arrivals
  /// The book has joined the other book.
  case joining
}

extension DaybookError {
  /// The disk error behind this error, if there is one.
  package var diskFault: DiskError? {
    switch self {
    case .disk(let fault), .journal(.disk(let fault)), .view(.disk(let fault)),
      .sync(.disk(let fault)), .sync(.journal(.disk(let fault))):
      fault
    case .erasureLeft(let error): error.diskFault
    case .storedBefore(_, let error): error.diskFault
    default: nil
    }
  }
}

/// A record that a search by text has found.
package struct Found: Hashable, Sendable {
  package var id: UniqueID
  package var kind: Kind
  package var title: String
  package var isAlive: Bool
  /// The id as shown to the user.
  package var shortID: String

  package init(id: UniqueID, kind: Kind, title: String, isAlive: Bool, shortID: String) {
    self.id = id
    self.shortID = shortID
    self.kind = kind
    self.title = title
    self.isAlive = isAlive
  }
}
