package import Bytes

/// The ends of logs as they were last read, so that a reader need not decode the last frames.
///
/// An entry is valid while the files of the log have the same names and the last file has the same size and
/// modification time. The cache contains no secrets, so a writer reads the secrets of the last block from the last
/// frame.
package struct LogEndCache: Sendable {
  struct Log: Sendable {
    var files: [String]
    /// The size of the last file in bytes, and its modification time in milliseconds.
    var size: Int
    var modified: Int64
    var end: LogEnd
    /// The number of frames in the last file, and whether the file ends in a head; nil if the last file is not a tail.
    var tail: (frameCount: Int, hasHead: Bool)?
  }

  var logs: [UniqueID: Log] = [:]
  /// The log that will be written to.
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

  /// The cache for a caller that will write to one log.
  ///
  /// The last frame of that log is read, because the cache does not contain its secrets.
  package func continuing(_ log: UniqueID) -> LogEndCache {
    var continuing = self
    continuing.continued = log
    return continuing
  }
}

extension LogEndCache.Log {
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
