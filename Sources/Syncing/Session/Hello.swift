package import Bytes
import Crypto
import Journaling

/// What a holder of a book says of itself before anything else.
package struct Hello: Hashable, Sendable {
  /// The versions of the stream it speaks.
  package var versions: ClosedRange<UInt64>
  /// The book it holds; nil while it holds none and takes the other's.
  package var book: UniqueID?
  /// Books that became part of this one.
  package var formerBooks: [UniqueID]
  /// The speaker's own log.
  package var replica: UniqueID
  package var frontier: Frontier
  /// Binds the speaker's log to the key it is written under; zeros where it has no log.
  package var incarnation: UniqueID
  /// Whether the speaker would go on telling what is new when both have the same.
  package var stays: Bool

  /// The versions spoken here.
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

  /// Makes sure that what another holder offers is for us.
  ///
  /// - Throws: ``SyncError/joinedInto(_:)`` when our book has become part of the other's.
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

  /// Makes sure that who says this is who has shown a key.
  ///
  /// - Throws: ``SyncError/otherReplica(_:)`` when the log it speaks of is written under another key.
  func checkSpeaker(_ key: PublicKey) throws(SyncError) {
    // Who has no log yet claims to be nobody.
    guard replica != UniqueID.none else { return }
    guard replica == .replica(publicKey: key, incarnation: incarnation) else {
      throw .otherReplica(replica)
    }
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(9)
    writer.unsigned(Message.Kind.hello.rawValue)
    writer.unsigned(versions.lowerBound)
    writer.unsigned(versions.upperBound)
    if let book { writer.uniqueID(book) } else { writer.null() }
    // The latest are those that somebody may still hold.
    let told = formerBooks.suffix(Limit.formerBooks)
    writer.arrayHeader(told.count)
    for book in told { writer.uniqueID(book) }
    writer.uniqueID(replica)
    frontier.encode(to: &writer)
    writer.uniqueID(incarnation)
    writer.boolean(stays)
  }

  /// Reads what follows the kind.
  static func decode(_ reader: inout CBORReader, count: Int) throws(MessageFault) -> Hello {
    // A later version may say more; what it says first must be understood for ever.
    guard count >= 7 else { throw .shape }
    let (lowest, highest) = try reading { () throws(CBORError) in
      (try reader.unsigned(), try reader.unsigned())
    }
    // Version 0 said less; it is told from what is none, and refused all the same.
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
