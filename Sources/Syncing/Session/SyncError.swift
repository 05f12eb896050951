package import Bytes
package import Crypto
package import Journaling
package import Platform

/// Why a sync ended before its end.
package enum SyncError: Error, Hashable, Sendable {
  // Meeting.
  /// The other speaks these versions only.
  case version(ClosedRange<UInt64>)
  /// The other holds this book.
  case wrongBook(UniqueID)
  /// Our book has become part of this one.
  case joinedInto(UniqueID)
  /// There is no book to join.
  case noBook
  /// There is more than one book to join.
  case severalBooks([UniqueID])

  /// The other may not take part, for this reason.
  case unwelcome(Refusal.Code)
  /// The other says that it is a device whose key it has not shown.
  case otherReplica(UniqueID)
  /// The two cannot talk in confidence.
  case tls(TLSError)

  // Reading what came.
  /// The message that begins at a byte of the stream is none.
  case message(MessageFault, at: Int)
  /// A message came when it was not its turn.
  case unexpected(at: Int)
  /// The file does not begin as a bundle does.
  case notABundle(Path)
  /// The folder to sync with is not there.
  case noFolder(Path)
  /// The folder is a book, and no place to leave files.
  case isABook(Path)

  // The line.
  case network(NetworkError)
  /// The other went away in the middle.
  case cut
  case tooSlow
  /// The other ended the session.
  case refused(Refusal)

  // What we hold.
  case journal(JournalError)
  case disk(DiskError)
}

/// What is wrong with a message.
package enum MessageFault: Error, Hashable, Sendable {
  /// It, or something in it, is larger than agreed.
  case limit
  case cbor(CBORError)
  /// The array has another number of elements.
  case shape
  /// A kind of message that is not known.
  case kind(UInt64)
  /// A frontier's places do not ascend.
  case order
}

extension SyncError {
  /// The error of what a file holds; one of our own disk ends the sync.
  func blamed() throws(SyncError) -> JournalError {
    switch self {
    case .journal(.disk), .journal(.poisoned), .journal(.locked): throw self
    case .journal(let blamed): return blamed
    default: throw self
    }
  }
}

/// Something that kept a part of a sync back while the rest went on.
package enum SyncProblem: Hashable, Sendable {
  /// A log stays as it was from some event on.
  case log(JournalError)
  /// A bundle ends, or stops making sense, at a byte.
  case truncated(Path, at: Int)
  /// All of a bundle's messages are whole, but its digest is another.
  case wrongBundleDigest(Path)
  /// A file of a directory peer is not what its name says: not here yet, or damaged.
  case wrongDigest(Path)
  /// A file of a directory peer cannot be read.
  case unreadable(Path, DiskFault)
  /// A directory of a directory peer has more entries than anybody looks at.
  case tooManyFiles(Path)
  /// A directory peer takes nothing.
  case notLeft(Path, DiskFault)
  /// The state of the peer could not be saved.
  case notNoted(Path, DiskFault)
  /// A file of a directory peer is larger than any may be.
  case tooLarge(Path)
  /// A file of a directory peer is what its name says, but holds no frame from
  /// some byte on.
  case notAFrame(Path, at: Int)
}

/// Turns what a disk refuses into an error of a sync.
func onDisk<Value: ~Copyable>(_ body: () throws(DiskError) -> Value) throws(SyncError) -> Value {
  do throws(DiskError) { return try body() } catch { throw .disk(error) }
}

/// Turns what a journal refuses into an error of a sync.
func inJournal<Value: ~Copyable>(
  _ body: () throws(JournalError) -> Value
) throws(SyncError) -> Value {
  do throws(JournalError) { return try body() } catch { throw .journal(error) }
}

/// Turns wrong CBOR into a fault of its message.
func reading<Value>(_ body: () throws(CBORError) -> Value) throws(MessageFault) -> Value {
  do throws(CBORError) { return try body() } catch { throw .cbor(error) }
}
