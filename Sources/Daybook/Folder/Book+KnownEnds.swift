package import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import Syncing
import Verifying

// How far logs are known to have gone. When the last file of one is lost, the files themselves do not tell.
//
// What others tell of others' logs proves nothing: it may be still to come.

extension Book {
  /// The events that are known to have been here, given those that were posted last.
  func knownEnds(_ posted: [Landmark]) throws(DaybookError) -> [Landmark] {
    let own = [file.writers[try mark()]].compactMap(\.self)
    return try posted + Array(file.losses.ends.values) + ownEnds() + seenEnds(own) + trustEnds()
  }

  /// The last events that say who may write, as the book remembers them.
  func trustEnds() throws(DaybookError) -> [Landmark] {
    var ends: [UniqueID: UInt64] = [:]
    for entry in try storedTrust()?.entries ?? [] {
      ends.raise(journal.lineage(of: entry.place.log).replica, to: entry.place.sequence)
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) }
  }

  /// The last events of the log that this machine writes, as far as they are known by what lies outside of the logs.
  func ownEnds() throws(DaybookError) -> [Landmark] {
    guard let log = file.writers[try mark()] else { return [] }
    return try knownEnds(ofOwn: log)
  }

  /// How many of the last events of a log peers have said that they hold.
  package func countReached(among count: UInt64, of log: UniqueID) throws(DaybookError) -> UInt64 {
    let end = heldEnds()[log] ?? 0
    let reached = try peers().peers.values.flatMap { $0.frontier.places(of: log) }.map(\.sequence)
    let lacked = end - min(end, reached.max() ?? 0)
    return count - min(count, lacked)
  }

  /// The last events of a log of this machine, by its witness and by what peers have told of it.
  func knownEnds(ofOwn log: UniqueID) throws(DaybookError) -> [Landmark] {
    let told = try peers().peers.values.flatMap { peer in
      peer.frontier.places(of: log).map { $0.islands.last?.upperBound ?? $0.sequence }
    }
    let witnessed = witnessed(of: log).map {
      Landmark(log: log, sequence: $0.sequence, hash: $0.hash.prefix16)
    }
    // A log is named in `book.json` only after its first event is durable.
    let first = Landmark(log: log, sequence: 1, hash: .none)
    return [first, witnessed, told.max().map { Landmark(log: log, sequence: $0, hash: .none) }]
      .compactMap(\.self)
  }

  /// Whether an event that is known to have been here still is; of one that is known without its hash, any with its
  /// sequence or a later one tells.
  ///
  /// - Parameters:
  ///   - end: The event.
  ///   - held: How far the logs are held, worked out once for all that are asked about.
  /// - Returns: Whether it is here.
  /// - Throws: ``DaybookError``, when the logs cannot be read.
  func isHere(
    _ end: Landmark, by held: [UniqueID: UInt64]
  ) throws(DaybookError) -> Bool {
    guard end.sequence > 0 else { return true }
    guard (held[end.log] ?? 0) >= end.sequence else { return false }
    guard end.hash != .none, journal.end(of: end.log, on: .logs) != nil else { return true }
    let tree = logTree
    if try tree.holder(of: end) != nil { return true }
    // What cannot be read is missing as a hole, and may be the one.
    return try !tree.holdsAny(end.log, end.sequence)
  }

  /// What the own logs have seen of others, and others of these.
  private func seenEnds(_ own: [UniqueID]) -> [Landmark] {
    postedCausality.map { seenEnds(own, $0) } ?? []
  }

  /// The same, by one who knows what was seen.
  func seenEnds(_ own: [UniqueID], _ causality: Causality) -> [Landmark] {
    var ends: [UniqueID: UInt64] = [:]
    for number in own.compactMap({ causality.number(of: $0) }) {
      for other in causality.logs {
        guard let otherNumber = causality.number(of: other.id), otherNumber != number else {
          continue
        }
        ends.raise(other.replica, to: causality.lastSeen(of: otherNumber, by: number))
        if let identity = causality.identity(of: number) {
          ends.raise(identity.replica, to: causality.lastSeen(of: number, by: otherNumber))
        }
      }
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) }
  }

  /// What was seen; where nothing can be folded, that is not known, and the rest must do.
  var postedCausality: Causality? {
    guard let model = try? view() else { return nil }
    return try? remembered(by: model).causality
  }

  /// The last events that were posted to the read model, as it lies there.
  func postedEnds() -> [Landmark] {
    // One that cannot be read tells nothing, and is made anew by whoever needs it.
    (try? readPostedEnds()) ?? []
  }

  private func readPostedEnds() throws(DaybookError) -> [Landmark] {
    guard let model = try presentModel() else { return [] }
    let book = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting("book")
    }
    guard book == file.book.bytes else { return [] }
    return try positions(of: model).values.filter { $0.sequence > 0 }.map {
      Landmark(log: $0.replica, sequence: $0.sequence, hash: $0.hash)
    }
  }

  /// How far the logs of each replica are held.
  func heldEnds() -> [UniqueID: UInt64] {
    var ends: [UniqueID: UInt64] = [:]
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      ends.raise(journal.lineage(of: log).replica, to: end.sequence)
    }
    return ends
  }

  /// The read model as it was left, if there is one.
  func presentModel() throws(DaybookError) -> ReadModel? {
    if let model { return model }
    guard case .file(let path) = place else { return nil }
    let status = try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.status(Path(path))
    }
    guard status != nil else { return nil }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in try ReadModel(place) }
  }
}

