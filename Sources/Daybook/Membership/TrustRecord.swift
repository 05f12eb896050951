import Bytes
import Crypto
import Journaling

/// A second copy of the trust events of a book, next to its logs.
///
/// An event that was verified and counted must not stop counting because the disk has lost it. Otherwise, a revoked
/// device could return, or the loss of an admission would remove everything that the admitted device wrote. Therefore,
/// these events are stored a second time here, together with the events that revocations keep and the forks on the way
/// to all of them. This copy is used only for events that are missing from the logs.
struct TrustRecord: Equatable {
  /// An event as read from its log.
  struct Entry: Equatable {
    /// The replica of the log or branch.
    var replica: UniqueID
    var event: EventName
    /// The first 16 bytes of the chain hash at the event.
    var hash: UniqueID
    var verb: TrustVerb
    /// The entity that an `erase` refers to.
    ///
    /// The body identifies its log only by an index into the table of the author.
    var entity: EventName?

    var place: Landmark { Landmark(log: event.log, sequence: event.sequence, hash: hash) }

    /// The place of the event, named by its replica instead of the branch that contains it.
    var rootPlace: Landmark { Landmark(log: replica, sequence: event.sequence, hash: hash) }
  }

  /// The version of an event kept by a revocation that this device has stored.
  struct Kept: Equatable {
    var place: Landmark
    /// The last event up to it that ends a command.
    var commandEnd: UInt64

    /// The last event that is kept.
    var end: EventName { EventName(log: place.log, sequence: commandEnd) }
  }

  var entries: [Entry] = []
  var kept: [Kept] = []
  /// The event before each branch that the other parts name, and before each branch on the way to it, in its trunk.
  var forkPoints: [UniqueID: Landmark] = [:]
}

extension TrustRecord {
  /// Sorts the events, so that equal copies have equal bytes.
  mutating func sort() {
    entries.sort { ($0.event, $0.hash) < ($1.event, $1.hash) }
    kept.sort {
      ($0.place.log, $0.place.sequence, $0.place.hash)
        < ($1.place.log, $1.place.sequence, $1.place.hash)
    }
  }

  private static let version: UInt64 = 1
  private static let digestBytes = 32

  /// The bytes of the file: a CBOR array followed by its SHA-256.
  var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(Self.version)
    writer.arrayHeader(entries.count)
    for entry in entries { entry.encode(to: &writer) }
    writer.arrayHeader(kept.count)
    for kept in kept {
      writer.arrayHeader(4)
      writer.landmark(kept.place)
      writer.unsigned(kept.commandEnd)
    }
    writer.arrayHeader(forkPoints.count)
    for (branch, point) in forkPoints.sorted(by: { $0.key < $1.key }) {
      writer.arrayHeader(4)
      writer.uniqueID(branch)
      writer.landmark(point)
    }
    return writer.bytes + SHA256.digest(of: writer.bytes).bytes
  }

  /// Reads the file; nil if it is damaged or has an unknown version.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count > Self.digestBytes else { return nil }
    let content = Array(bytes.dropLast(Self.digestBytes))
    guard SHA256.digest(of: content).bytes == Array(bytes.suffix(Self.digestBytes)) else {
      return nil
    }
    do throws(CBORError) {
      try self.init(decoding: content)
    } catch {
      return nil
    }
  }

  private init(decoding content: [UInt8]) throws(CBORError) {
    var reader = CBORReader(content.span)
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count == 3 || count == 4, try reader.unsigned() == Self.version else {
      throw .wrongLength(expected: 4, at: start)
    }
    for _ in 0..<(try reader.arrayHeader()) {
      if let entry = try Entry(decoding: &reader) { entries.append(entry) }
    }
    for _ in 0..<(try reader.arrayHeader()) {
      let start = reader.offset
      guard try reader.arrayHeader() == 4 else { throw .wrongLength(expected: 4, at: start) }
      let place = try reader.landmark()
      kept.append(Kept(place: place, commandEnd: try reader.sequence(upTo: place.sequence)))
    }
    // A file of an older version names no forks.
    for _ in 0..<(count == 4 ? try reader.arrayHeader() : 0) {
      let start = reader.offset
      guard try reader.arrayHeader() == 4 else { throw .wrongLength(expected: 4, at: start) }
      let branch = try reader.uniqueID()
      let (trunk, sequence) = (try reader.uniqueID(), try reader.sequence())
      forkPoints[branch] = Landmark(log: trunk, sequence: sequence, hash: try reader.uniqueID())
    }
    try reader.finish()
  }
}

extension TrustRecord.Entry {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(entity == nil ? 5 : 7)
    writer.uniqueID(replica)
    writer.landmark(place)
    writer.byteString(verb.encode())
    guard let entity else { return }
    writer.uniqueID(entity.log)
    writer.unsigned(entity.sequence)
  }

  /// - Returns: nil for an event that is not about trust, or is malformed.
  fileprivate init?(decoding reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count == 5 || count == 7 else { throw .wrongLength(expected: 5, at: start) }
    let replica = try reader.uniqueID()
    let place = try reader.landmark()
    let body = try reader.byteString()
    var entity: EventName?
    if count == 7 {
      let log = try reader.uniqueID()
      entity = EventName(log: log, sequence: try reader.sequence())
    }
    guard case .trust(let verb) = JournalBody(body.span) else { return nil }
    self.init(
      replica: replica, event: EventName(log: place.log, sequence: place.sequence),
      hash: place.hash, verb: verb, entity: entity)
  }
}

extension CBORReader {
  /// Reads the sequence of an event, or 0 for the position before the first event of a log.
  @_lifetime(self: copy self)
  fileprivate mutating func sequence(
    upTo last: UInt64 = Limit.lastSequence - 1
  ) throws(CBORError) -> UInt64 {
    let place = offset
    let sequence = try unsigned()
    guard sequence <= last else { throw .outOfRange(at: place) }
    return sequence
  }
}
