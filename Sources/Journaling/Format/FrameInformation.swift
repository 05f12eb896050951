package import Bytes

/// The state of the log before the events of a frame, which makes it possible to read the frame without other frames.
package struct FrameInformation: Hashable, Sendable {
  /// The time in ms since 1970.
  package var time: Int64
  package var when: Int64
  package var hash: Digest
  /// One entry for each block with events in the frame.
  package var blocks: [BlockSecrets]
  /// The number of logs in the table.
  package var tableCount: UInt64
  /// The table, if the frame contains it.
  package var table: [UniqueID]?

  init(after end: LogEnd, blocks: [BlockSecrets], withTable: Bool) {
    time = end.time
    when = end.when
    hash = end.hash
    self.blocks = blocks
    tableCount = UInt64(end.table.count)
    table = withTable && !end.table.isEmpty ? end.table : nil
  }

  package func encode(to writer: inout CBORWriter) {
    let optional = [when != 0, tableCount > 0, table != nil]
    writer.mapHeader(3 + optional.count { $0 })
    writer.unsigned(0)
    writer.unsigned(UInt64(time))
    if when != 0 {
      writer.unsigned(1)
      writer.integer(when)
    }
    writer.unsigned(2)
    writer.digest(hash)
    writer.unsigned(3)
    writer.arrayHeader(blocks.count)
    for block in blocks { block.encode(to: &writer) }
    if tableCount > 0 {
      writer.unsigned(4)
      writer.unsigned(tableCount)
    }
    if let table {
      writer.unsigned(5)
      writer.arrayHeader(table.count)
      for id in table { writer.uniqueID(id) }
    }
  }

  package static func decode(_ reader: inout CBORReader) throws(FrameError) -> FrameInformation {
    var parts = Parts()
    do throws(CBORError) {
      // The map is read twice, because skipping it checks the order of its keys.
      var ahead = reader
      _ = try ahead.skip()
      for _ in 0..<(try reader.mapHeader()) { try parts.decode(&reader) }
    } catch {
      throw .content(error)
    }
    guard let information = FrameInformation(parts) else { throw .information }
    return information
  }

  /// The table, if the frame contains it or it is empty.
  var knownTable: [UniqueID]? { tableCount == 0 ? [] : table }

  private init?(_ parts: Parts) {
    guard let time = parts.time.flatMap({ Int64(exactly: $0) }), let hash = parts.hash,
      let blocks = parts.blocks, parts.when != 0, parts.tableCount != 0,
      parts.tableCount ?? 0 <= UInt64(Limit.tableEntries),
      parts.table.map({ UInt64($0.count) == parts.tableCount }) ?? true
    else { return nil }
    (self.time, self.hash, self.blocks) = (time, hash, blocks)
    when = parts.when ?? 0
    tableCount = parts.tableCount ?? 0
    table = parts.table
  }

  private struct Parts {
    var time: UInt64?
    var when: Int64?
    var hash: Digest?
    var blocks: [BlockSecrets]?
    var tableCount: UInt64?
    var table: [UniqueID]?

    mutating func decode(_ reader: inout CBORReader) throws(CBORError) {
      guard try reader.peek() == .unsigned else {
        _ = try reader.skip()
        _ = try reader.skip()
        return
      }
      switch try reader.unsigned() {
      case 0: time = try reader.unsigned()
      case 1: when = try reader.integer()
      case 2: hash = try reader.digest()
      case 3:
        var blocks: [BlockSecrets] = []
        for _ in 0..<(try reader.arrayHeader()) { blocks.append(try .decode(&reader)) }
        self.blocks = blocks
      case 4: tableCount = try reader.unsigned()
      case 5:
        let start = reader.offset
        let count = try reader.arrayHeader()
        guard count <= Limit.tableEntries else { throw .tooMany(at: start) }
        var table: [UniqueID] = []
        for _ in 0..<count { table.append(try reader.uniqueID()) }
        self.table = table
      default: _ = try reader.skip()
      }
    }
  }
}
