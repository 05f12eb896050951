import Bytes
import Crypto
import Platform

/// Merges small sealed files of a log into larger files.
struct SegmentMerger {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer

  /// Seals the tail of every sound log, if it can be sealed, and merges adjacent sealed files.
  func compact(keys: [UniqueID: DeviceKeys]) throws(JournalError) -> Compaction {
    guard !store.isPoisoned else { throw .poisoned }
    var compaction = Compaction()
    for log in index.states.keys.sorted() {
      guard let state = index.states[log] else { continue }
      let folder = store.folder(log, state)
      try count(folder, in: &compaction.before)
      if state.ending.isSound { try sealer.seal(log, keys: keys[log]) }
      for run in Self.fullRuns(try sealedFiles(in: folder)) {
        try merge(run, in: folder, of: log)
      }
      try count(folder, in: &compaction.after)
    }
    return compaction
  }

  /// Seals a tail that is large enough, and then merges the newest files.
  ///
  /// The events are already durable, so an error is not reported to the caller that appended them. A failed flush is
  /// still recorded.
  func tidy(_ log: UniqueID, keys: (any SigningSource)?, hasSealed: Bool = false) {
    guard !store.isPoisoned else { return }
    var hasSealed = hasSealed
    do throws(JournalError) {
      if let tail = index.states[log]?.tail, tail.length >= Limit.tailBytes {
        try sealer.seal(log, keys: keys)
        // A damaged tail is not sealed. The file stays in place, and new events go to a new tail.
        if keys != nil || tail.hasHead { index.states[log]?.tail = nil }
        hasSealed = true
      }
      if hasSealed { try mergeNewest(of: log) }
    } catch {
      // The next write tries again to seal and merge files.
    }
  }

  /// Merges the newest sealed files of the given log if enough of them are small.
  func mergeNewest(of log: UniqueID) throws(JournalError) {
    guard !store.isPoisoned, let state = index.states[log] else { return }
    let folder = store.folder(log, state)
    let run = Self.newestRun(try sealedFiles(in: folder))
    try merge(run, in: folder, of: log)
  }

  /// Selects the newest files to merge: the shortest run of at least eight neighbours in which no file has more than
  /// half of the total bytes.
  ///
  /// Each merge at least doubles the size of the file that an event is in. So an event is rewritten O(log n) times,
  /// where n is the size of a full file, and there are O(log n) files that are not full.
  static func newestRun(_ files: [SealedFile]) -> [SealedFile] {
    var run: [SealedFile] = []
    var (total, largest) = (0, 0)
    for file in files.reversed() {
      if let next = run.last, file.events.upperBound + 1 != next.events.lowerBound { break }
      guard total + file.byteCount <= Limit.segmentBytes else { break }
      run.append(file)
      total += file.byteCount
      largest = max(largest, file.byteCount)
      if run.count >= leastMerged, largest * 2 <= total { return run.reversed() }
    }
    return []
  }

  /// Divides files into runs of neighbours that fit into one file, starting with the oldest file.
  static func fullRuns(_ files: [SealedFile]) -> [[SealedFile]] {
    var runs: [[SealedFile]] = []
    var total = 0
    for file in files {
      if let last = runs.last?.last, last.events.upperBound + 1 == file.events.lowerBound,
        total + file.byteCount <= Limit.segmentBytes
      {
        runs[runs.count - 1].append(file)
        total += file.byteCount
      } else {
        runs.append([file])
        total = file.byteCount
      }
    }
    return runs
  }

  /// Replaces a run of files with one file.
  ///
  /// A run that contains damage is not changed.
  private func merge(
    _ run: [SealedFile], in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) {
    guard run.count > 1, let first = run.first, let last = run.last,
      let bytes = try pack(run, in: folder, of: log)
    else { return }
    let events = first.events.lowerBound...last.events.upperBound
    try store.writing { () throws(DiskError) in
      try store.disk.replace(folder.path(of: .sealed(events)), with: bytes)
      // From this point on, readers ignore the old files. If a crash prevents their removal, recovery removes them.
      for file in run { try store.disk.remove(folder.path(of: .sealed(file.events))) }
    }
  }

  /// The frames of neighbouring files, with small frames joined.
  ///
  /// - Returns: The bytes, or nil if a file is damaged or does not continue the file before it.
  private func pack(
    _ run: [SealedFile], in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) -> [UInt8]? {
    var chain = Chain()
    var packing = Packing()
    for file in run {
      let bytes = try onDisk { () throws(DiskError) in
        try folder.contents(of: .sealed(file.events))
      }
      var scan = folder.scan(bytes, of: .sealed(file.events))
      while let step = scan.next(from: 0, &chain) {
        guard case .frame(let frame, let offset) = step else { return nil }
        if let ready = packing.finish(before: frame) { try add(ready, of: log, to: &packing) }
        let original = bytes[offset..<offset + frame.length]
        guard packing.take(frame, original, &chain) else { return nil }
      }
      guard packing.end?.sequence == file.events.upperBound else { return nil }
    }
    if let ready = packing.finish() { try add(ready, of: log, to: &packing) }
    return packing.bytes
  }

  private func add(
    _ draft: FrameDraft, of log: UniqueID, to packing: inout Packing
  ) throws(JournalError) {
    if let original = draft.original {
      packing.bytes += original.bytes
    } else {
      packing.bytes += try draft.packed(for: log, level: .sealed, withTable: true)
    }
  }

  /// The sealed files of a log that are in use, with their sizes.
  private func sealedFiles(in folder: LogFolder) throws(JournalError) -> [SealedFile] {
    try onDisk { () throws(DiskError) in
      var files: [SealedFile] = []
      for segment in try folder.segments() {
        guard case .sealed(let events) = segment else { continue }
        let size = try folder.disk.status(folder.path(of: segment))?.size ?? 0
        files.append(SealedFile(events: events, byteCount: size))
      }
      return files
    }
  }

  private func count(
    _ folder: LogFolder, in count: inout Compaction.Count
  ) throws(JournalError) {
    var added = count
    try onDisk { () throws(DiskError) in
      for segment in try folder.segments() {
        added.files += 1
        added.bytes += try folder.disk.status(folder.path(of: segment))?.size ?? 0
      }
    }
    count = added
  }

  private static var leastMerged: Int { 8 }
}
