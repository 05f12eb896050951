import Bytes
import Journaling

/// Finds the trails of the events in the second copy of the trust events.
struct TrailFinder {
  let store: LogStore
  /// The trails in the stored copy.
  ///
  /// The chain hash of an event determines those of all events before it.
  private var known: [Landmark.Mark: TrustRecord.Trail] = [:]

  init(store: LogStore, knowing record: TrustRecord) {
    self.store = store
    for (place, trail) in record.places { take(trail, of: place.mark) }
  }

  private mutating func take(_ trail: TrustRecord.Trail, of mark: Landmark.Mark) {
    guard trail.hashes.count > known[mark]?.hashes.count ?? 0 else { return }
    known[mark] = trail
  }

  /// Adds the trails to a copy whose events and forks are sorted.
  ///
  /// Only the trails of new events, and of events before which there is a new branch, are read from the logs. `isHeld`
  /// returns whether a log contains an event.
  func addTrails(
    to record: inout TrustRecord, where isHeld: (Landmark) -> Bool
  ) throws(DaybookError) {
    var logs: [UniqueID: [Landmark]] = [:]
    for place in Set(record.places.map(\.place)) { logs[place.log, default: []].append(place) }
    var trails: [Landmark: TrustRecord.Trail] = [:]
    for (log, places) in logs {
      var before = record.forkPoints[log]?.sequence ?? 0
      var recent = RecentHashes()
      for place in places.sorted(by: { ($0.sequence, $0.hash) < ($1.sequence, $1.hash) }) {
        let trail = try trail(of: place, after: before, isHeld: isHeld(place), &recent)
        if !trail.hashes.isEmpty { trails[place] = trail }
        before = max(before, place.sequence)
      }
    }
    for index in record.entries.indices {
      // Only a damaged copy can contain two events at the same place.
      record.entries[index].trail =
        trails.removeValue(forKey: record.entries[index].place) ?? .init()
    }
    for index in record.kept.indices {
      record.kept[index].trail = trails.removeValue(forKey: record.kept[index].place) ?? .init()
    }
  }

  private func trail(
    of place: Landmark, after before: UInt64, isHeld: Bool, _ recent: inout RecentHashes
  ) throws(DaybookError) -> TrustRecord.Trail {
    let sequences = TrustRecord.Trail.sequences(before: place.sequence, after: before)
    var hashes = Array((known[place.mark]?.hashes ?? []).prefix(sequences.count))
    hashes += [UniqueID](repeating: .none, count: sequences.count - hashes.count)
    guard isHeld else { return TrustRecord.Trail(hashes: hashes) }
    // Events are read in the order of the log, so that events near each other are read together.
    for index in sequences.indices.reversed() where hashes[index] == .none {
      hashes[index] = try hash(of: place.log, at: sequences[index], &recent) ?? .none
    }
    return TrustRecord.Trail(hashes: hashes)
  }

  private func hash(
    of log: UniqueID, at sequence: UInt64, _ recent: inout RecentHashes
  ) throws(DaybookError) -> UniqueID? {
    do throws(JournalError) {
      return try store.journal.hash(of: log, at: sequence, recent: &recent)?.prefix16
    } catch {
      throw .journal(error)
    }
  }
}
