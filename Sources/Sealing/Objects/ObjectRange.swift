package import Bytes
internal import Crypto

/// The events in an object.
package struct ObjectRange: Hashable, Sendable {
  /// The replica that wrote the events.
  package var replica: UniqueID
  /// The first and the last sequence.
  package var events: ClosedRange<UInt64>
  /// The first half of the chain hash at the last event.
  ///
  /// The hash distinguishes branches, because a log that has forked contains different events in the same range.
  package var hash: UniqueID

  package init(replica: UniqueID, events: ClosedRange<UInt64>, hash: UniqueID) {
    (self.replica, self.events, self.hash) = (replica, events, hash)
  }

  static let byteCount = 48

  /// The replica, the first and last sequences (big-endian), and the hash.
  var bytes: [UInt8] { replica.bytes + events.ends + hash.bytes }
}

/// The information about an object that its sealed name contains.
package struct NamedObject: Hashable, Sendable {
  package var range: ObjectRange
  /// The first half of the SHA-256 of the object.
  package var digest: UniqueID

  package init(range: ObjectRange, digest: UniqueID) {
    (self.range, self.digest) = (range, digest)
  }
}

/// The content of a statement's name: the range of events that the writer of the statement has lost.
package struct NamedLoss: Hashable, Sendable {
  /// The replica that wrote the events.
  package var replica: UniqueID
  /// The first and the last lost event.
  package var events: ClosedRange<UInt64>
  /// The chain hash at the last lost event.
  package var end: Digest

  package init(replica: UniqueID, events: ClosedRange<UInt64>, end: Digest) {
    (self.replica, self.events, self.end) = (replica, events, end)
  }

  /// The replica, the first and last sequences (big-endian), and the hash.
  var bytes: [UInt8] { replica.bytes + events.ends + end.bytes }
}

/// The store to which an object belongs.
///
/// If an object is moved to another store or book, it cannot be opened there.
package struct StoreIdentity: Hashable, Sendable {
  package var book: UniqueID
  /// The store's random id.
  package var store: UniqueID

  package init(book: UniqueID, store: UniqueID) { (self.book, self.store) = (book, store) }
}

extension ClosedRange<UInt64> {
  fileprivate var ends: [UInt8] { lowerBound.bigEndianBytes + upperBound.bigEndianBytes }
}
