package import Bytes
import Platform

/// Events that are lost, in the file `holes` of the book: what opening a journal does not see by itself.
extension Journal {
  private var holesFile: Path { folder / "holes" }

  /// Remembers, in addition to what is known, events of logs that cannot be read.
  ///
  /// Others are told that they are not held, and fill them.
  package mutating func note(
    holes found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (log, ranges) in found {
      let strand = strand(of: log)
      let known = holes[strand] ?? states[strand]?.losses.events ?? []
      holes[strand] = known + ranges
    }
    try setHoles(holes)
  }

  /// Remembers which events of logs and their strands are missing from the files, in place of what was known.
  ///
  /// - Parameter missing: The events, for each place where logs lie.
  /// - Throws: ``JournalError`` when that cannot be written.
  package mutating func note(
    missing: [Shelf: [UniqueID: [ClosedRange<UInt64>]]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (shelf, logs) in missing {
      for (log, ranges) in logs {
        // A crash can leave a folder in one place although the log lies in the other by now.
        guard let state = states[log], state.shelf == shelf else { continue }
        // What does not join lies in the files, and is no part of the log for a reader.
        holes[log] = ranges
        for hole in state.losses.events
        where try !isHeld(hole, in: log, upTo: state.end.sequence) {
          holes[log]?.append(hole)
        }
      }
    }
    try setHoles(holes)
  }

  /// Sets what is lost of some strands.
  mutating func setHoles(
    _ found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var changed = false
    for (strand, ranges) in found {
      guard let state = states[strand] else { continue }
      var losses = state.losses
      losses.replace(events: ranges.within(state.events))
      guard losses != state.losses else { continue }
      states[strand]?.losses = losses
      // Nothing leaves a strand any more where it cannot be read.
      states[strand]?.junctions = state.junctions.filter { sequence, _ in
        !losses.events.contains { $0.contains(sequence) || $0.contains(sequence + 1) }
      }
      changed = true
    }
    guard changed else { return }
    try saveHoles()
    try findBranches()
  }

  /// The events of each strand that are known to have lost their bodies though no `erase` that counts took them.
  package var bodiless: [UniqueID: [ClosedRange<UInt64>]] {
    states.mapValues(\.losses.bodies).filter { !$0.value.isEmpty }
  }

  /// Remembers, until the journal is opened again, which events have lost their bodies in this way.
  package mutating func note(
    bodiless found: [UniqueID: [ClosedRange<UInt64>]]
  ) {
    for strand in states.keys { states[strand]?.losses.forgetBodies() }
    for (log, ranges) in found {
      states[strand(of: log)]?.losses.add(bodies: ranges)
    }
  }

  mutating func saveHoles() throws(JournalError) {
    let members = states.filter { !$0.value.losses.events.isEmpty }.sorted { $0.key < $1.key }
    let json = JSON.object(
      members.map { strand, state in
        JSON.Member(
          strand.hex,
          .array(
            state.losses.events.map {
              .array([.sequence($0.lowerBound), .sequence($0.upperBound)])
            }))
      })
    let (disk, path) = (disk, holesFile)
    try writing { () throws(DiskError) in
      // Also where there was none and is none: by this file a running process sees that a sealed one was mended.
      try disk.replace(path, with: Array((json.text(indented: false) + "\n").utf8))
    }
  }

  /// Reads what is remembered.
  ///
  /// A file that cannot be read tells nothing, and verifying writes it anew.
  mutating func loadHoles() throws(JournalError) {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: holesFile, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound { return }
      throw .disk(error)
    }
    guard let json = try? JSON(parsing: bytes) else { return }
    for member in json.members ?? [] {
      guard let strand = UniqueID(hex: member.name), let state = states[strand] else { continue }
      let told = (member.value.array ?? []).compactMap(\.sequences)
      for hole in told.within(state.events)
      where try !isHeld(hole, in: strand, upTo: state.end.sequence) {
        states[strand]?.losses.add(events: [hole])
      }
    }
  }

  /// Whether all events of a range can be read, joined with those on both sides.
  ///
  /// A crash can leave a hole on the list that was filled just before.
  func isHeld(
    _ hole: ClosedRange<UInt64>, in strand: UniqueID, upTo end: UInt64
  ) throws(JournalError) -> Bool {
    let last = min(hole.upperBound + 1, end)
    var reader = try strandReader(of: strand, from: max(hole.lowerBound, 2) - 1)
    return try onDisk { () throws(DiskError) in
      guard var read = try reader.read(), read.frame.firstSequence <= hole.lowerBound else {
        return false
      }
      while read.frame.lastSequence < last {
        guard let next = try reader.read(), next.isJoined else { return false }
        read = next
      }
      return true
    }
  }
}

extension JSON {
  fileprivate static func sequence(_ number: UInt64) -> JSON { .integer(Int64(clamping: number)) }

  /// A range of sequences, written as its ends.
  fileprivate var sequences: ClosedRange<UInt64>? {
    guard let ends = array, ends.count == 2, let first = ends[0].integer,
      let last = ends[1].integer, first > 0, first <= last
    else { return nil }
    return UInt64(first)...UInt64(last)
  }
}
