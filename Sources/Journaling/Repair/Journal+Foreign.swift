import Bytes
import Crypto
import Platform

/// Frames that a disk has put into the file of a log they are no part of.
///
/// Behind a gap nothing but what the frames say tells whose they are. Those that another log holds are its own: a
/// chain hash belongs to one log. Others are doubted only where they contradict what the log's head proves.
extension Journal {
  /// Passes over, in files of strands that have lost something, what another log holds and joins nothing, and what is
  /// not behind the event that is held before the file.
  ///
  /// Where two have lost what is before it, and no head tells whose it is, it is neither's until that has come back.
  mutating func findForeign() throws(JournalError) {
    while true {
      let found = try foreignEnds()
      if found.isEmpty { return }
      // What they contradicted is looked at as if they were not there, and may be another log's as well.
      try pass(over: found)
    }
  }

  /// What frames end with that are to be passed over, by the strands in whose files they lie.
  private mutating func foreignEnds() throws(JournalError) -> [UniqueID: Set<Digest>] {
    var found: [UniqueID: Set<Digest>] = [:]
    for (strand, state) in states.sorted(by: { $0.key < $1.key }) {
      let folder = strandFolder(strand, state)
      for file in try doubtedFiles(of: state, in: folder) {
        for run in try read(file, in: folder).frames.map(\.frame).runs {
          var isOwn = try follows(run, in: file, of: strand)
          if isOwn == nil { isOwn = try isHeldAlone(run, by: strand, state, besides: found) }
          if isOwn == true { continue }
          found[strand, default: []].formUnion(run.compactMap { $0.events.last?.hash })
        }
      }
    }
    return found
  }

  private mutating func pass(over found: [UniqueID: Set<Digest>]) throws(JournalError) {
    for (strand, ends) in found.sorted(by: { $0.key < $1.key }) {
      guard let state = states.removeValue(forKey: strand) else { continue }
      foreign[strand, default: []].formUnion(ends)
      try load(strand, of: state.replica, from: state.shelf)
      guard let own = states[strand], own.end.sequence >= own.first else { continue }
      states[strand]?.losses.add(bodies: state.losses.bodies)
    }
  }

  /// Reads the strands again of which something was passed over, since what made that doubtful may have come back.
  ///
  /// - Returns: The strands.
  mutating func forgetForeign() throws(JournalError) -> Set<UniqueID> {
    let doubted = Set(foreign.keys)
    foreign = [:]
    for strand in doubted.sorted() {
      guard let state = states.removeValue(forKey: strand) else { continue }
      try load(strand, of: state.replica, from: state.shelf)
      states[strand]?.losses.add(bodies: state.losses.bodies)
    }
    return doubted
  }

  /// The files of a strand in which not all is as it was written, as far as reading its end has shown.
  private func doubtedFiles(
    of state: LogState, in folder: LogFolder
  ) throws(JournalError) -> [SegmentName] {
    var files = state.damagedSeal.map { [SegmentName.sealed($0)] } ?? []
    if state.hasLeftTail {
      files += try onDisk { () throws(DiskError) in try folder.segments().filter(\.isTail) }
    } else if let tail = state.tail,
      !state.losses.events.isEmpty || !state.ending.isSound || tail.hasStrayBytes
    {
      files.append(.tail(tail.first))
    }
    return files
  }

  /// Whether frames that go on behind each other begin a file, behind what the files before it hold.
  ///
  /// - Returns: nil where that cannot be told.
  private func follows(
    _ run: [Frame], in file: SegmentName, of strand: UniqueID
  ) throws(JournalError) -> Bool? {
    guard let first = run.first, first.firstSequence == file.first, let state = states[strand]
    else { return nil }
    guard state.first < file.first else { return true }
    return try hash(in: strand, at: file.first - 1).map { $0 == first.information.hash }
  }

  /// Whether frames that go on behind each other are held by no other strand, or are proved to be this one's.
  private mutating func isHeldAlone(
    _ run: [Frame], by strand: UniqueID, _ state: LogState, besides found: [UniqueID: Set<Digest>]
  ) throws(JournalError) -> Bool {
    guard let last = run.last, let hash = last.events.last?.hash else { return true }
    return try holders(of: last, besides: strand).allSatisfy { other in
      // Of two strands of one replica it is one that passes over it.
      let isPassedOver = found[other]?.contains(hash) ?? false
      let isStrand = states[other]?.replica == state.replica
      return isStrand ? isPassedOver : isProved(run, of: state.replica)
    }
  }

