package import Bytes
import Crypto
import Journaling

/// The information that a side sends about itself at the start of a session.
package struct Hello: Hashable, Sendable {
  /// The protocol versions that the side supports.
  package var versions: ClosedRange<UInt64>
  /// The side's book; nil if the side has no book and joins the peer's book.
  package var book: UniqueID?
  /// Books that were merged into this one.
  package var formerBooks: [UniqueID]
  /// The side's own log.
  package var replica: UniqueID
  package var frontier: Frontier
  /// The incarnation that connects the side's log with the key that signs it; zeros if the side has no log.
  package var incarnation: UniqueID
  /// Whether the side stays connected and sends new events later.
  package var stays: Bool

  /// The protocol versions that this program supports.
  package static let versions: ClosedRange<UInt64> = 1...1

  package init(
    book: UniqueID?, formerBooks: [UniqueID] = [], replica: UniqueID, frontier: Frontier,
    incarnation: UniqueID = UniqueID.none, stays: Bool = false,
    versions: ClosedRange<UInt64> = Hello.versions
  ) {
    self.versions = versions
    self.book = book
    self.formerBooks = formerBooks
    self.replica = replica
    self.frontier = frontier
    self.incarnation = incarnation
    self.stays = stays
  }

  /// Checks that both sides have the same book.
  ///
  /// - Throws: ``SyncError/joinedInto(_:)`` if this side's book was merged into the peer's.
  package func check(_ other: Hello) throws(SyncError) {
    guard versions.overlaps(other.versions) else { throw .version(other.versions) }
    guard let book, let theirs = other.book else {
      if book == nil, other.book == nil { throw .noBook }
      return
    }
    guard book != theirs else { return }
    if other.formerBooks.contains(book) { throw .joinedInto(theirs) }
    throw .wrongBook(theirs)
  }

  /// Checks that the peer's log is signed with the key that the peer has proved.
  ///
  /// - Throws: ``SyncError/otherReplica(_:)`` if the log is signed with a different key.
  func checkSpeaker(_ key: PublicKey) throws(SyncError) {
    // A device without a log has nothing to prove.
    guard replica != UniqueID.none else { return }
    guard replica == .replica(publicKey: key, incarnation: incarnation) else {
      throw .otherReplica(replica)
    }
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(9)
    writer.unsigned(MessageKind.hello.rawValue)
    writer.unsigned(versions.lowerBound)
    writer.unsigned(versions.upperBound)
    if let book { writer.uniqueID(book) } else { writer.null() }
    // Only the latest former books are sent, because other devices may still have them.
    let told = formerBooks.suffix(Limit.formerBooks)
    writer.arrayHeader(told.count)
    for book in told { writer.uniqueID(book) }
    writer.uniqueID(replica)
    frontier.encode(to: &writer)
    writer.uniqueID(incarnation)
    writer.boolean(stays)
  }

  /// Decodes the part of the message after its kind.
  static func decode(_ reader: inout CBORReader, count: Int) throws(MessageFault) -> Hello {
    // A later version may add elements, but must keep these elements.
    guard count >= 7 else { throw .shape }
    let (lowest, highest) = try reading { () throws(CBORError) in
      (try reader.unsigned(), try reader.unsigned())
    }
    // Version 0 had fewer elements. A hello of version 0 is also refused, but is not treated as malformed.
    guard lowest <= highest, count >= 9 || highest == 0 else { throw .shape }
    let book: UniqueID? = try reading { () throws(CBORError) in
      guard try reader.peek() != .null else {
        try reader.null()
        return nil
      }
      return try reader.uniqueID()
    }
    let formerCount = try reading { () throws(CBORError) in try reader.arrayHeader() }
    guard formerCount <= Limit.formerBooks else { throw .limit }
    var formerBooks: [UniqueID] = []
    for _ in 0..<formerCount {
      formerBooks.append(try reading { () throws(CBORError) in try reader.uniqueID() })
    }
    let replica = try reading { () throws(CBORError) in try reader.uniqueID() }
    let frontier = try Frontier.decode(&reader)
    let incarnation = try reading { () throws(CBORError) in
      count >= 8 ? try reader.uniqueID() : UniqueID.none
    }
    let stays = try reading { () throws(CBORError) in count >= 9 ? try reader.boolean() : false }
    for _ in 9..<max(9, count) { _ = try reading { () throws(CBORError) in try reader.skip() } }
    return Hello(
      book: book, formerBooks: formerBooks, replica: replica, frontier: frontier,
      incarnation: incarnation, stays: stays, versions: lowest...highest)
  }
}
