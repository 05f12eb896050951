import Bytes
import Crypto

/// What is held of each replica, as others are told, and what others lack.
struct PlaceFinder {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder

  /// What the book's logs hold: a place for the end of each strand.
  func places() throws(JournalError) -> [Place] {
    var places: [Place] = []
    for (strand, state) in index.states
    where state.shelf == .logs && index.leadsToEnd(strand, state) {
      places.append(try place(of: strand, state))
    }
    return places.sorted()
  }

  /// The first event that is lost on the way to a strand's end, in what it follows, too.
  ///
  /// It is asked of the strands, and not of the logs: what follows a fork whose first command is lost belongs to none.
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
      // Which of the branches behind it an island is part of could not be told.
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

  /// Events held at the places where another has different ones, and at growing distances before them: so it finds
  /// where the two logs part.
  func landmarks(for others: [Place]) throws(JournalError) -> [Place] {
    var found: Set<Place> = []
    for place in others where place.sequence > 0 {
      guard index.states[place.log]?.shelf == .logs, try !isHeld(place) else { continue }
      for (strand, state) in index.states
      where state.replica == place.log && state.end.sequence >= place.sequence {
        var step: UInt64 = 1
        // A place behind what is lost would claim that, too.
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

  /// Gives the frames of a replica's logs that another lacks who holds what the places tell.
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

  /// Whether nothing can be read between what another holds and what it holds next: then that is passed over, too.
  private static func isLost(after last: UInt64, before next: UInt64, by losses: Losses) -> Bool {
    guard last + 1 < next else { return true }
    return [last + 1...next - 1].without(losses.events).isEmpty
  }

  /// How far another holds each strand, as far as its places tell.
  private func held(
    of replica: UniqueID, by places: [Place]
  ) throws(JournalError) -> [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])] {
    var held: [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])] = [:]
    for place in places {
      // What is not held here says nothing of what is.
      guard let strand = try finder.holder(of: place.hash, at: place.sequence, in: place.log) else {
        continue
      }
      // Ranges tell of events only where one path leads on.
      let isForked = index.strands(of: replica).count > 1
      try hold(strand, upTo: place.sequence, isForked ? [] : place.islands, &held)
    }
    return held
  }

  /// Notes that a strand is held up to an event, and so is all that it follows.
  private func hold(
    _ strand: UniqueID, upTo sequence: UInt64, _ islands: [ClosedRange<UInt64>],
    _ held: inout [UniqueID: (after: UInt64, islands: [ClosedRange<UInt64>])]
  ) throws(JournalError) {
    if let known = held[strand] {
      // Islands belong to the place they were told with.
      if known.after < sequence { held[strand] = (sequence, islands) }
    } else {
      held[strand] = (sequence, islands)
    }
    if let trunk = try finder.trunk(of: strand), let first = index.states[strand]?.first {
      try hold(trunk, upTo: first - 1, [], &held)
    }
  }

  /// Whether the event at a place is held, whatever is lost on the way to it.
  func holdsEvent(at place: Place) throws(JournalError) -> Bool {
    try finder.holder(of: place.hash, at: place.sequence, in: place.log) != nil
  }

  /// Whether all that leads to a place is held.
  private func isHeld(_ place: Place) throws(JournalError) -> Bool {
    guard let strand = try finder.holder(of: place.hash, at: place.sequence, in: place.log) else {
      return false
    }
    return try firstLost(before: strand).map { place.sequence < $0 } ?? true
  }
}
