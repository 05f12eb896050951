import Bytes
import Crypto
import Platform

// What a failed flush should have kept is in doubt for ever: the system takes the bytes for flushed.
// So it is neither flushed again nor believed; what is needed goes into a new file.

extension Journal {
  /// The file that says that a flush failed.
  private var mark: Path { folder / "POISON" }

  /// Writes nothing more, and tells the next process why.
  mutating func poison() {
    guard !isPoisoned else { return }
    isPoisoned = true
    openTail = nil
    // Where even this fails, the next process writes once more what it finds.
    isMarked = (try? disk.replace(mark, with: Array(Self.warning.utf8))) != nil
  }

  /// Writes commands whose flush has failed into a new file, once.
  ///
  /// The tail goes along, and the file takes its place: so nothing of it is in doubt any more, and no
  /// event lies twice. The mark has to be there first: a crash before the name is flushed leaves the
  /// doubt to the next process.
  mutating func rescue(
    _ drafts: [FrameDraft], of log: UniqueID, after failure: JournalError
  ) throws(JournalError) {
    guard isPoisoned, isMarked, let state = states[log], let first = drafts.first else {
      throw failure
    }
    let name = SegmentName.tail(state.tail?.first ?? first.start.sequence + 1)
    let folder = strandFolder(log, state)
    let path = folder.path(of: name)
    // A new file helps where the file or its name is in doubt, and not where the folder's own name is.
    if case .disk(let error) = failure, error.operation == .flushDirectory,
      error.path != folder.path
    {
      throw failure
    }
    var tail =
      state.tail
      ?? Tail(first: name.first, length: 0, isSettled: true, hasHead: false, frameCount: 0)
    do throws(JournalError) {
      let bytes = try joined(tail, drafts, of: log, in: folder)
      let disk = disk
      try onDisk { () throws(DiskError) in try disk.replace(path, with: bytes) }
      tail.length = bytes.count
    } catch {
      // The first failure is the one to tell.
      throw failure
    }
    tail.isSettled = true
    tail.excess = 0
    tail.hasHead = drafts.last?.head != nil
    tail.frameCount += drafts.count
    states[log]?.tail = tail
  }

  /// A tail as it was, with more frames behind.
  private mutating func joined(
    _ tail: Tail, _ drafts: [FrameDraft], of log: UniqueID, in folder: LogFolder
  ) throws(JournalError) -> [UInt8] {
    let (disk, name) = (disk, SegmentName.tail(tail.first))
    var bytes = try onDisk { () throws(DiskError) -> [UInt8] in
      guard tail.length > 0 else { return [] }
      let file = try OpenFile(folder.path(of: name), .read, on: disk)
      return try file.read(at: 0, count: tail.length)
    }
    for draft in drafts {
      bytes += try encode(draft, of: log, level: Self.quickLevel, withTable: bytes.isEmpty)
    }
    var scan = folder.scan(bytes, of: name)
    var count = 0
    while let step = scan.next(from: 0, &chain) {
      if case .frame = step { count += 1 }
    }
    // What memory shows of the file is believed as far as its checksums go.
    guard count == tail.frameCount + drafts.count else { throw .damaged(log) }
    return bytes
  }

  /// Writes anew what an earlier process may have failed to flush, from what the disk has kept.
  mutating func renewDoubtful() throws(JournalError) -> [Repair] {
    let (disk, mark, folder) = (disk, mark, folder)
    guard try onDisk({ () throws(DiskError) in try disk.status(mark) }) != nil else { return [] }
    var repairs: [Repair] = []
    for log in states.keys.sorted() {
      guard let state = states[log] else { continue }
      let strandFolder = strandFolder(log, state)
      for segment in try doubtful(in: strandFolder) {
        repairs += try renew(segment, in: strandFolder, of: log)
      }
      try load(log, of: state.replica, from: state.shelf)
    }
    try loadHoles()
    try findBranches()
    try writing { () throws(DiskError) in
      for shelf in [Shelf.logs, .aside] {
        let path = folder / shelf.rawValue
        if try disk.status(path) != nil { try disk.flushDirectory(path) }
      }
      try disk.flushDirectory(folder)
      // Last: after a crash on the way all of it is done again.
      try disk.remove(mark)
      try disk.flushDirectory(folder)
    }
    return repairs
  }

  /// The files whose bytes or names a failed flush can have left in doubt.
  ///
  /// Whoever writes stops at the failure, so they are those that grow, the last one sealed, and those
  /// that were to take the place of others.
  private func doubtful(in folder: LogFolder) throws(JournalError) -> [SegmentName] {
    try onDisk { () throws(DiskError) in
      let listing = try folder.listing()
      let last = listing.counting.last { !$0.isTail }
      return listing.counting.filter { segment in
        guard case .sealed(let events) = segment else { return true }
        return segment == last || listing.covered.contains { events.contains($0.first) }
      }
    }
  }

  private mutating func renew(
    _ segment: SegmentName, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) -> [Repair] {
    let (disk, path) = (disk, folder.path(of: segment))
    let bytes = try onDisk { () throws(DiskError) -> [UInt8] in
      let file = try OpenFile(path, .read, on: disk)
      try file.forgetCached()
      return try file.read(at: 0, count: Limit.fileBytes)
    }
    let (length, last) = frames(in: folder.scan(bytes, of: segment))
    switch segment {
    case .sealed(let events):
      guard last == events.upperBound, length == bytes.count else { return [] }
    // A tail of which nothing is left is damaged, and stays as it is.
    case .tail: guard last > 0 else { return [] }
    }
    let excess = Array(bytes[length...])
    let copy = try setAside(excess, behind: length, of: segment, log)
    try writing { () throws(DiskError) in
      try disk.replace(path, with: Array(bytes[..<length]))
    }
    let renewed = Repair(file: path, what: .renewed)
    guard let copy else { return [renewed] }
    return [
      Repair(file: path, what: .trimmed(byteCount: excess.count, copiedTo: copy)), renewed,
    ]
  }

  /// Where the last frame ends that counts or is kept, and the last event of those that count.
  private mutating func frames(in file: FileScan) -> (length: Int, last: UInt64) {
    var scan = file
    var found: (length: Int, last: UInt64) = (0, 0)
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .frame(let frame, let offset): found = (offset + frame.length, frame.lastSequence)
      case .gap(let range, _, _):
        if let frame = scan.kept { found.length = range.lowerBound + frame.length }
      case .passed: continue
      }
    }
    return found
  }

  private static let warning = """
    The disk failed to keep what was written here. daybook reads it again, past its memory, and mends
    what it can before it writes; then this file goes. Check the disk.

    """
}
