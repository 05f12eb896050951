import Bytes
import Journaling
import Platform

extension Book {
  private static let trustLimit = 64 << 20

  /// What is remembered of the events by which it is told who may write.
  ///
  /// - Returns: nil where there is no such file, or none that can be understood; the logs are enough to make it.
  func storedTrust() throws(DaybookError) -> TrustRecord? {
    do throws(DiskError) {
      let bytes = try machine.disk.contents(of: layout.trust, limit: Self.trustLimit)
      return TrustRecord(parsing: bytes)
    } catch {
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return nil
    }
  }

  /// Whether there is such a file, and it cannot be understood.
  func isTrustDamaged() throws(DaybookError) -> Bool {
    guard try storedTrust() == nil else { return false }
    return try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.status(layout.trust) != nil
    }
  }

  /// Lets those events hold on that were told by the logs once and are no more.
  func addRemembered(to ledger: inout Ledger, in tree: LogTree) throws(DaybookError) {
    guard let record = try storedTrust() else { return }
    let told = Set(
      ledger.trustHashes.map { event, hash in
        Landmark(log: tree.replica(of: event.log), sequence: event.sequence, hash: hash)
      })
    for entry in record.entries where !told.contains(entry.rootPlace) {
      // With the whole of a branch its place in the tree is lost.
      let isHeld = journal.end(of: entry.event.log, on: .logs) != nil
      ledger.remember(entry, in: isHeld ? entry.event.log : entry.replica)
    }
  }

  /// Writes down what the logs say of who may write, and what they once said, if it is not written down so.
  ///
  /// It is a second copy: where it cannot be written now, it is at the next opportunity.
  func rememberTrust() {
    do throws(DaybookError) {
      guard try !isTrustRemembered() else { return }
      if isLocked { return try saveTrust() }
      try withLock { () throws(DaybookError) in try saveTrust() }
    } catch {
      // The events themselves are in their logs.
    }
  }

  private func isTrustRemembered() throws(DaybookError) -> Bool {
    let ledger = try remembered(by: try view()).ledger
    return try storedTrust() == trustRecord(by: ledger)
  }

  private func saveTrust() throws(DaybookError) {
    let record = try trustRecord(by: try remembered(by: try view()).ledger)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.replace(layout.trust, with: record.bytes)
    }
  }

  private func trustRecord(by ledger: Ledger) throws(DaybookError) -> TrustRecord {
    let entities = Dictionary(ledger.erasing.erases.map { ($0.place.mark, $0.entity) }) {
      first, _ in first
    }
    let entries = ledger.trustEvents.compactMap { event -> TrustRecord.Entry? in
      let name = EventName(log: event.log, sequence: event.sequence)
      guard let hash = ledger.trustHashes[name] else { return nil }
      let place = Landmark(log: event.log, sequence: event.sequence, hash: hash)
      return TrustRecord.Entry(
        replica: journal.lineage(of: event.log).replica, event: name, hash: hash,
        verb: event.verb, entity: entities[place.mark])
    }
    return TrustRecord(
      entries: entries.sorted { $0.event < $1.event }, kept: try keptPlaces(by: ledger))
  }

  /// How many events that are remembered the logs do not tell any more.
  func lostTrust() throws(DaybookError) -> Int {
    guard let record = try storedTrust() else { return 0 }
    let tree = logTree
    var places = Set(record.kept.map(\.place))
    for entry in record.entries { places.insert(entry.place) }
    var lost: Set<Landmark.Mark> = []
    for place in places {
      let root =
        journal.end(of: place.log, on: .logs) == nil ? place.log : tree.replica(of: place.log)
      var isHeld = false
      for log in tree.subtree(of: root) where !isHeld {
        isHeld = try landmark(of: log, at: place.sequence).hash == place.hash
      }
      let isAccepted = file.losses.accepted[root]?.contains { $0.contains(place.sequence) } ?? false
      if !isHeld, !isAccepted { lost.insert(place.mark) }
    }
    return lost.count
  }
}

extension TrustRecord.Entry {
  /// The event, whichever branch of its replica's log it is on.
  fileprivate var rootPlace: Landmark {
    Landmark(log: replica, sequence: event.sequence, hash: hash)
  }
}
