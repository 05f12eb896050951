import Bytes
import Platform

/// Keeps which events are lost, in the file `holes` of the book: what opening a journal does not see by itself.
struct LossKeeper {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let surveyor: BranchSurveyor

  private var holesFile: Path { store.root / "holes" }

  /// Remembers, in addition to what is known, events of logs that cannot be read.
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

  /// Remembers which events of logs and their strands are missing from the files, in place of what was known.
  func note(
    missing: [LogShelf: [UniqueID: [ClosedRange<UInt64>]]]
  ) throws(JournalError) {
    var holes: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (shelf, logs) in missing {
      for (log, ranges) in logs {
        // A crash can leave a folder in one place although the log lies in the other by now.
        guard let state = index.states[log], state.shelf == shelf else { continue }
        // What does not join lies in the files, and is no part of the log for a reader.
        holes[log] = ranges
        for hole in state.losses.events
        where try !finder.isReadable(hole, in: log, upTo: state.end.sequence) {
          holes[log]?.append(hole)
        }
      }
    }
    try setHoles(holes)
  }

  /// Sets what is lost of some strands.
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
      // Nothing leaves a strand any more where it cannot be read.
      index.states[strand]?.junctions = state.junctions.filter { sequence, _ in
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
      // Also where there was none and is none: by this file a running process sees that a sealed one was mended.
      try store.disk.replace(holesFile, with: Array((json.text(indented: false) + "\n").utf8))
    }
  }

  /// Reads what is remembered.
  ///
  /// A file that cannot be read tells nothing, and verifying writes it anew.
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

  /// A range of sequences, written as its ends.
  fileprivate var sequences: ClosedRange<UInt64>? {
    guard let ends = array, ends.count == 2, let first = ends[0].integer,
      let last = ends[1].integer, first > 0, first <= last
    else { return nil }
    return UInt64(first)...UInt64(last)
  }
}
