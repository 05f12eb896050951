import Bytes
import Crypto
import Journaling

/// A second copy of the trust events of a book, next to its logs.
///
/// An event that was verified and counted must not stop counting because the disk has lost it. Otherwise, a revoked
/// device could return, or the loss of an admission would remove everything that the admitted device wrote. Therefore,
/// these events are stored a second time here, together with the events that revocations keep and the forks on the way
/// to all of them. This copy is used only for events that are missing from the logs.
///
/// A log that has lost its end may continue with another branch later. To show that the lost events are not in that
/// branch, the copy also contains the chain hashes of some of the events before them: their *trails*.
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
    var trail = Trail()

    var place: Landmark { Landmark(log: event.log, sequence: event.sequence, hash: hash) }

    /// The place of the event, named by its replica instead of the branch that contains it.
    var rootPlace: Landmark { Landmark(log: replica, sequence: event.sequence, hash: hash) }
  }

  /// An event that a revocation keeps, in the version that this device has stored.
  struct Kept: Equatable {
    var place: Landmark
    /// The last event that ends a command, up to and including the kept event.
    var commandEnd: UInt64
    var trail = Trail()

    /// The last event that is kept.
    var end: EventName { EventName(log: place.log, sequence: commandEnd) }
  }

  /// The first 16 bytes of the chain hash at each of the events 1, 2, 4, 8, … places before an event.
  ///
  /// The hashes go back to the preceding event of the copy in the same log or branch, or to the beginning of that log
  /// or branch. A hash is zero if the event could not be read.
  struct Trail: Equatable {
    var hashes: [UniqueID] = []

    /// The events in the trail of an event, latest first.
    static func sequences(before last: UInt64, after first: UInt64) -> [UInt64] {
      var found: [UInt64] = []
      var step: UInt64 = 1
      while step < last, last - step > first {
        found.append(last - step)
        let (next, isOver) = step.multipliedReportingOverflow(by: 2)
        guard !isOver else { break }
        step = next
      }
      return found
    }

    /// The events of the trail whose hashes are known.
    func marks(before last: UInt64) -> [Landmark.Mark] {
      zip(Self.sequences(before: last, after: 0), hashes).compactMap { sequence, hash in
        hash == .none ? nil : Landmark.Mark(sequence: sequence, hash: hash)
      }
    }
  }

  var entries: [Entry] = []
  var kept: [Kept] = []
  /// For each branch that the other parts name, and each branch on the way to it, the event before it in its trunk.
  var forkPoints: [UniqueID: Landmark] = [:]
}

extension TrustRecord {
  /// The places of the events and of the kept events, each with its trail.
  var places: [(place: Landmark, trail: Trail)] {
    entries.map { ($0.place, $0.trail) } + kept.map { ($0.place, $0.trail) }
  }

  /// The events of each log and branch whose hashes are known here, in order.
  var points: [UniqueID: [Landmark.Mark]] {
    var found: [UniqueID: Set<Landmark.Mark>] = [:]
    for (place, trail) in places {
      found[place.log, default: []].insert(place.mark)
      found[place.log]?.formUnion(trail.marks(before: place.sequence))
    }
    for point in forkPoints.values where point.sequence > 0 && point.hash != .none {
      found[point.log, default: []].insert(point.mark)
    }
    return found.mapValues { marks in
      marks.sorted { ($0.sequence, $0.hash) < ($1.sequence, $1.hash) }
    }
  }

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
      writer.arrayHeader(kept.trail.hashes.isEmpty ? 4 : 5)
      writer.landmark(kept.place)
      writer.unsigned(kept.commandEnd)
      writer.trail(kept.trail)
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
      let count = try reader.arrayHeader()
      guard count == 4 || count == 5 else { throw .wrongLength(expected: 4, at: start) }
      let place = try reader.landmark()
      let commandEnd = try reader.sequence(upTo: place.sequence)
      let trail = count == 5 ? try reader.trail(before: place.sequence) : TrustRecord.Trail()
      kept.append(Kept(place: place, commandEnd: commandEnd, trail: trail))
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
    writer.arrayHeader((entity == nil ? 5 : 7) + (trail.hashes.isEmpty ? 0 : 1))
    writer.uniqueID(replica)
    writer.landmark(place)
    writer.byteString(verb.encode())
    if let entity {
      writer.uniqueID(entity.log)
      writer.unsigned(entity.sequence)
    }
    writer.trail(trail)
  }

  /// - Returns: nil for an event that is not about trust, or is malformed.
  fileprivate init?(decoding reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard (5...8).contains(count) else { throw .wrongLength(expected: 5, at: start) }
    let replica = try reader.uniqueID()
    let place = try reader.landmark()
    let body = try reader.byteString()
    var entity: EventName?
    if count >= 7 {
      let log = try reader.uniqueID()
      entity = EventName(log: log, sequence: try reader.sequence())
    }
    let hasTrail = count == 6 || count == 8
    let trail = hasTrail ? try reader.trail(before: place.sequence) : TrustRecord.Trail()
    guard case .trust(let verb) = JournalBody(body.span) else { return nil }
    self.init(
      replica: replica, event: EventName(log: place.log, sequence: place.sequence),
      hash: place.hash, verb: verb, entity: entity, trail: trail)
  }
}

extension CBORWriter {
  /// Writes a trail, unless it is empty.
  fileprivate mutating func trail(_ trail: TrustRecord.Trail) {
    guard !trail.hashes.isEmpty else { return }
    byteString(trail.hashes.flatMap(\.bytes))
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func trail(before last: UInt64) throws(CBORError) -> TrustRecord.Trail {
    let place = offset
    let bytes = try byteString()
    let most = TrustRecord.Trail.sequences(before: last, after: 0).count
    guard bytes.count % 16 == 0, (1...max(1, most)).contains(bytes.count / 16) else {
      throw .outOfRange(at: place)
    }
    let hashes = stride(from: 0, to: bytes.count, by: 16).map {
      UniqueID(Array(bytes[$0..<$0 + 16]))
    }
    return TrustRecord.Trail(hashes: hashes)
  }

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
