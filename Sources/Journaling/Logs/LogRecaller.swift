import Bytes
import Platform

/// Finds the ends of logs whose files have not changed since the ends were cached.
struct LogRecaller {
  let store: SegmentStore
  let index: LogIndex

  /// A cache of the ends of all logs whose files have not changed since they were read or written here.
  func logEndCache() -> LogEndCache {
    var logEndCache = LogEndCache()
    for (log, state) in index.states
    where index.strands(of: log).count == 1 && state.isPlain {
      let folder = store.folder(log, state)
      // If a file cannot be examined now, its log is left out, so the log is read next time.
      guard let files = try? folder.segments(), let last = files.last,
        let status = try? store.disk.status(folder.path(of: last)),
        state.ends(in: last, of: status.size)
      else { continue }
      logEndCache.logs[log] = LogEndCache.Log(
        files: files.map(\.string), size: status.size, modified: status.modified.milliseconds,
        end: state.end, tail: state.tail.map { ($0.frameCount, $0.hasHead) })
    }
    return logEndCache
  }

  /// The cached state of a log, or nil if its files have changed.
  func recalled(
    _ files: [SegmentName], in folder: LogFolder, on shelf: LogShelf, by logEndCache: LogEndCache
  ) throws(DiskError) -> LogState? {
    let replica = folder.replica
    guard let log = logEndCache.logs[replica], folder.path.name == replica.hex,
      let last = files.last, log.files == files.map(\.string),
      let status = try store.disk.status(folder.path(of: last)), status.size == log.size,
      status.modified.milliseconds == log.modified
    else { return nil }
    var state = LogState(shelf: shelf, replica: replica, end: log.end)
    state.isRecalled = true
    if let tail = log.tail {
      state.tail = Tail(
        first: last.first, length: log.size, isSettled: false, hasHead: tail.hasHead,
        frameCount: tail.frameCount)
    }
    return logEndCache.continued == replica
      ? try read(lastFrameOf: last, in: folder, state) : state
  }

  /// Adds the secrets of the last block to a cached state, from the last frame of the log.
  ///
  /// - Returns: The state, or nil if the log does not end in a tail whose last frame matches the cached end. In that
  ///   case, the whole file must be read.
  private func read(
    lastFrameOf file: SegmentName, in folder: LogFolder, _ recalled: LogState
  ) throws(DiskError) -> LogState? {
    var chain = Chain()
    guard let tail = recalled.tail else { return nil }
    let bytes = try folder.contents(of: file)
    guard bytes.count == tail.length, let frame = folder.scan(bytes, of: file).lastFrame(&chain),
      frame.lastSequence == recalled.end.sequence, frame.events.last?.hash == recalled.end.hash
    else { return nil }
    var state = recalled
    state.isRecalled = false
    state.lastBlock = frame.information.blocks.last
    return state
  }
}

extension LogState {
  /// Whether the strand is the only strand of its replica, has lost nothing, and contains no frames of a newer version.
  fileprivate var isPlain: Bool {
    first == 1 && base == nil && ending.isSound && newerVersion == nil && losses.all.isEmpty
      && tail?.excess ?? 0 == 0
  }

  /// Whether the log ends in a file of the given size.
  fileprivate func ends(in file: SegmentName, of size: Int) -> Bool {
    switch file {
    case .tail(let first): tail?.first == first && tail?.length == size
    case .sealed(let events): tail == nil && events.upperBound == end.sequence
    }
  }
}
