import Bytes
import Crypto

/// Finds which events of each strand this device has, and which frames a peer lacks.
struct PlaceFinder {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder

  /// The events of each strand that the book has.
  func places() throws(JournalError) -> [Place] {
    var places: [Place] = []
    for (strand, state) in index.states
    where state.shelf == .logs && index.leadsToEnd(strand, state) {
      places.append(try place(of: strand, state))
    }
    return places.sorted()
  }

  /// The first lost event of the given strand and of the strands that it follows.
  ///
  /// The search covers strands, not logs, because the events after a fork belong to no log if the first command after
  /// the fork is lost.
  private func firstLost(before strand: UniqueID) throws(JournalError) -> UInt64? {
    var lost = index.states[strand]?.losses.all.first?.lowerBound
    var strand = strand
    while let state = index.states[strand], strand != state.replica {
      guard let trunk = try finder.trunk(of: strand) else { return max(1, state.first - 1) }
      let first = index.states[trunk]?.losses.all.first?.lowerBound
      if let first, first < state.first { lost = first }
      strand = trunk
    }
    return lost
  }

  private func place(of strand: UniqueID, _ state: LogState) throws(JournalError) -> Place {
    if let lost = try firstLost(before: strand), lost < state.first {
      // An island after the lost event could belong to any of the branches, so no island is listed.
      let hash = try finder.pathHash(of: strand, at: lost - 1)
      return Place(
        log: state.replica, sequence: lost - 1, hash: hash ?? Chain.zero(of: state.replica))
    }
    let holes = state.losses.all
    guard let first = holes.first else {
      return Place(log: state.replica, sequence: state.end.sequence, hash: state.end.hash)
    }
    var islands: [ClosedRange<UInt64>] = []
    for (index, hole) in holes.enumerated() {
      let last = index + 1 < holes.count ? holes[index + 1].lowerBound - 1 : state.end.sequence
      if hole.upperBound < last { islands.append(hole.upperBound + 1...last) }
    }
    let before = first.lowerBound - 1
    let hash = before < state.first ? state.base : try finder.hash(in: strand, at: before)
    return Place(
      log: state.replica, sequence: before, hash: hash ?? Chain.zero(of: state.replica),
      islands: islands)
  }

  /// Finds events by which a peer can determine where its logs diverge from those of this device.
  func landmarks(for others: [Place]) throws(JournalError) -> [Place] {
    var found: Set<Place> = []
    for place in others where place.sequence > 0 {
      guard index.states[place.log]?.shelf == .logs, try !isHeld(place) else { continue }
      for (strand, state) in index.states
      where state.replica == place.log && state.end.sequence >= place.sequence {
        var step: UInt64 = 1
        // A place after a hole would also claim the events in the hole.
        let whole = try firstLost(before: strand).map { $0 - 1 } ?? .max
        var sequence = min(place.sequence, whole)
        while sequence > 0 {
          if let hash = try finder.pathHash(of: strand, at: sequence) {
            found.insert(Place(log: place.log, sequence: sequence, hash: hash))
          }
          sequence -= min(step, sequence)
          step *= 2
        }
      }
    }
    return found.sorted()
  }

  /// The frames of a replica that a peer lacks.
  func export(
    of replica: UniqueID, lackedBy places: [Place], keys: (any SigningSource)?
  ) throws(JournalError) -> ReplicaExport {
    var stretches: [ReplicaExport.Stretch] = []
    let held = try held(of: replica, by: places.filter { $0.log == replica })
    for strand in index.strands(of: replica) {
      guard let state = index.states[strand] else { continue }
      var (after, islands) = held[strand] ?? (state.first - 1, [])
      while let next = islands.first,
        Self.isLost(after: after, before: next.lowerBound, by: state.losses)
      {
        after = next.upperBound
        islands.removeFirst()
      }
      guard after < state.end.sequence else { continue }
      stretches.append(
        ReplicaExport.Stretch(
          folder: store.folder(strand, state), after: after, islands: islands))
    }
    return ReplicaExport(stretches, signer: keys.map { (replica, $0) })
  }

  /// Whether this device has lost all events between two events; if so, none of them can be sent.
  private static func isLost(after last: UInt64, before next: UInt64, by losses: Losses) -> Bool {
    guard last + 1 < next else { return true }
    return [last + 1...next - 1].without(losses.events).isEmpty
  }

  /// The events of each strand that a peer has, according to its places.
  private func held(
    of replica: UniqueID, by places: [Place]
  ) throws(JournalError) -> [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])] {
    var held: [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])] = [:]
    for place in places {
      // If this device does not hold the event at a place, the place does not show which of this device's events the
      // peer holds.
      guard let strand = try finder.holder(of: place.hash, at: place.sequence, in: place.log) else {
        continue
      }
      // After a fork, a range of sequences does not uniquely identify events.
      let isForked = index.strands(of: replica).count > 1
      try hold(strand, upTo: place.sequence, isForked ? [] : place.islands, &held)
    }
    return held
  }

  /// Records that a peer holds a strand up to an event, and all events before the strand.
  private func hold(
    _ strand: UniqueID, upTo sequence: UInt64, _ islands: [ClosedRange<UInt64>],
    _ held: inout [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])]
  ) throws(JournalError) {
    if let known = held[strand] {
      // Islands are valid only together with the place that they arrived with.
      if known.after < sequence { held[strand] = (sequence, islands) }
    } else {
      held[strand] = (sequence, islands)
    }
    if let trunk = try finder.trunk(of: strand), let first = index.states[strand]?.first {
      try hold(trunk, upTo: first - 1, [], &held)
    }
  }

  /// Whether this device has the event at the given place, even if events before it are lost.
  func holdsEvent(at place: Place) throws(JournalError) -> Bool {
    try finder.holder(of: place.hash, at: place.sequence, in: place.log) != nil
  }

  /// Whether this device has all events up to the given place.
  private func isHeld(_ place: Place) throws(JournalError) -> Bool {
    guard let strand = try finder.holder(of: place.hash, at: place.sequence, in: place.log) else {
      return false
    }
    return try firstLost(before: strand).map { place.sequence < $0 } ?? true
  }
}
