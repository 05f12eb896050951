import Bytes
import Crypto
import Platform

/// Frames that a disk has put into the file of a log they are no part of.
///
/// Behind a gap nothing but what the frames say tells whose they are. Those that another log holds are its own: a
/// chain hash belongs to one log. Others are doubted only where they contradict what the log's head proves.
extension Journal {
  /// Passes over, in the last files of strands that have lost something, what another log holds and joins nothing.
  mutating func findForeign() throws(JournalError) {
    for (strand, state) in states.sorted(by: { $0.key < $1.key }) {
      guard let tail = state.tail, !state.losses.events.isEmpty || !state.ending.isSound else {
        continue
      }
      let folder = strandFolder(strand, state)
      var ends: Set<Digest> = []
      let file = try read(.tail(tail.first), in: folder)
      for run in file.frames.map(\.frame).runs {
        let isFirst = run.first?.firstSequence == tail.first
        if let last = run.last, !isFirst, try isHeldElsewhere(last, than: strand) {
          ends.formUnion(run.compactMap { $0.events.last?.hash })
        }
      }
      guard !ends.isEmpty else { continue }
      foreign[strand] = ends
      states[strand] = nil
      try load(strand, of: state.replica, from: state.shelf)
    }
  }

  /// Files without the frames behind a loss that are taken for another log's, and the loss without them; nil where
  /// there are none.
  mutating func withoutForeign(
    _ files: [ReadFile], around loss: Loss, of strand: UniqueID
  ) throws(JournalError) -> (files: [ReadFile], loss: Loss)? {
    guard let state = states[strand] else { return nil }
    let behind = files.flatMap(\.frames).filter { $0.frame.firstSequence > loss.events.lowerBound }
    var dropped: Set<Digest> = []
    // Who writes a log is the only one to hold what no head proves yet.
    var isProved = try isWrittenHere(state.replica)
    var next: Frame?
    for frame in behind.map(\.frame).reversed() {
      if let next, !FrameOrder.joins(next, frame) {
        isProved = try isWrittenHere(state.replica)
      }
      if let key = state.publicKey, let head = frame.head, let last = frame.events.last {
        isProved = head.proves(state.replica, upTo: last, by: key) || isProved
      }
      let isElsewhere = try isHeldElsewhere(frame, than: strand)
      if !isProved || isElsewhere, let last = frame.events.last { dropped.insert(last.hash) }
      next = frame
    }
    guard !dropped.isEmpty else { return nil }
    var left = files
    for index in left.indices {
      left[index].frames.removeAll { filler in
        filler.frame.events.last.map { dropped.contains($0.hash) } ?? false
      }
      if left[index].frames.count < files[index].frames.count { left[index].isDamaged = true }
    }
    return (left, loss.without(dropped, behind: behind))
  }

  /// Whether another strand has a frame's last event.
  private func isHeldElsewhere(
    _ frame: Frame, than strand: UniqueID
  ) throws(JournalError) -> Bool {
    guard let last = frame.events.last else { return false }
    for (other, state) in states where other != strand && !state.isRemains {
      if try hash(in: other, at: last.sequence) == last.hash { return true }
    }
    return false
  }

  /// Whether the key of a replica lies here.
  private func isWrittenHere(_ replica: UniqueID) throws(JournalError) -> Bool {
    let (disk, path) = (disk, folder / "keys" / "\(replica.hex).pem")
    return try onDisk { () throws(DiskError) in try disk.status(path) != nil }
  }
}

extension Loss {
  /// The same where frames behind it are none of the log's.
  fileprivate func without(_ dropped: Set<Digest>, behind frames: [Filler]) -> Loss {
    let held = frames.map(\.frame).filter { frame in
      frame.events.last.map { !dropped.contains($0.hash) } ?? false
    }
    if let next = held.map(\.firstSequence).min(), next > events.lowerBound {
      return Loss(events: events.lowerBound...max(events.upperBound, next - 1), isEnd: false)
    }
    let last = frames.map(\.frame.lastSequence).max() ?? events.upperBound
    return Loss(events: events.lowerBound...max(events.upperBound, last), isEnd: true)
  }
}

extension [Frame] {
  /// Those that go on behind each other.
  fileprivate var runs: [[Frame]] {
    var runs: [[Frame]] = []
    for frame in self {
      if let before = runs.last?.last, FrameOrder.joins(frame, before) {
        runs[runs.count - 1].append(frame)
      } else {
        runs.append([frame])
      }
    }
    return runs
  }
}
