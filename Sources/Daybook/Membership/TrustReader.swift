import Bytes
import Journaling
import Platform

/// Determines which devices may write to a book, from its logs and from the second copy of the trust events.
struct TrustReader {
  let store: LogStore

  /// The trust of the book, or of another book that was founded from the same logs.
  func trust(by ledger: Ledger, in book: UniqueID? = nil) throws(DaybookError) -> Trust {
    var commandEnds: [Landmark: UInt64] = [:]
    // A remembered first event is not necessarily remembered as one that a revocation keeps, too.
    for event in ledger.trustEvents where event.sequence == 1 { commandEnds[event.place] = 1 }
    let tree = store.logTree
    for kept in try keptPlaces(by: ledger, in: tree) { commandEnds[kept.place] = kept.commandEnd }
    return Trust(
      TrustInput(
        book: book ?? store.file.book, events: ledger.trustEvents, forks: tree.forks,
        commandEnd: { commandEnds[$0] }))
  }

  /// Each event that a revocation names as the last that it keeps and that is or was held, once for each log that has
  /// it.
  private func keptPlaces(
    by ledger: Ledger, in tree: LogTree
  ) throws(DaybookError) -> [TrustRecord.Kept] {
    var found: [Landmark: TrustRecord.Kept] = [:]
    var lost: [Landmark] = []
    for event in ledger.trustEvents {
      guard case .revoke(_, let kept) = event.verb else { continue }
      for place in kept {
        let held = try held(place, in: tree)
        for kept in held { found[kept.place] = kept }
        if held.isEmpty { lost.append(place) }
      }
    }
    // An event that was kept once is still kept after it is lost.
    let stored = lost.isEmpty ? [] : try storedTrust()?.kept ?? []
    let remembered = Dictionary(stored.map { ($0.place.mark, $0) }) { first, _ in first }
    for place in lost {
      guard var kept = remembered[place.mark] else { continue }
      if !tree.subtree(of: place.log).contains(kept.place.log) { kept.place.log = place.log }
      found[kept.place] = kept
    }
    return found.values.sorted {
      ($0.place.log, $0.place.sequence, $0.place.hash)
        < ($1.place.log, $1.place.sequence, $1.place.hash)
    }
  }

  /// The event that a revocation keeps, in each log that holds it.
  ///
  /// A device that had not seen a fork names the log instead of the branch.
  private func held(
    _ place: Landmark, in tree: LogTree
  ) throws(DaybookError) -> [TrustRecord.Kept] {
    var held: [TrustRecord.Kept] = []
    for log in tree.subtree(of: place.log) {
      let (hash, commandEnd) = try store.landmark(of: log, at: place.sequence)
      guard hash == place.hash else { continue }
      let found = Landmark(log: log, sequence: place.sequence, hash: place.hash)
      held.append(TrustRecord.Kept(place: found, commandEnd: commandEnd))
    }
    return held
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
      ledger.trustEvents.map { event in
        var place = event.place
        place.log = tree.replica(of: place.log)
        return place
      })
    for entry in record.entries where !told.contains(entry.rootPlace) {
      // If a whole branch is lost, the tree no longer contains it.
      let isHeld = store.journal.end(of: entry.event.log, on: .logs) != nil
      ledger.remember(entry, in: isHeld ? entry.event.log : entry.replica)
    }
  }

  func trustRecord(by ledger: Ledger) throws(DaybookError) -> TrustRecord {
    let entities = Dictionary(ledger.erasing.erases.map { ($0.place, $0.entity) }) {
      first, _ in first
    }
    let stored = Dictionary(try storedTrust()?.entries.map { ($0.rootPlace, $0) } ?? []) {
      first, _ in first
    }
    let entries = ledger.trustEvents.map { event in
      let entry = TrustRecord.Entry(
        replica: store.journal.lineage(of: event.log).replica,
        event: EventName(log: event.log, sequence: event.sequence), hash: event.place.hash,
        verb: event.verb, entity: entities[event.place])
      // The branch of a lost event keeps its name, although the event counts in the log of the replica.
      guard ledger.remembered.contains(event.place) else { return entry }
      return stored[entry.rootPlace] ?? entry
    }
    return TrustRecord(
      entries: entries.sorted { ($0.event, $0.hash) < ($1.event, $1.hash) },
      kept: try keptPlaces(by: ledger, in: store.logTree))
  }

  /// The number of events in the second copy that the logs have lost and that the user has not accepted as lost.
  func lostTrust() throws(DaybookError) -> Int {
    guard let record = try storedTrust() else { return 0 }
    let tree = store.logTree
    var replicas: [Landmark: UniqueID] = [:]
    for kept in record.kept { replicas[kept.place] = tree.replica(of: kept.place.log) }
    for entry in record.entries { replicas[entry.place] = entry.replica }
    var lost: Set<Landmark.Mark> = []
    for (place, replica) in replicas {
      let isAccepted =
        store.file.losses.accepted[replica]?.contains { $0.contains(place.sequence) } ?? false
      guard !isAccepted, try !isHeld(place, of: replica, in: tree) else { continue }
      lost.insert(place.mark)
    }
    return lost.count
  }

  /// Whether any log of a replica has an event, whatever log its place names.
  private func isHeld(
    _ place: Landmark, of replica: UniqueID, in tree: LogTree
  ) throws(DaybookError) -> Bool {
    for log in tree.subtree(of: replica) {
      if try store.landmark(of: log, at: place.sequence).hash == place.hash { return true }
    }
    return false
  }

  /// The last trust event of each held log in the second copy, and every trust event of other logs.
  ///
  /// A branch has no name of its own once the other branches are lost, and then its events may be in the log itself.
  func trustEnds() throws(DaybookError) -> [Landmark] {
    var ends: [UniqueID: UInt64] = [:]
    var elsewhere: [Landmark] = []
    for entry in try storedTrust()?.entries ?? [] {
      if store.journal.end(of: entry.event.log, on: .logs) == nil {
        elsewhere.append(entry.rootPlace)
      } else {
        ends.raise(entry.replica, to: entry.event.sequence)
      }
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) } + elsewhere
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
