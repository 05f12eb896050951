import Bytes
import Crypto
import Journaling
import Platform
import Syncing

extension LogStore {
  /// Calls a closure with the frames of a log, starting with the one that contains the given event, and skips damaged
  /// parts.
  ///
  /// - Returns: The damage that was skipped.
  @discardableResult
  func forEachFrame(
    of log: UniqueID, from sequence: UInt64 = 1, upTo last: UInt64 = .max,
    _ visit: (Frame, _ events: ArraySlice<EventRecord>) throws(DaybookError) -> Void
  ) throws(DaybookError) -> [Damage] {
    var reader = try wrap(DaybookError.journal) { () throws(JournalError) in
      // For a single event, nothing after its frame is needed.
      try journal.reader(of: log, from: sequence, ahead: last > sequence)
    }
    while let read = try nextFrame(&reader), read.firstSequence <= last {
      try visit(read.frame, read.events)
    }
    return reader.damage
  }

  private func nextFrame(_ reader: inout LogReader) throws(DaybookError) -> ReadFrame? {
    do throws(DiskError) { return try reader.read() } catch { throw .disk(error) }
  }

  /// The forks of the logs in the journal.
  var logTree: LogTree {
    let ids = journal.forks.isEmpty ? [:] : journal.logs.merging(journal.aside) { log, _ in log }
    var logs: [UniqueID: (lineage: Lineage, end: UInt64)] = [:]
    for (log, end) in ids { logs[log] = (journal.lineage(of: log), end.sequence) }
    var recent = RecentHashes()
    return LogTree(logs) { [unowned self] log, sequence throws(DaybookError) in
      try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.hash(of: log, at: sequence, recent: &recent)?.prefix16
      }
    }
  }

  /// The chain hash at an event, or nil if the event is not held.
  func chainHash(of log: UniqueID, at sequence: UInt64) throws(DaybookError) -> Digest? {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.hash(of: log, at: sequence)
    }
  }

  /// Whether any event in a range of a log can be read, with or without its body.
  func canRead(
    _ range: ClosedRange<UInt64>, of log: UniqueID
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      var reader = try journal.reader(of: log, from: range.lowerBound)
      let next = try wrap(JournalError.disk) { () throws(DiskError) in try reader.read() }
      return next.map { $0.firstSequence <= range.upperBound } ?? false
    }
  }

  /// Whether any event in a range of a log can be read with its body.
  func hasBody(
    in range: ClosedRange<UInt64>, of log: UniqueID
  ) throws(DaybookError) -> Bool {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      var reader = try journal.reader(of: log, from: range.lowerBound)
      return try wrap(JournalError.disk) { () throws(DiskError) in
        while let read = try reader.read(), read.firstSequence <= range.upperBound {
          for event in read.events where range.contains(event.sequence) && !event.isStripped {
            return true
          }
        }
        return false
      }
    }
  }

  /// The unreadable events before the ends of logs, as far as the journal has found them.
  var journalHoles: [UniqueID: [ClosedRange<UInt64>]] {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let ranges = journal.holes(in: log)
      if !ranges.isEmpty { holes[log] = ranges }
    }
    return holes
  }

  /// The events of a log, up to a given sequence, that are not folded because they or their bodies are missing.
  func unread(of log: UniqueID, upTo last: UInt64, _ ledger: Ledger) -> [ClosedRange<UInt64>] {
    absent(
      of: log, upTo: last, ledger, besides: ledger.erasing.bodiless(in: log, by: ledger.folded))
  }

  /// The number of events of all logs up to their ends, not counting missing events.
  func countOfPresent(by ledger: Ledger) -> UInt64 {
    journal.logs.reduce(0) { sum, log in
      let lineage = journal.lineage(of: log.key)
      return sum
        + countOfPresent(
          in: log.key, after: lineage.first - 1, upTo: log.value.sequence, by: ledger)
    }
  }

  /// The number of events of a log after one sequence and up to another, not counting missing events.
  func countOfPresent(
    in log: UniqueID, after sequence: UInt64, upTo last: UInt64, by ledger: Ledger
  ) -> UInt64 {
    guard sequence < last else { return 0 }
    let absent = absent(of: log, upTo: last, ledger)
    return [sequence + 1...last].without(absent).reduce(0) { $0 + UInt64($1.count) }
  }

  private func absent(
    of log: UniqueID, upTo last: UInt64, _ ledger: Ledger, besides more: [ClosedRange<UInt64>] = []
  ) -> [ClosedRange<UInt64>] {
    let first = journal.lineage(of: log).first
    guard first <= last else { return [] }
    let found = (ledger.missing[log] ?? []) + journal.holes(in: log) + more
    return [ClosedRange<UInt64>](joining: found.within(first...last))
  }

  /// The chain hash at an event, and the last event up to it that ends a command.
  func landmark(
    of log: UniqueID, at sequence: UInt64
  ) throws(DaybookError) -> (hash: UniqueID?, commandEnd: UInt64) {
    var recent: LandmarkFrame?
    return try landmark(of: log, at: sequence, recent: &recent)
  }

  /// The chain hash at an event, and the last event up to it that ends a command.
  ///
  /// If lookups of events share the recent frame and follow the order of the log, each frame is read only once.
  func landmark(
    of log: UniqueID, at sequence: UInt64, recent: inout LandmarkFrame?
  ) throws(DaybookError) -> (hash: UniqueID?, commandEnd: UInt64) {
    guard let end = journal.end(of: log, on: .logs), end.sequence >= sequence,
      sequence >= journal.lineage(of: log).first
    else { return (nil, sequence) }
    // A log ends with a whole command.
    if sequence == end.sequence { return (end.hash.prefix16, sequence) }
    if let known = recent?.landmark(of: log, at: sequence) { return known }
    try forEachFrame(of: log, from: sequence, upTo: sequence) { frame, _ in
      recent = LandmarkFrame(frame, of: log)
    }
    return recent?.landmark(of: log, at: sequence) ?? (nil, sequence)
  }

  /// The first event of a log, which contains the key of its device.
  func openEvent(of log: UniqueID) throws(DaybookError) -> TrustVerb? {
    var open: TrustVerb?
    try forEachFrame(of: log, upTo: 1) { frame, _ in
      // A log without a valid first event was refused when it arrived.
      open = frame.opening.map(TrustVerb.open)
    }
    return open
  }
}

