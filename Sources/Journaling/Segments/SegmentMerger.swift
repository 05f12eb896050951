import Bytes
import Crypto
import Platform

/// Merges sealed files of a log where enough of them are small.
struct SegmentMerger {
  let store: SegmentStore
  let index: LogIndex
  let sealer: SegmentSealer

  /// Seals and merges all that can be.
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

  /// Seals a tail that is large enough, and merges what was sealed.
  ///
  /// The events are durable as they are, so failing to tidy up is no failure to append. A failed
  /// flush is remembered all the same.
  func tidy(_ log: UniqueID, keys: (any SigningSource)?, hasSealed: Bool = false) {
    guard !store.isPoisoned else { return }
    var hasSealed = hasSealed
    do throws(JournalError) {
      if let tail = index.states[log]?.tail, tail.length >= Limit.tailBytes {
        try sealer.seal(log, keys: keys)
        // One that damage keeps from being sealed stays behind, and grows no more.
        if keys != nil || tail.hasHead { index.states[log]?.tail = nil }
        hasSealed = true
      }
      if hasSealed { try mergeNewest(of: log) }
    } catch {
      // It is tried again when more arrives.
    }
  }

  /// Merges the newest sealed files of a log where enough of them are small.
  func mergeNewest(of log: UniqueID) throws(JournalError) {
    guard !store.isPoisoned, let state = index.states[log] else { return }
    let folder = store.folder(log, state)
    let run = Self.newestRun(try sealedFiles(in: folder))
    try merge(run, in: folder, of: log)
  }

  /// The newest files that are worth merging: the fewest neighbours, eight at least, of which none
  /// holds more than half of their bytes.
  ///
  /// So what is written once more comes to lie among at least as much again: it is written a number of
  /// times that grows as the logarithm of a full file's size does. And where nothing is to be merged,
  /// sizes double every few files towards the old end: the files that are not full are few, too.
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

  /// Neighbours that fit into a file together, from the oldest on.
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

  /// Writes files as one, beside them, and then removes them.
  ///
  /// A run with damage in it is left as it is.
  private func merge(
    _ run: [SealedFile], in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) {
    guard run.count > 1, let first = run.first, let last = run.last,
      let bytes = try pack(run, in: folder, of: log)
    else { return }
    let events = first.events.lowerBound...last.events.upperBound
    try store.writing { () throws(DiskError) in
      try store.disk.replace(folder.path(of: .sealed(events)), with: bytes)
      // From here on these are ignored; what a crash leaves of them, recovery removes.
      for file in run { try store.disk.remove(folder.path(of: .sealed(file.events))) }
    }
  }

  /// The frames of neighbouring files, joined where they are small.
  ///
  /// - Returns: nil where something is damaged or does not go on.
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

  /// A log's sealed files that count, with their sizes.
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
