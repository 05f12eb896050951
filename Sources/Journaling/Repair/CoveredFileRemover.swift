import Bytes
import Platform

/// Removes files whose events are also in other files.
struct CoveredFileRemover {
  let store: SegmentStore
  let index: LogIndex
  let loader: LogLoader
  let flusher: Flusher
  let quarantine: Quarantine
  let planner: RepairPlanner

  /// Removes the covered files of the given strand, and drafts left by a crash.
  func removeNeedless(of strand: UniqueID) throws(JournalError) -> [Repair] {
    guard let state = index.states[strand] else { return [] }
    let folder = store.folder(strand, state)
    let listing = try onDisk { () throws(DiskError) in try folder.listing() }
    let covered = try covered(listing, in: folder, besides: state.tail)
    let left = listing.counting.filter { name in !covered.contains { $0.name == name } }
    let outlived = try outlived(left, in: folder)
    let gone = covered + outlived.map { Needless(name: $0.name, isWhole: false) }

    // The files that replace the removed files may never have been flushed.
    for tail in Set(outlived.map(\.tail)) {
      try flusher.settle(folder.path(of: tail), upTo: Limit.fileBytes)
    }
    // The removal must not reach the disk before the directory entries of those files.
    if !gone.isEmpty { try flusher.settleNames(of: [strand]) }
    var repairs: [Repair] = []
    for needless in gone {
      let path = folder.path(of: needless.name)
      repairs.append(Repair(file: path, kind: .removedCovered))
      guard !needless.isWhole else { continue }
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: needless.name) }
      let copy = try quarantine.setAside(bytes, of: needless.name, strand)
      guard needless.isMisnamed, let copy else { continue }
      repairs[repairs.count - 1].kind = .moved(byteCount: bytes.count, to: copy)
    }
    let drafts = listing.drafts.map { folder.path / $0 }
    try store.remove(drafts + gone.map { folder.path(of: $0.name) }, from: folder)
    if !outlived.isEmpty || gone.contains(where: \.isMisnamed) {
      index.states[strand] = nil
      try loader.load(strand, of: state.replica, from: state.shelf)
    }
    return drafts.map { Repair(file: $0, kind: .removedDraft) } + repairs
  }

  /// A file whose events are also in another file.
  private struct Needless {
    let name: SegmentName
    let isWhole: Bool
    /// Whether the file begins before the event in its name, as a copy made by a user may do.
    var isMisnamed = false
  }

  /// The files whose events are also in a sealed file, or in the tail that is in use.
  private func covered(
    _ listing: LogFolder.Listing, in folder: LogFolder, besides tail: Tail?
  ) throws(JournalError) -> [Needless] {
    let tails = listing.counting.filter { $0.isTail && $0.first != tail?.first }
    // None of these files is removed, so no two files can count as copies of each other.
    let kept = listing.counting.filter { !$0.isTail || $0.first == tail?.first }
    var covered: [Needless] = []
    for name in listing.covered + tails {
      guard let needless = try needless(name, besides: kept, folder) else { continue }
      covered.append(needless)
    }
    return covered
  }

  /// Returns a file if another file that is in use holds all of its events, unchanged; otherwise nil.
  ///
  /// A tail that is damaged at its end is not needless, because its name does not state which events it contained. A
  /// tail that begins before the event in its name is read from its actual beginning.
  private func needless(
    _ segment: SegmentName, besides names: [SegmentName], _ folder: LogFolder
  ) throws(JournalError) -> Needless? {
    var chain = Chain()
    let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: segment) }
    let begin = (try? FrameEnvelope(bytes.span, at: 0))?.firstSequence ?? segment.first
    let isMisnamed = segment.isTail && begin < segment.first
    let first = isMisnamed ? begin : segment.first
    var scan = folder.scan(bytes, of: isMisnamed ? .tail(begin) : segment)
    var last: EventRecord?
    var isWhole = !isMisnamed
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap(_, _, let isEnd):
        if isEnd, segment.isTail { return nil }
        isWhole = false
      case .frame(let frame, _): last = frame.events.last
      }
    }
    let end = if case .sealed(let own) = segment { own.upperBound } else { last?.sequence ?? 0 }
    guard end >= first else { return nil }
    for name in names where name.events.contains(first) && name.events.contains(end) {
      guard try holds(last, first...end, name, folder) else { continue }
      return Needless(name: segment, isWhole: isWhole, isMisnamed: isMisnamed)
    }
    return nil
  }

  /// The damaged sealed files whose events are all in a tail.
  ///
  /// A crash left both the sealed file and the tail.
  private func outlived(
    _ names: [SegmentName], in folder: LogFolder
  ) throws(JournalError) -> [(name: SegmentName, tail: SegmentName)] {
    var outlived: [(name: SegmentName, tail: SegmentName)] = []
    for case .tail(let first) in names {
      for case .sealed(let events) in names where events.lowerBound >= first {
        let (name, tail) = (SegmentName.sealed(events), SegmentName.tail(first))
        // A tail that was not sealed because of its hole is followed by files with other events.
        guard try holds(nil, events, tail, folder), try !holds(nil, events, name, folder) else {
          continue
        }
        let file = try planner.read(name, in: folder)
        let last = file.frames.last?.frame.events.last
        guard file.newerVersion == nil, try holds(last, events, tail, folder) else { continue }
        outlived.append((name, tail))
      }
    }
    return outlived
  }

  /// Whether the given file contains all events of the given range, and the given event with the same chain hash.
  private func holds(
    _ event: EventRecord?, _ events: ClosedRange<UInt64>, _ segment: SegmentName,
    _ folder: LogFolder
  ) throws(JournalError) -> Bool {
    var chain = Chain()
    var scan = try onDisk { () throws(DiskError) in try folder.scan(segment) }
    var before: EventRecord?
    while let step = scan.next(from: 0, &chain) {
      guard case .frame(let frame, _) = step else { return false }
      if let before {
        guard frame.firstSequence == before.sequence + 1, frame.information.hash == before.hash
        else { return false }
      } else if frame.firstSequence > events.lowerBound {
        return false
      }
      if let event, event.sequence >= frame.firstSequence, event.sequence <= frame.lastSequence,
        frame.events[Int(event.sequence - frame.firstSequence)].hash != event.hash
      {
        return false
      }
      if frame.lastSequence >= events.upperBound { return true }
      before = frame.events.last
    }
    return false
  }
}
