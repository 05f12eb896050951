import Bytes
import Journaling
import Platform

/// Determines which devices may write to a book, from its logs and from the second copy of the trust events.
struct TrustReader {
  let store: LogStore

  /// The trust of the book, or of another book that was founded from the same logs.
  func trust(by ledger: Ledger, in book: UniqueID? = nil) throws(DaybookError) -> Trust {
    var landmarks: [UniqueID: [UInt64: UniqueID]] = [:]
    var commandEnds: [UniqueID: [UInt64: UInt64]] = [:]
    let tree = store.logTree
    for event in ledger.trustEvents {
      guard case .revoke(_, let kept) = event.verb else { continue }
      for place in kept {
        for found in try held(place, in: tree) {
          landmarks[found.place.log, default: [:]][place.sequence] = found.place.hash
          commandEnds[found.place.log, default: [:]][place.sequence] = found.commandEnd
        }
      }
    }
    return Trust(
      TrustInput(
        book: book ?? store.file.book, events: ledger.trustEvents, forks: tree.forks,
        hash: { log, sequence in
          sequence == 1 ? ledger.firstHashes[log] : landmarks[log]?[sequence]
        },
        commandEnd: { log, sequence in commandEnds[log]?[sequence] ?? sequence }))
  }

  /// The events, held now or earlier, that a revocation may mean by the last event that it keeps.
  ///
  /// A device that had not seen a fork names the log instead of the branch.
  private func held(
    _ place: Landmark, in tree: LogTree
  ) throws(DaybookError) -> [TrustRecord.Kept] {
    let logs = tree.subtree(of: place.log)
    var held: [TrustRecord.Kept] = []
    for log in logs {
      let (hash, commandEnd) = try store.landmark(of: log, at: place.sequence)
      guard let hash else { continue }
      let found = Landmark(log: log, sequence: place.sequence, hash: hash)
      held.append(TrustRecord.Kept(place: found, commandEnd: commandEnd))
    }
    if held.contains(where: { $0.place.hash == place.hash }) { return held }
    // An event that was kept once is still kept after it is lost.
    guard var kept = try storedTrust()?.kept.first(where: { $0.place.mark == place.mark }) else {
      return held
    }
    if !logs.contains(kept.place.log) { kept.place.log = place.log }
    return held.filter { $0.place.log != kept.place.log } + [kept]
  }

  /// Each event that a revocation keeps and that is or was held.
  func keptPlaces(by ledger: Ledger) throws(DaybookError) -> [TrustRecord.Kept] {
    let tree = store.logTree
    var found: [Landmark: TrustRecord.Kept] = [:]
    for event in ledger.trustEvents {
      guard case .revoke(_, let kept) = event.verb else { continue }
      for place in kept {
        for held in try held(place, in: tree) where held.place.hash == place.hash {
          found[held.place] = held
        }
      }
    }
    return found.values.sorted {
      ($0.place.log, $0.place.sequence, $0.place.hash)
        < ($1.place.log, $1.place.sequence, $1.place.hash)
    }
  }
}

// MARK: - The second copy

extension TrustReader {
  private static let trustLimit = 64 << 20

  /// The second copy of the trust events.
  ///
  /// - Returns: The copy; nil if the file is missing or cannot be parsed. It can be created again from the logs.
  func storedTrust() throws(DaybookError) -> TrustRecord? {
    do throws(DiskError) {
      let bytes = try store.machine.disk.contents(
        of: store.layout.trust, limit: Self.trustLimit)
      return TrustRecord(parsing: bytes)
    } catch {
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return nil
    }
  }

  /// Whether the second copy has an erasure.
  func remembersErasure() throws(DaybookError) -> Bool {
    try storedTrust()?.entries.contains { $0.entity != nil } ?? false
  }

  /// Whether the file exists but cannot be parsed.
  func isTrustDamaged() throws(DaybookError) -> Bool {
    guard try storedTrust() == nil else { return false }
    return try wrap(DaybookError.disk) { () throws(DiskError) in
      try store.machine.disk.status(store.layout.trust) != nil
    }
  }

  /// Adds trust events that the logs once contained and have lost.
  func addRemembered(to ledger: inout Ledger, in tree: LogTree) throws(DaybookError) {
    guard let record = try storedTrust() else { return }
    let told = Set(
      ledger.trustHashes.map { event, hash in
        Landmark(log: tree.replica(of: event.log), sequence: event.sequence, hash: hash)
      })
    for entry in record.entries where !told.contains(entry.rootPlace) {
      // If a whole branch is lost, the tree no longer contains it.
      let isHeld = store.journal.end(of: entry.event.log, on: .logs) != nil
      ledger.remember(entry, in: isHeld ? entry.event.log : entry.replica)
    }
  }

  func trustRecord(by ledger: Ledger) throws(DaybookError) -> TrustRecord {
    let entities = Dictionary(ledger.erasing.erases.map { ($0.place.mark, $0.entity) }) {
      first, _ in first
    }
    let entries = ledger.trustEvents.compactMap { event -> TrustRecord.Entry? in
      let name = EventName(log: event.log, sequence: event.sequence)
      guard let hash = ledger.trustHashes[name] else { return nil }
      let place = Landmark(log: event.log, sequence: event.sequence, hash: hash)
      return TrustRecord.Entry(
        replica: store.journal.lineage(of: event.log).replica, event: name, hash: hash,
        verb: event.verb, entity: entities[place.mark])
    }
    return TrustRecord(
      entries: entries.sorted { $0.event < $1.event }, kept: try keptPlaces(by: ledger))
  }

  /// The number of events in the second copy that the logs have lost and that the user has not accepted as lost.
  func lostTrust() throws(DaybookError) -> Int {
    guard let record = try storedTrust() else { return 0 }
    let tree = store.logTree
    var places = Set(record.kept.map(\.place))
    for entry in record.entries { places.insert(entry.place) }
    var lost: Set<Landmark.Mark> = []
    for place in places {
      let root =
        store.journal.end(of: place.log, on: .logs) == nil ? place.log : tree.replica(of: place.log)
      var isHeld = false
      for log in tree.subtree(of: root) where !isHeld {
        isHeld = try store.landmark(of: log, at: place.sequence).hash == place.hash
      }
      let isAccepted =
        store.file.losses.accepted[root]?.contains { $0.contains(place.sequence) } ?? false
      if !isHeld, !isAccepted { lost.insert(place.mark) }
    }
    return lost.count
  }

  /// The last trust event of each log in the second copy.
  func trustEnds() throws(DaybookError) -> [Landmark] {
    var ends: [UniqueID: UInt64] = [:]
    for entry in try storedTrust()?.entries ?? [] {
      ends.raise(store.journal.lineage(of: entry.place.log).replica, to: entry.place.sequence)
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) }
  }

  /// Whether the event that founded the book is missing, because it is lost or was never received, or because the id in
  /// `book.json` is wrong.
  func lacksBeginning(_ trust: Trust) -> Bool {
    store.file.book != .none && trust.founder == nil
  }
}

extension TrustRecord.Entry {
  /// The place of the event, named by its replica instead of the branch that contains it.
  fileprivate var rootPlace: Landmark {
    Landmark(log: replica, sequence: event.sequence, hash: hash)
  }
}
