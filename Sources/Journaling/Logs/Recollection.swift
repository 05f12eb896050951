package import Bytes
import Platform

/// Where logs ended when they were last read, kept elsewhere, so that who only reads need not unpack their last events.
///
/// It holds for a log while its files have the same names, and the last of them the same size and time. Nothing secret
/// is in it: what salts a log's last block is left out, and whoever writes to a log reads its last frame for that.
package struct Recollection: Sendable {
  struct Log: Sendable {
    var files: [String]
    /// The size of the last file, and when it was written.
    var size: Int
    var modified: Int64
    var end: LogEnd
    /// Of a last file that grows, how many frames it holds and whether it ends in a head.
    var tail: (frameCount: Int, hasHead: Bool)?
  }

  var logs: [UniqueID: Log] = [:]
  /// The log that is about to be written.
  private(set) var continued: UniqueID?

  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(logs.count * 2)
    for (id, log) in logs.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(id)
      log.encode(to: &writer)
    }
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let log = try reader.uniqueID()
      logs[log] = try Log(of: log, &reader)
    }
    try reader.finish()
  }

  init() {}

  /// The same for who is about to write one log.
  package func continuing(_ log: UniqueID) -> Recollection {
    var continuing = self
    continuing.continued = log
    return continuing
  }
}

extension Recollection.Log {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(10)
    writer.arrayHeader(files.count)
    for file in files { writer.text(file) }
    writer.unsigned(UInt64(size))
    writer.integer(modified)
    writer.unsigned(end.sequence)
    writer.integer(end.time)
    writer.integer(end.when)
    writer.digest(end.hash)
    writer.arrayHeader(end.table.count)
    for id in end.table { writer.uniqueID(id) }
    writer.unsigned(UInt64(tail?.frameCount ?? 0))
    writer.boolean(tail?.hasHead ?? false)
  }

  fileprivate init(of log: UniqueID, _ reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    guard try reader.arrayHeader() == 10 else { throw .wrongLength(expected: 10, at: start) }
    files = []
    for _ in 0..<(try reader.arrayHeader()) { files.append(try reader.text()) }
    size = Int(clamping: try reader.unsigned())
    modified = try reader.integer()
    end = LogEnd(
      of: ReplicaPrefix(of: log), sequence: try reader.unsigned(), time: try reader.integer(),
      when: try reader.integer(), hash: try reader.digest(), table: [])
    for _ in 0..<(try reader.arrayHeader()) { end.table.append(try reader.uniqueID()) }
    let frameCount = Int(clamping: try reader.unsigned())
    let hasHead = try reader.boolean()
    tail = frameCount > 0 ? (frameCount, hasHead) : nil
  }
}

extension Journal {
  /// Whether the end of some log is not read but recalled, so that nothing may be written to it.
  package var isRecalled: Bool { states.values.contains { $0.isRecalled } }

  /// What is known of the logs whose files are as they were read or written here.
  ///
  /// Logs with branches, holes or anything else that takes more to tell are left out.
  package func recollection() -> Recollection {
    var recollection = Recollection()
    for (log, state) in states
    where strands(of: log).count == 1 && state.isPlain {
      let folder = strandFolder(log, state)
      // What cannot be looked at now is read the next time.
      guard let files = try? folder.segments(), let last = files.last,
        let status = try? disk.status(folder.path(of: last)), state.ends(in: last, of: status.size)
      else { continue }
      recollection.logs[log] = Recollection.Log(
        files: files.map(\.string), size: status.size, modified: status.modified.milliseconds,
        end: state.end, tail: state.tail.map { ($0.frameCount, $0.hasHead) })
    }
    return recollection
  }

  /// A log as it is recalled, or nil where its files are others than then.
  mutating func recalled(
    _ files: [SegmentName], in folder: LogFolder, of replica: UniqueID, _ shelf: Shelf
  ) throws(DiskError) -> LogState? {
    guard let log = recalling?.logs[replica], folder.path.name == replica.hex, reading == nil,
      let last = files.last, log.files == files.map(\.string),
      let status = try disk.status(folder.path(of: last)), status.size == log.size,
      status.modified.milliseconds == log.modified
    else { return nil }
    var state = LogState(shelf: shelf, replica: replica, end: log.end)
    state.isRecalled = true
    if let tail = log.tail {
      state.tail = Tail(
        first: last.first, length: log.size, isSettled: false, hasHead: tail.hasHead,
        frameCount: tail.frameCount)
    }
    return recalling?.continued == replica ? try read(lastFrameOf: last, in: folder, state) : state
  }

  /// A log as it is recalled, with what its last frame says beyond that.
  ///
  /// - Returns: nil unless the frame is there and ends the log as it is recalled; then all of the file is to be read.
  private mutating func read(
    lastFrameOf file: SegmentName, in folder: LogFolder, _ recalled: LogState
  ) throws(DiskError) -> LogState? {
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