// MARK: - How far logs are held

extension LogStore {
  /// The number of events in the logs of the book.
  var heldEventCount: UInt64 { journal.logs.values.reduce(0) { $0 + $1.sequence } }

  /// For each replica and each branch, the last event that is held on it or on any branch that follows it.
  func heldEnds() -> [UniqueID: UInt64] {
    var ends: [UniqueID: UInt64] = [:]
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      ends.raise(log, to: end.sequence)
      var lineage = journal.lineage(of: log)
      while let trunk = lineage.fork?.trunk {
        ends.raise(trunk, to: end.sequence)
        lineage = journal.lineage(of: trunk)
      }
    }
    return ends
  }

  /// The number of held events, by replica, on all branches.
  func heldEvents() -> [UniqueID: UInt64] {
    var held: [UniqueID: UInt64] = [:]
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      let lineage = journal.lineage(of: log)
      held[lineage.replica, default: 0] += end.sequence - min(end.sequence, lineage.first - 1)
    }
    return held
  }

  /// Computes a name for a set of events: the events of the given logs up to the given ends, except erasures that are
  /// held back.
  func stateName(
    of logs: [UniqueID: UInt64], holding heldBack: Set<Landmark.Mark>
  ) -> Digest {
    var name = heldBack.map(\.hash).sorted().flatMap(\.bytes)
    for (log, last) in logs.sorted(by: { $0.key < $1.key }) {
      guard let end = journal.end(of: log, on: .logs) else { continue }
      name += log.bytes + end.hash.bytes + Array("\(min(last, end.sequence)) ".utf8)
    }
    return SHA256.digest(of: name)
  }

  var frontier: Frontier {
    // An event that cannot be read is not part of the frontier, so peers send it again.
    Frontier((try? journal.places()) ?? [])
  }
}
extension Damage {
  /// The events that are missing because of the damage.
  var missing: ClosedRange<UInt64>? {
    if case .missing(let range) = kind { range } else { nil }
  }
}
