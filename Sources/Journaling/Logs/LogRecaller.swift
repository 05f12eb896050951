import Bytes
import Platform

/// Says where logs end whose files are as they were read before.
struct LogRecaller {
  let store: SegmentStore
  let index: LogIndex

  /// What is known of the logs whose files are as they were read or written here.
  func recollection() -> Recollection {
    var recollection = Recollection()
    for (log, state) in index.states
    where index.strands(of: log).count == 1 && state.isPlain {
      let folder = store.folder(log, state)
      // What cannot be looked at now is read the next time.
      guard let files = try? folder.segments(), let last = files.last,
        let status = try? store.disk.status(folder.path(of: last)),
        state.ends(in: last, of: status.size)
      else { continue }
      recollection.logs[log] = Recollection.Log(
        files: files.map(\.string), size: status.size, modified: status.modified.milliseconds,
        end: state.end, tail: state.tail.map { ($0.frameCount, $0.hasHead) })
    }
    return recollection
  }

  /// A log as it is recalled, or nil where its files are others than then.
  func recalled(
    _ files: [SegmentName], in folder: LogFolder, on shelf: LogShelf, by recollection: Recollection
  ) throws(DiskError) -> LogState? {
    let replica = folder.replica
    guard let log = recollection.logs[replica], folder.path.name == replica.hex,
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
    return recollection.continued == replica
      ? try read(lastFrameOf: last, in: folder, state) : state
  }

  /// A log as it is recalled, with what its last frame says beyond that.
  ///
  /// - Returns: nil unless the frame is there and ends the log as it is recalled; then all of the file is to be read.
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
  /// Whether it is the one strand of a replica that has lost nothing and holds nothing of a newer version.
  fileprivate var isPlain: Bool {
    first == 1 && base == nil && ending.isSound && newerVersion == nil && losses.all.isEmpty
      && tail?.excess ?? 0 == 0
  }

  /// Whether a file of a size is the one the log ends in.
  fileprivate func ends(in file: SegmentName, of size: Int) -> Bool {
    switch file {
    case .tail(let first): tail?.first == first && tail?.length == size
    case .sealed(let events): tail == nil && events.upperBound == end.sequence
    }
  }
}
