import Bytes
import Journaling

/// The state that is computed from the logs of a book in addition to the records.
///
/// The ledger is stored in the read model, so that a book opens quickly.
struct Ledger: Sendable {
  /// Every trust event in the logs of the book, and the remembered trust events.
  ///
  /// Remembered events of a lost branch are in that branch. Several events of a log can have the same sequence only if
  /// the log was lost and then received with different events.
  var trustEvents: [TrustEvent] = []
  /// The time of each trust event by the clock of its device, except those that are only in the second copy.
  private(set) var trustTimes: [Landmark: Int64] = [:]
  /// The trust events that the logs have lost and that take effect because of the second copy, each with its replica.
  private(set) var remembered: [Landmark: UniqueID] = [:]
  /// The latest plausible time of any folded event.
  ///
  /// New events must not have an earlier time.
  var latestTime: Int64 = 0
  /// For each log, the last event that takes effect and is folded.
  var folded: [UniqueID: UInt64] = [:]
  /// The forks of the logs when they were posted.
  var forks: [UniqueID: Fork] = [:]
  /// The holes that the journal had found when the logs were posted.
  var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
  /// For the log of each author and each forked log, the branch that the author's latest *seen* entry refers to.
  var leads: [UniqueID: [UniqueID: UniqueID]] = [:]
  /// The events that could not be read, by log.
  var missing: [UniqueID: [ClosedRange<UInt64>]] = [:]
  /// The number of record events that are folded.
  var factCount: UInt64 = 0
  /// The number of events that this version does not understand.
  ///
  /// A newer version may understand these events.
  var unreadCount: UInt64 = 0
  /// The bytes that each log's events use up in quotas, including the events of logs that are not folded.
  var chargedBytes: [UniqueID: UInt64] = [:]
  /// The erasures in the logs of the book.
  var erasing = ErasureLedger()
}

extension Ledger {
  /// Adds a trust event that was read from its log.
  mutating func note(_ event: TrustEvent, time: Int64?) {
    // The event was recovered, so remove the remembered event.
    if remembered.removeValue(forKey: event.place) != nil {
      trustEvents.removeAll { $0.place == event.place }
      erasing.forget(event.place)
    }
    trustEvents.append(event)
    trustTimes[event.place] = time
  }

  /// Adds a trust event that is no longer in any log.
  mutating func remember(_ entry: TrustRecord.Entry, in log: UniqueID) {
    let place = Landmark(log: log, sequence: entry.event.sequence, hash: entry.hash)
    guard remembered.updateValue(entry.replica, forKey: place) == nil else { return }
    trustEvents.append(TrustEvent(at: place, verb: entry.verb))
    guard let entity = entry.entity, case .erase(_, let add) = entry.verb else { return }
    erasing.note(ErasureLedger.Erase(place: place, entity: entity, add: add))
  }

  /// The events that cannot be read, by log.
  private var unreadable: [UniqueID: [ClosedRange<UInt64>]] {
    missing.merging(holes) { $0 + $1 }
  }

  /// Whether any event that was readable for an earlier ledger can no longer be read.
  func lacksEvents(of earlier: Ledger) -> Bool {
    let before = earlier.unreadable
    return unreadable.contains { log, ranges in !ranges.without(before[log] ?? []).isEmpty }
  }

  func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(15)
    writer.arrayHeader(trustEvents.count * 6)
    for event in trustEvents {
      writer.landmark(event.place)
      writer.byteString(event.verb.encode())
      if let time = trustTimes[event.place] { writer.integer(time) } else { writer.null() }
      if let replica = remembered[event.place] {
        writer.uniqueID(replica)
      } else {
        writer.null()
      }
    }
    writer.integer(latestTime)
    writer.pairs(folded) { $0.unsigned($1) }
    writer.pairs(missing) { $0.ranges($1) }
    writer.unsigned(factCount)
    writer.pairs(forks) { writer, fork in
      writer.arrayHeader(2)
      writer.byteString(fork.trunk.bytes)
      writer.unsigned(fork.lastShared)
    }
    writer.pairs(holes) { $0.ranges($1) }
    writer.pairs(leads) { writer, leads in
      writer.pairs(leads) { $0.byteString($1.bytes) }
    }
    erasing.encode(to: &writer)
    writer.unsigned(unreadCount)
    writer.pairs(chargedBytes) { $0.unsigned($1) }
    return writer.bytes
  }

  init(decoding bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    let start = reader.offset
    guard try reader.arrayHeader() == 15 else { throw .wrongLength(expected: 15, at: start) }
    for _ in 0..<(try reader.arrayHeader() / 6) { try readTrustEvent(&reader) }
    latestTime = try reader.integer()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      folded[try reader.uniqueID()] = try reader.unsigned()
    }
    missing = try reader.rangesByLog()
    factCount = try reader.unsigned()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let branch = try reader.uniqueID()
      let start = reader.offset
      guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
      let trunk = try reader.uniqueID()
      forks[branch] = Fork(trunk: trunk, lastShared: try reader.unsigned())
    }
    holes = try reader.rangesByLog()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let author = try reader.uniqueID()
      for _ in 0..<(try reader.arrayHeader() / 2) {
        let named = try reader.uniqueID()
        leads[author, default: [:]][named] = try reader.uniqueID()
      }
    }
    erasing = try ErasureLedger(decoding: &reader)
    unreadCount = try reader.unsigned()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      chargedBytes[try reader.uniqueID()] = try reader.unsigned()
    }
    try reader.finish()
  }

  private mutating func readTrustEvent(_ reader: inout CBORReader) throws(CBORError) {
    let place = try reader.landmark()
    let body = try reader.byteString()
    var time: Int64?
    if try reader.peek() == .null { try reader.null() } else { time = try reader.integer() }
    var replica: UniqueID?
    if try reader.peek() == .null { try reader.null() } else { replica = try reader.uniqueID() }
    guard case .trust(let verb) = JournalBody(body.span) else { return }
    note(TrustEvent(at: place, verb: verb), time: time)
    remembered[place] = replica
  }
}

extension CBORWriter {
  fileprivate mutating func pairs<Value>(
    _ values: [UniqueID: Value], _ write: (inout CBORWriter, Value) -> Void
  ) {
    arrayHeader(values.count * 2)
    for (log, value) in values.sorted(by: { $0.key < $1.key }) {
      byteString(log.bytes)
      write(&self, value)
    }
  }

  fileprivate mutating func ranges(_ ranges: [ClosedRange<UInt64>]) {
    arrayHeader(ranges.count * 2)
    for range in ranges {
      unsigned(range.lowerBound)
      unsigned(range.upperBound)
    }
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func rangesByLog() throws(CBORError) -> [UniqueID: [ClosedRange<UInt64>]] {
    var found: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for _ in 0..<(try arrayHeader() / 2) {
      let log = try uniqueID()
      var ranges: [ClosedRange<UInt64>] = []
      for _ in 0..<(try arrayHeader() / 2) {
        let first = try unsigned()
        ranges.append(first...max(first, try unsigned()))
      }
      found[log] = ranges
    }
    return found
  }
}
