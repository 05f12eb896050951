package import Bytes
package import Crypto
package import Journaling
package import Platform
package import S3
package import Sealing

/// The reason why a sync has failed.
package enum SyncError: Error, Hashable, Sendable {
  // Errors at the start of a session.
  /// The peer supports only the given versions.
  case version(ClosedRange<UInt64>)
  /// The peer has a different book.
  case wrongBook(UniqueID)
  /// This side's book was merged into the given book.
  case joinedInto(UniqueID)
  /// There is no book to join.
  case noBook

  /// The peer may not take part, for the given reason.
  case unwelcome(Refusal.Code)
  /// The peer claims a log that is signed with a key other than the one it authenticated with.
  case otherReplica(UniqueID)
  /// TLS has failed.
  case tls(TLSError)
  /// The program `ssh` has not connected to a `daybook` at the address.
  case ssh(SSHFault, at: String)

  // Errors in received data.
  /// The bytes at the given offset of the stream are not a message.
  case message(MessageFault, at: Int)
  /// A message arrived out of order.
  case unexpected(at: Int)
  /// The file is not a bundle.
  case notABundle(Path)
  /// The bundle does not match its digest, and its beginning does not fit this side.
  case damagedBundle(Path)
  /// The folder to sync with does not exist.
  case noFolder(Path)
  /// The folder is a book, with its `book.json` and its logs, and cannot be used to exchange files.
  case isABook(Path)
  /// The folder lies inside the folder of a book, which only the files of that book may use.
  case insideABook(Path, book: Path)
  /// The address leads to this device itself, which serves its book there.
  case ownAddress(String)

  /// The folder contains sealed stores, none of which this device can open.
  case isSealed(Path)
  /// The folder to join from contains only sealed stores, whose keys are given only to devices of their books.
  case joinSealed(Path)
  /// The folder has more entries than are read, so it is not known which books and stores it contains.
  case tooManyFiles(Path)

  // Errors of the line.
  case network(NetworkError)
  /// The peer closed the line before the sync was finished.
  case cut
  case tooSlow
  /// The peer ended the session.
  case refused(Refusal)

  /// A request to object storage failed. The path is the location of the store.
  case storage(S3Fault, at: Path)

  // Errors in this side's store.
  case journal(JournalError)
  case disk(DiskError)
}

/// The reason why a message is invalid.
package enum MessageFault: Error, Hashable, Sendable {
  /// A size exceeds the limit.
  case limit
  case cbor(CBORError)
  /// An array has the wrong number of elements.
  case shape
  /// The kind of message is unknown.
  case kind(UInt64)
  /// The places of a frontier do not ascend.
  case order
}

extension SyncError {
  /// The error to report as a problem with the content of a file.
  ///
  /// Any other error, such as an error of this side's own disk, is thrown and ends the sync.
  func blamed() throws(SyncError) -> JournalError {
    switch self {
    case .journal(.disk), .journal(.poisoned), .journal(.locked): throw self
    case .journal(let blamed): return blamed
    default: throw self
    }
  }
}

/// An error that stopped one part of a sync but not the rest.
package enum SyncProblem: Hashable, Sendable {
  /// The log's events after a certain event were not stored.
  case log(JournalError)
  /// A bundle ends early, or has no message at the given offset.
  case truncated(Path, at: Int)
  /// All messages of a bundle are complete, but the bundle's digest is wrong.
  case wrongBundleDigest(Path)
  /// A file of a directory peer does not match its name, because it is incomplete or damaged.
  case wrongDigest(Path)
  /// A file of a directory peer cannot be read.
  case unreadable(Path, DiskFault)
  /// A directory of a directory peer has more entries than are read.
  case tooManyFiles(Path)
  /// No file could be written to a directory peer.
  case notLeft(Path, DiskFault)
  /// Object storage does not accept objects.
  case notStored(Path, S3Fault)
  /// The state of the peer could not be saved.
  case notNoted(Path, DiskFault)
  /// A file of a directory peer exceeds the size limit.
  case tooLarge(Path)
  /// A file of a directory peer matches its name, but has no frame at the given offset.
  case notAFrame(Path, at: Int)
  /// Objects of a sealed store are sealed with keys that this device does not have yet.
  case waiting(Path, objects: Int)
  /// Objects of a sealed store are sealed with keys that were shared only by devices that can no longer take part.
  case rejected(Path, objects: Int)
  /// An object of a sealed store was written by a newer version of the program.
  case newer(Path)
  /// A folder with a sealed store also contains readable files of the book.
  case readable(Path)
  /// An object of a sealed store matches its name, but cannot be opened.
  case notOpened(Path, SealedObjectError)
  /// The sealed name of an object is wrong although this device has its key.
  case badName(Path, ObjectNameError)
  /// A key package of a sealed store is wrong.
  case badPackage(Path, StoreKeyError)
  /// The request of a device that wants to join through a sealed store is wrong.
  case badKnock(Path, KnockError)
  /// Nothing was written to a sealed store, because no key can be used to seal, or because a key cannot be shared.
  case notSealed(Path, StoreKeyError)
  /// Damaged bytes were removed from the local logs while bodies were erased.
  case damageDropped(byteCount: Int)
}

/// Converts a disk error into a sync error.
func onDisk<Value: ~Copyable>(_ body: () throws(DiskError) -> Value) throws(SyncError) -> Value {
  do throws(DiskError) { return try body() } catch { throw .disk(error) }
}

/// Converts a journal error into a sync error.
func inJournal<Value: ~Copyable>(
  _ body: () throws(JournalError) -> Value
) throws(SyncError) -> Value {
  do throws(JournalError) { return try body() } catch { throw .journal(error) }
}

/// Converts a CBOR error into a fault of its message.
func reading<Value>(_ body: () throws(CBORError) -> Value) throws(MessageFault) -> Value {
  do throws(CBORError) { return try body() } catch { throw .cbor(error) }
}
