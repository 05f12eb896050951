import Bytes
import Crypto
import Journaling
import Platform

/// Determines which devices may write to a book, from its logs and from the second copy of the trust events.
struct TrustReader {
  let store: LogStore

  /// The trust of the book, or of another book that was founded from the same logs.
  func trust(by ledger: Ledger, in book: UniqueID? = nil) throws(DaybookError) -> Trust {
    let tree = store.logTree
    var keptEnds: [Landmark.Mark: EventName] = [:]
    // A remembered first event is not necessarily also remembered as one that a revocation keeps.
    for event in ledger.trustEvents where event.sequence == 1 {
      keptEnds[event.place.mark] = EventName(log: event.log, sequence: 1)
    }
    let (held, lost) = try keptEvents(by: ledger, in: tree)
    for kept in held { keptEnds[kept.place.mark] = kept.end }
    var forks = tree.forks
    if !lost.isEmpty || !areHeld(ledger.remembered.keys), let record = try storedTrust() {
      let branches = LostBranches(store: store, tree: tree, record: record)
      // An event that was once kept is still kept after it is lost.
      let lostKept = record.kept.filter { lost.contains($0.place.mark) }
      for var kept in lostKept {
        kept.place.log = try branches.log(for: kept.place)
        keptEnds[kept.place.mark] = kept.end
      }
      let logs = incompleteLogs(of: record, by: ledger).union(lostKept.map(\.place.log))
      forks.merge(try branches.forks(on: logs)) { held, _ in held }
    }
    return Trust(
      TrustInput(
        book: book ?? store.file.book, events: ledger.trustEvents,
        lost: Set(ledger.remembered.keys), forks: forks, keptEnds: keptEnds))
  }

  /// The events that revocations name as the last ones that they keep, divided into those that are held and the others.
  ///
  /// Usually an event is in the log that the revocation names, or in a branch of it. The author may also have seen a
  /// branch that has no log here, because the other branches are not held.
  private func keptEvents(
    by ledger: Ledger, in tree: LogTree
  ) throws(DaybookError) -> (held: [TrustRecord.Kept], lost: Set<Landmark.Mark>) {
    var replicas: [PublicKey: Set<UniqueID>] = [:]
    // Many revocations may name the same events.
    var named: [UniqueID: Set<Landmark.Mark>] = [:]
    var keys: [Landmark.Mark: Set<PublicKey>] = [:]
    for event in ledger.trustEvents {
      switch event.verb {
      case .open(let opening):
        replicas[opening.publicKey, default: []].insert(tree.replica(of: event.log))
      case .revoke(let key, let kept):
        for place in kept {
          named[place.log, default: []].insert(place.mark)
          keys[place.mark, default: []].insert(key)
        }
      default: break
      }
    }
    var holders = try holders(of: named, in: tree)
    var elsewhere: [UniqueID: Set<Landmark.Mark>] = [:]
    for (mark, keys) in keys where holders[mark] == nil {
      for log in keys.flatMap({ replicas[$0] ?? [] }) { elsewhere[log, default: []].insert(mark) }
    }
    holders.merge(try self.holders(of: elsewhere, in: tree)) { first, _ in first }
    let held = try kept(holders.map { Landmark(log: $1, sequence: $0.sequence, hash: $0.hash) })
    return (held, Set(keys.keys).subtracting(held.map(\.place.mark)))
  }

  /// The logs or branches that hold the wanted events of each log; each log is searched in order.
  private func holders(
    of wanted: [UniqueID: Set<Landmark.Mark>], in tree: LogTree
  ) throws(DaybookError) -> [Landmark.Mark: UniqueID] {
    var holders: [Landmark.Mark: UniqueID] = [:]
    for (log, marks) in wanted.sorted(by: { $0.key < $1.key }) {
      for mark in marks.sorted(by: { $0.sequence < $1.sequence }) where holders[mark] == nil {
        let place = Landmark(log: log, sequence: mark.sequence, hash: mark.hash)
        holders[mark] = try tree.holder(of: place)
      }
    }
    return holders
  }

  /// The kept events at places that are held, with the ends of their commands.
  private func kept(_ places: [Landmark]) throws(DaybookError) -> [TrustRecord.Kept] {
    var kept: [TrustRecord.Kept] = []
    var recent: LandmarkFrame?
    for place in places.sorted(by: { ($0.log, $0.sequence) < ($1.log, $1.sequence) }) {
      let (hash, end) = try store.landmark(of: place.log, at: place.sequence, recent: &recent)
      if hash == place.hash { kept.append(TrustRecord.Kept(place: place, commandEnd: end)) }
    }
    return kept
  }

  private func areHeld(_ places: some Sequence<Landmark>) -> Bool {
    places.allSatisfy { store.journal.end(of: $0.log, on: .logs) != nil }
  }
}

// MARK: - The second copy

extension TrustReader {
  /// The size limit of the second copy, in bytes.
  static let trustLimit = 64 << 20

  /// The second copy of the trust events.
  ///
  /// - Returns: The copy; nil if the file is missing or cannot be parsed. The copy can be created again from the logs.
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

