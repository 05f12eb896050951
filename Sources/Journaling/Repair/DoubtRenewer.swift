import Bytes
import Platform

/// Writes anew what an earlier process may have failed to flush, from what the disk has kept.
struct DoubtRenewer {
  let store: SegmentStore
  let index: LogIndex
  let loader: LogLoader
  let lossKeeper: LossKeeper
  let surveyor: BranchSurveyor
  let quarantine: Quarantine

  /// Writes anew what an earlier process may have failed to flush, from what the disk has kept.
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
      // Last: after a crash on the way all of it is done again.
      try store.disk.remove(store.mark)
      try store.disk.flushDirectory(store.root)
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
    // A tail of which nothing is left is damaged, and stays as it is.
    case .tail: guard last > 0 else { return [] }
    }
    let excess = Array(bytes[length...])
    let copy = try quarantine.setAside(excess, behind: length, of: segment, log)
    try store.writing { () throws(DiskError) in
      try store.disk.replace(path, with: Array(bytes[..<length]))
    }
    let renewed = Repair(file: path, what: .renewed)
    guard let copy else { return [renewed] }
    return [
      Repair(file: path, what: .trimmed(byteCount: excess.count, copiedTo: copy)), renewed,
    ]
  }

  /// Where the last frame ends that counts or is kept, and the last event of those that count.
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