  /// Whether a head of frames that go on behind each other is a replica's, as far as its key can be read.
  private mutating func isProved(_ run: [Frame], of replica: UniqueID) -> Bool {
    // A log whose first event is lost proves nothing.
    guard let key = try? publicKey(of: replica) else { return false }
    return run.contains { frame in
      guard let head = frame.head, let last = frame.events.last else { return false }
      return head.proves(replica, upTo: last, by: key)
    }
  }

  /// Files without the frames behind a loss that are taken for another log's, and the loss without them; nil where
  /// there are none.
  mutating func withoutForeign(
    _ files: [ReadFile], around loss: Loss, of strand: UniqueID
  ) throws(JournalError) -> (files: [ReadFile], loss: Loss)? {
    guard let state = states[strand] else { return nil }
    let key = try? publicKey(of: state.replica)
    let behind = files.flatMap(\.frames).filter { $0.frame.firstSequence >= loss.events.lowerBound }
    var dropped: Set<Digest> = []
    // Who writes a log is the only one to hold what no head proves yet.
    var isProved = try isWrittenHere(state.replica)
    var next: Frame?
    for frame in behind.map(\.frame).reversed() {
      if let next, !FrameOrder.joins(next, frame) {
        isProved = try isWrittenHere(state.replica)
      }
      if let key, let head = frame.head, let last = frame.events.last {
        isProved = head.proves(state.replica, upTo: last, by: key)
      }
      let isElsewhere = try !holders(of: frame, besides: strand).isEmpty
      if let last = frame.events.last,
        !isProved || isElsewhere || foreign[strand]?.contains(last.hash) ?? false
      {
        dropped.insert(last.hash)
      }
      next = frame
    }
    guard !dropped.isEmpty else { return nil }
    // What they contradicted may be the log's own.
    let folder = strandFolder(strand, state)
    let left = try files.map { file throws(JournalError) in
      try readOwn(file.name, of: strand, in: folder, besides: dropped)
    }
    return (left, loss.without(behind.map(\.frame), among: left.flatMap(\.frames).map(\.frame)))
  }

  /// Reads a file past the frames that other logs hold; of what is neither's it has all, which may go on where what
  /// comes ends.
  ///
  /// - Parameters:
  ///   - name: The file.
  ///   - strand: Whose it is.
  ///   - folder: Where it lies.
  ///   - dropped: What further frames end with that are another log's.
  /// - Returns: The file with what can be read of it.
  /// - Throws: ``JournalError/disk(_:)``.
  mutating func readOwn(
    _ name: SegmentName, of strand: UniqueID, in folder: LogFolder,
    besides dropped: Set<Digest> = []
  ) throws(JournalError) -> ReadFile {
    var folder = folder
    folder.foreign = dropped
    let file = try read(name, in: folder)
    guard let foreign = foreign[strand] else { return file }
    for frame in file.lying.map(\.frame) {
      guard let end = frame.events.last?.hash, foreign.contains(end) else { continue }
      if try !holders(of: frame, besides: strand).isEmpty { folder.foreign.insert(end) }
    }
    // What they contradict was passed over, and may be the log's own.
    return folder.foreign == dropped ? file : try read(name, in: folder)
  }

  /// The other strands that have a frame's last event.
  private func holders(
    of frame: Frame, besides strand: UniqueID
  ) throws(JournalError) -> [UniqueID] {
    guard let last = frame.events.last else { return [] }
    var holders: [UniqueID] = []
    for (other, state) in states where other != strand && !state.isRemains {
      if try hash(in: other, at: last.sequence) == last.hash { holders.append(other) }
    }
    return holders
  }

  /// Whether the key of a replica lies here.
  private func isWrittenHere(_ replica: UniqueID) throws(JournalError) -> Bool {
    let (disk, path) = (disk, folder / "keys" / "\(replica.hex).pem")
    return try onDisk { () throws(DiskError) in try disk.status(path) != nil }
  }
}

extension Loss {
  /// The same where of the frames behind it only some are the log's.
  fileprivate func without(_ frames: [Frame], among held: [Frame]) -> Loss {
    let behind = held.map(\.firstSequence).filter { $0 >= events.lowerBound }
    if let next = behind.min(), next > events.lowerBound {
      return Loss(events: events.lowerBound...max(events.upperBound, next - 1), isEnd: false)
    }
    let last = frames.map(\.lastSequence).max() ?? events.upperBound
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
