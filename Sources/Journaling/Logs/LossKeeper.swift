import Bytes
import Platform

/// Keeps the list of lost events in the file `holes` of the book.
///
/// Opening a journal does not read every file, so it would not find lost events in sealed files.
struct LossKeeper {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let surveyor: BranchSurveyor

  private var holesFile: Path { store.root / "holes" }

  /// Adds holes to the known ones.
  func note(
    holes found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (log, ranges) in found {
      let strand = index.strand(of: log)
      let known = holes[strand] ?? index.states[strand]?.losses.events ?? []
      holes[strand] = known + ranges
    }
    try setHoles(holes)
  }

  /// Replaces the known holes of the given strands, except those that still cannot be read.
  func note(
    missing: [LogShelf: [UniqueID: [ClosedRange<UInt64>]]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (shelf, logs) in missing {
      for (log, ranges) in logs {
        // After a crash, a folder can remain on one shelf although the log is on the other.
        guard let state = index.states[log], state.shelf == shelf else { continue }
        // Events that do not join the log are in the files, but a reader does not return them, so they stay lost.
        holes[log] = ranges
        for hole in state.losses.events
        where try !finder.isReadable(hole, in: log, upTo: state.end.sequence) {
          holes[log]?.append(hole)
        }
      }
    }
    try setHoles(holes)
  }

  /// Sets the holes of the given strands.
  func setHoles(
    _ found: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(JournalError) {
    var changed = false
    for (strand, ranges) in found {
      guard let state = index.states[strand] else { continue }
      var losses = state.losses
      losses.replace(events: ranges.within(state.events))
      guard losses != state.losses else { continue }
      index.states[strand]?.losses = losses
      // A branch point that can no longer be read is removed.
      index.states[strand]?.branchPoints = state.branchPoints.filter { sequence, _ in
        !losses.events.contains { $0.contains(sequence) || $0.contains(sequence + 1) }
      }
      changed = true
    }
    guard changed else { return }
    try saveHoles()
    try surveyor.findBranches()
  }

  func saveHoles() throws(JournalError) {
    let lacking = index.states.filter { !$0.value.losses.events.isEmpty }
    let members = lacking.sorted { $0.key < $1.key }
    let json = JSON.object(
      members.map { strand, state in
        JSON.Member(
          strand.hex,
          .array(
            state.losses.events.map {
              .array([.sequence($0.lowerBound), .sequence($0.upperBound)])
            }))
      })
    try store.writing { () throws(DiskError) in
      // The file is written even if there are no holes: it shows a running process that a sealed file was repaired.
      try store.disk.replace(holesFile, with: Array((json.text(indented: false) + "\n").utf8))
    }
  }

  /// Reads the list of lost events.
  ///
  /// An unreadable list is ignored; verification writes a new list.
  func loadHoles() throws(JournalError) {
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try store.disk.contents(of: holesFile, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound { return }
      throw .disk(error)
    }
    guard let json = try? JSON(parsing: bytes) else { return }
    for member in json.members ?? [] {
      guard let strand = UniqueID(hex: member.name), let state = index.states[strand] else {
        continue
      }
      let told = (member.value.array ?? []).compactMap(\.sequences)
      for hole in told.within(state.events)
      where try !finder.isReadable(hole, in: strand, upTo: state.end.sequence) {
        index.states[strand]?.losses.add(events: [hole])
      }
    }
  }
}

extension JSON {
  fileprivate static func sequence(_ number: UInt64) -> JSON { .integer(Int64(clamping: number)) }

  /// Reads a range of sequences, which is written as an array of its bounds.
  fileprivate var sequences: ClosedRange<UInt64>? {
    guard let ends = array, ends.count == 2, let first = ends[0].integer,
      let last = ends[1].integer, first > 0, first <= last
    else { return nil }
    return UInt64(first)...UInt64(last)
  }
}