  /// Whether the second copy contains an erasure.
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
    for (place, entry) in try lostEntries(of: record, by: ledger, in: tree) {
      ledger.remember(entry, in: place.log)
    }
  }

  /// Whether the remembered events of a ledger still count where they did when they were added.
  ///
  /// A log that has lost events may have continued with a branch that does not contain them.
  func isMemorySteady(_ ledger: Ledger, in tree: LogTree) throws(DaybookError) -> Bool {
    guard !ledger.remembered.isEmpty, let record = try storedTrust() else { return true }
    let lost = try lostEntries(of: record, by: ledger, in: tree).map(\.place)
    return Set(lost) == Set(ledger.remembered.keys)
  }

  /// The events of a second copy that are lost, each with the place where it counts.
  private func lostEntries(
    of record: TrustRecord, by ledger: Ledger, in tree: LogTree
  ) throws(DaybookError) -> [(place: Landmark, entry: TrustRecord.Entry)] {
    let held = heldPlaces(by: ledger)
    let branches = LostBranches(store: store, tree: tree, record: record)
    var lost: [(place: Landmark, entry: TrustRecord.Entry)] = []
    // Only logs that lack an event must be followed through the held logs, which requires reads.
    let logs = incompleteLogs(of: record, by: ledger)
    for entry in record.entries where logs.contains(entry.event.log) {
      var place = entry.place
      place.log = try branches.log(for: place)
      if !held.contains(place) { lost.append((place, entry)) }
    }
    return lost
  }

  private func heldPlaces(by ledger: Ledger) -> Set<Landmark> {
    let places = Set(ledger.trustEvents.map(\.place))
    return ledger.remembered.isEmpty ? places : places.subtracting(ledger.remembered.keys)
  }

  /// The logs and branches of a second copy that lack some of its events, or are not held under the same name.
  private func incompleteLogs(of record: TrustRecord, by ledger: Ledger) -> Set<UniqueID> {
    let held = heldPlaces(by: ledger)
    return Set(record.entries.map(\.place).filter { !held.contains($0) }.map(\.log))
  }

  /// The second copy of the trust events that should be stored; nil if the stored copy is up to date.
  func newTrust(by ledger: Ledger) throws(DaybookError) -> TrustRecord? {
    let stored = try storedTrust()
    let record = try trustRecord(by: ledger, and: stored ?? TrustRecord())
    return record == stored ? nil : record
  }

  /// The union of the trust events in the logs and in a second copy.
  func trustRecord(
    by ledger: Ledger, and stored: TrustRecord
  ) throws(DaybookError) -> TrustRecord {
    let branches = LostBranches(store: store, tree: store.logTree, record: stored)
    var record = TrustRecord()
    record.entries = try entries(by: ledger, knowing: stored, branches)
    let (held, lost) = try keptEvents(by: ledger, in: branches.tree)
    record.kept = held
    for var kept in stored.kept where lost.contains(kept.place.mark) {
      kept.place.log = try branches.name(for: kept.place)
      record.kept.append(kept)
    }
    record.sort()
    record.forkPoints = try branches.forkPoints(of: record.places.map(\.place.log))
    let missing = Set(ledger.remembered.keys.map(\.mark)).union(lost)
    try TrailFinder(store: store, knowing: stored).addTrails(to: &record) {
      !missing.contains($0.mark)
    }
    return record
  }

  private func entries(
    by ledger: Ledger, knowing stored: TrustRecord, _ branches: LostBranches
  ) throws(DaybookError) -> [TrustRecord.Entry] {
    let entities = Dictionary(ledger.erasing.erases.map { ($0.place, $0.entity) }) {
      first, _ in first
    }
    var remembered: [Landmark: TrustRecord.Entry] = [:]
    let logs = incompleteLogs(of: stored, by: ledger)
    for var entry in stored.entries where logs.contains(entry.event.log) {
      var place = entry.place
      place.log = try branches.log(for: place)
      guard ledger.remembered[place] != nil else { continue }
      entry.event.log = try branches.name(for: entry.place)
      remembered[place] = entry
    }
    return ledger.trustEvents.map { event in
      remembered[event.place]
        ?? TrustRecord.Entry(
          replica: ledger.remembered[event.place] ?? branches.tree.replica(of: event.log),
          event: EventName(log: event.log, sequence: event.sequence), hash: event.place.hash,
          verb: event.verb, entity: entities[event.place])
    }
  }

  /// The number of events in the second copy that the logs have lost and that the user has not accepted as lost.
  func lostTrust() throws(DaybookError) -> Int {
    guard let record = try storedTrust() else { return 0 }
    let tree = store.logTree
    let branches = LostBranches(store: store, tree: tree, record: record)
    var places = Set(record.entries.map(\.rootPlace))
    for var place in record.kept.map(\.place) {
      place.log = branches.replica(of: place.log)
      places.insert(place)
    }
    var lost: Set<Landmark.Mark> = []
    // Sort the places by log, so that each frame is read only once.
    for place in places.sorted(by: { ($0.log, $0.sequence) < ($1.log, $1.sequence) }) {
      let isAccepted =
        store.file.losses.accepted[place.log]?.contains { $0.contains(place.sequence) } ?? false
      guard !isAccepted, try tree.holder(of: place) == nil else { continue }
      lost.insert(place.mark)
    }
    return lost.count
  }

  /// The last trust event of each held log and branch in the second copy, and every trust event that may be elsewhere.
  ///
  /// A branch has no name of its own once the other branches are lost, and then its events may be in the log itself. If
  /// a log has forked since, its later events may be in any branch.
  func trustEnds() throws(DaybookError) -> [Landmark] {
    let tree = store.logTree
    var ends: [UniqueID: UInt64] = [:]
    var elsewhere: [Landmark] = []
    for entry in try storedTrust()?.entries ?? [] {
      let (log, sequence) = (entry.event.log, entry.event.sequence)
      let end = store.journal.end(of: log, on: .logs)
      if let end, sequence <= end.sequence || !tree.isForked(log) {
        // The branch lacks the event if the branch is shorter, even if another branch has an event with this sequence.
        ends.raise(log, to: sequence)
      } else {
        elsewhere.append(entry.rootPlace)
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