extension [UniqueID: UInt64] {
  fileprivate mutating func raise(_ replica: UniqueID, to sequence: UInt64) {
    if sequence > self[replica] ?? 0 { self[replica] = sequence }
  }
}

extension Causality {
  /// The last event of a log that others say they have folded; 0 where there is none.
  func lastSeenByOthers(of log: UniqueID) -> UInt64 {
    guard let number = number(of: log) else { return 0 }
    let others = logs.indices.map(UInt32.init).filter { $0 != number }
    return others.map { lastSeen(of: number, by: $0) }.max() ?? 0
  }
}

extension VerificationReport {
  /// Tells of events that were held and are gone: behind the ends of logs, and with others in their places.
  ///
  /// - Parameters:
  ///   - known: Events that are known to have been here.
  ///   - isHere: Whether one of them still is.
  /// - Throws: What `isHere` throws.
  mutating func tellLost(
    _ known: [Landmark], isHere: (Landmark) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    for (replica, ends) in Dictionary(grouping: known, by: \.log).sorted(by: { $0.key < $1.key }) {
      let strands = logs.filter { $0.replica == replica }
      let reached = strands.flatMap { [$0.last] + $0.missing.map(\.upperBound) }
      let held = reached.max() ?? 0
      let last = ends.map(\.sequence).max() ?? 0
      let shelf = strands.first?.isAside == true ? "aside" : "logs"
      let file = "\(shelf)/\(replica.hex)"
      if held < last {
        faults.append(Fault(file: file, offset: 0, what: .shortened(held: held, known: last)))
        note(held + 1...last, of: replica)
      }
      for end in Set(ends.filter { $0.sequence <= held }).sorted(by: { $0.sequence < $1.sequence })
      where try !isHere(end) {
        faults.append(Fault(file: file, offset: 0, what: .replaced(end.sequence)))
        note(end.sequence...end.sequence, of: replica)
      }
    }
    faults.sort { ($0.file, $0.offset) < ($1.file, $1.offset) }
  }

  /// Takes out what the user has accepted as lost, and counts it.
  mutating func setAside(_ losses: LossRecord) {
    guard !losses.accepted.isEmpty else { return }
    let missing = missingByReplica
    // Bytes that cannot be read are what is left of events that are accepted as lost, where no others are missing.
    let settled = Set(
      missing.filter { losses.unaccepted($0.value, of: $0.key).isEmpty }.keys.map(\.hex))
    faults.removeAll { fault in
      let folders = fault.file.split(separator: "/")
      guard folders.count > 1, let replica = UniqueID(hex: String(folders[1])) else { return false }
      guard let range = fault.what.missing else {
        return fault.what.isUnreadable && settled.contains(replica.hex)
      }
      return losses.unaccepted([range], of: replica).isEmpty
    }
    for place in logs.indices {
      let replica = logs[place].replica
      logs[place].bodiless = losses.unaccepted(logs[place].bodiless, of: replica)
    }
    accepted = missing.reduce(0) { count, ranges in
      let open = losses.unaccepted(ranges.value, of: ranges.key)
      return count + ranges.value.eventCount - open.eventCount
    }
  }

  /// Counts events as missing from the replica's log, which may be gone altogether.
  private mutating func note(_ missing: ClosedRange<UInt64>, of replica: UniqueID) {
    if let index = logs.firstIndex(where: { $0.id == replica }) {
      logs[index].missing.append(missing)
    } else {
      var log = VerifiedLog(id: replica, isAside: false)
      log.missing = [missing]
      let index = logs.firstIndex { $0.isAside || $0.replica > replica } ?? logs.count
      logs.insert(log, at: index)
    }
  }
}

extension Fault.What {
  /// Whether it is of those that go when the user accepts what is missing as lost.
  package var canBeAccepted: Bool { missing != nil || isUnreadable }

  /// The events that are not there, where that is the fault.
  fileprivate var missing: ClosedRange<UInt64>? {
    switch self {
    case .missing(let range), .knownHole(let range): range
    case .shortened(let held, let known): held + 1...known
    case .replaced(let sequence): sequence...sequence
    default: nil
    }
  }

  /// Whether bytes are there that are no event.
  fileprivate var isUnreadable: Bool {
    switch self {
    case .damage, .foreign, .hole, .misnamed, .tornTail: true
    default: false
    }
  }
}

extension [ClosedRange<UInt64>] {
  fileprivate var eventCount: UInt64 {
    [ClosedRange<UInt64>](joining: self).reduce(0) { $0 + UInt64($1.count) }
  }
}
