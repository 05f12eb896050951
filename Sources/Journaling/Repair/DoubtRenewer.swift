import Bytes
import Platform

/// Rewrites files after a failed flush, from the bytes that the disk has stored.
///
/// After a failed flush, the system may mark pages as clean although they were never stored. Flushing them again would
/// report success, so the bytes are written to a new file.
struct DoubtRenewer {
  let store: SegmentStore
  let index: LogIndex
  let loader: LogLoader
  let lossKeeper: LossKeeper
  let surveyor: BranchSurveyor
  let quarantine: Quarantine

  /// Rewrites the files in doubt, if an earlier process left the mark of a failed flush.
  func renewDoubtful() throws(JournalError) -> [Repair] {
    let isMarked = try onDisk { () throws(DiskError) in try store.disk.status(store.mark) != nil }
    guard isMarked else { return [] }
    var repairs: [Repair] = []
    for log in index.states.keys.sorted() {
      guard let state = index.states[log] else { continue }
      let folder = store.folder(log, state)
      for segment in try doubtful(in: folder) {
        repairs += try renew(segment, in: folder, of: log)
      }
      try loader.load(log, of: state.replica, from: state.shelf)
    }
    try lossKeeper.loadHoles()
    try surveyor.findBranches()
    try store.writing { () throws(DiskError) in
      for shelf in [LogShelf.logs, .aside] {
        let path = store.root / shelf.rawValue
        if try store.disk.status(path) != nil { try store.disk.flushDirectory(path) }
      }
      try store.disk.flushDirectory(store.root)
      // The mark is removed last, so the whole repair runs again if it is interrupted by a crash.
      try store.disk.remove(store.mark)
      try store.disk.flushDirectory(store.root)
    }
    return repairs
  }

  /// The files whose bytes or directory entries may be in doubt after a failed flush.
  ///
  /// A process stops writing at the failure, so the files in doubt are the tails, the last sealed file, and sealed
  /// files that were about to replace others.
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

  private func renew(
    _ segment: SegmentName, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) -> [Repair] {
    let path = folder.path(of: segment)
    let bytes = try onDisk { () throws(DiskError) -> [UInt8] in
      let file = try OpenFile(path, .read, on: store.disk)
      try file.forgetCached()
      return try file.read(at: 0, count: Limit.fileBytes)
    }
    let (length, last) = frames(in: folder.scan(bytes, of: segment))
    switch segment {
    case .sealed(let events):
      guard last == events.upperBound, length == bytes.count else { return [] }
    // A tail without any frame is damaged, and is not changed.
    case .tail: guard last > 0 else { return [] }
    }
    let excess = Array(bytes[length...])
    let copy = try quarantine.setAside(excess, behind: length, of: segment, log)
    try store.writing { () throws(DiskError) in
      try store.disk.replace(path, with: Array(bytes[..<length]))
    }
    let renewed = Repair(file: path, kind: .renewed)
    guard let copy else { return [renewed] }
    return [
      Repair(file: path, kind: .trimmed(byteCount: excess.count, copiedTo: copy)), renewed,
    ]
  }

  /// The end of the last frame to keep, and the last event of the log in the file.
  private func frames(in file: FileScan) -> (length: Int, last: UInt64) {
    var chain = Chain()
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
}
