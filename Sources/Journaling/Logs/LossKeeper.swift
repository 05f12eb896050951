import Bytes
import Platform

/// Keeps the list of lost events in the file `holes` of the book.
///
/// Opening a journal does not read every file, so lost events in sealed files would otherwise go unnoticed.
struct LossKeeper {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let surveyor: BranchSurveyor

  private var holesFile: Path { store.root / "holes" }

  /// Adds holes to the known holes.
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
        // A known hole also remains if the files contain events for it that do not join the log, because such events
        // count as lost.
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
    // The search for newer frames and the search for branches may read the same file.
    let cache = SegmentCache()
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
      noteNewer(in: strand, cache)
    }
    guard changed else { return }
    try saveHoles()
    try surveyor.findBranches(reading: cache)
  }

  /// Saves the holes that were found when the logs were opened.
  ///
  /// If the events after such a hole are lost as well, only the saved list shows that they were held.
  func recordNewHoles() throws(JournalError) {
    let found = index.states.mapValues(\.losses.events).filter { !$0.value.isEmpty }
    if found != index.recordedHoles { try saveHoles() }
  }

  /// The last events that, according to the saved holes, were held, if they are after the ends of the book's logs.
  ///
  /// Events are held after every hole. If another strand of the replica reaches such an event, the event may be in that
  /// strand.
  func endsAfterHoles() -> [Landmark] {
    index.recordedHoles.compactMap { strand, holes in
      guard let state = index.states[strand], state.shelf == .logs,
        let last = holes.map(\.upperBound).max().map({ $0 + 1 }),
        !index.strands(of: state.replica).contains(where: { other in
          index.states[other].map { $0.end.sequence >= last } ?? false
        })
      else { return nil }
      return Landmark(log: index.log(endingIn: strand, state), sequence: last, hash: .none)
    }
  }

  /// Records the version of a frame in a sealed file of the given strand if this program cannot read the frame.
  ///
  /// Opening a journal reads only the newest file of a strand. To this program, the events of such a frame are lost, so
  /// it is enough to search the files that lack events.
  private func noteNewer(in strand: UniqueID, _ cache: SegmentCache? = nil) {
    guard let state = index.states[strand], state.newerVersion == nil else { return }
    let folder = store.folder(strand, state)
    // A file that cannot be read shows no newer frame. If another process has just replaced files, the next opening
    // reads the new ones.
    for segment in (try? folder.segments()) ?? [] {
      guard case .sealed(let events) = segment,
        state.losses.events.contains(where: { $0.overlaps(events) }),
        let bytes = try? folder.contents(of: segment, keptIn: cache)
      else { continue }
      var chain = Chain()
      var scan = folder.scan(bytes, of: segment)
      while scan.next(from: .max, &chain) != nil {}
      guard let version = scan.newerVersion else { continue }
      index.states[strand]?.newerVersion = version
      return
    }
  }

  func saveHoles() throws(JournalError) {
    let lacking = index.states.filter { !$0.value.losses.events.isEmpty }
    let members = lacking.sorted { $0.key < $1.key }
    let json = JSON.object(
      members.map { strand, state in
        JSON.Member(
          strand.hex,
          .array(state.losses.events.map { .hole($0, state.losses.origins[$0.upperBound]) }))
      })
    try store.writing { () throws(DiskError) in
      // The file is written even if there are no holes, because the change shows a running process that a sealed file
      // was repaired.
      try store.disk.replace(holesFile, with: Array((json.text(indented: false) + "\n").utf8))
    }
    index.recordedHoles = lacking.mapValues(\.losses.events)
  }

  /// Reads the list of lost events.
  ///
  /// An unreadable list is ignored; verification writes a new list.
  func loadHoles() throws(JournalError) {
    index.recordedHoles = [:]
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
      let stored = (member.value.array ?? []).compactMap(\.hole)
      index.recordedHoles[strand] = [ClosedRange<UInt64>](joining: stored.map(\.events))
      for hole in stored.map(\.events).within(state.events)
      where try !finder.isReadable(hole, in: strand, upTo: state.end.sequence) {
        index.states[strand]?.losses.add(events: [hole])
      }
      for hole in stored {
        guard let origin = hole.origin else { continue }
        index.states[strand]?.losses.keepOrigins([hole.events.upperBound: origin])
      }
      noteNewer(in: strand)
    }
  }
}

extension JSON {
  /// A hole as an array: its first and last event, and its origin if it has one.
  fileprivate static func hole(_ events: ClosedRange<UInt64>, _ origin: UInt64?) -> JSON {
    let numbers = [events.lowerBound, events.upperBound] + (origin.map { [$0] } ?? [])
    return .array(numbers.map { .integer(Int64(clamping: $0)) })
  }

  fileprivate var hole: (events: ClosedRange<UInt64>, origin: UInt64?)? {
    guard let numbers = array, 2...3 ~= numbers.count else { return nil }
    let sequences = numbers.compactMap(\.integer).filter { $0 > 0 }.map(UInt64.init)
    guard sequences.count == numbers.count, sequences[0] <= sequences[1] else { return nil }
    return (sequences[0]...sequences[1], sequences.dropFirst(2).first)
  }
}
