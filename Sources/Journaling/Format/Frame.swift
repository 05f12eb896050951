package import Bytes
internal import Gzip

/// A whole frame, unpacked and checked as far as possible without other frames.
package struct Frame: Sendable {
  /// The unpacked content; the ranges in ``events`` refer to it.
  package let content: [UInt8]
  package let information: FrameInformation
  /// The events, of which there is at least one.
  package let events: [EventRecord]
  /// The head that proves the log up to the last event; nil if the frame does not end in a head.
  package let head: Head?
  /// The logs that the events add to the table.
  package let introduced: [UniqueID]
  /// The last time that a source stated for an event of the log up to the frame's end, in ms since 1970, or 0.
  package let lastWhen: Int64
  /// The length of the packed frame, in bytes.
  package let length: Int
  package let firstSequence: UInt64
  /// The replica whose log the frame belongs to.
  package let replica: ReplicaPrefix

  package var lastSequence: UInt64 { firstSequence + UInt64(events.count) - 1 }

  /// The end of the log before the frame; nil if the frame does not contain its table.
  package var start: LogEnd? { information.knownTable.map(start) }

  /// The end of the log before the frame, with a table from another source.
  func start(withTable table: [UniqueID]) -> LogEnd {
    LogEnd(
      of: replica, sequence: firstSequence - 1, time: information.time, when: information.when,
      hash: information.hash, table: table)
  }

  /// The end of the log after the frame.
  ///
  /// If the table is unknown, the end has an empty table.
  var endWithoutTable: LogEnd {
    let last = events.last
    return LogEnd(
      of: replica, sequence: lastSequence, time: last?.time ?? information.time, when: lastWhen,
      hash: last?.hash ?? information.hash, table: [])
  }

  /// The end of the log before one of the frame's events; nil if the frame does not contain its table.
  func end(before index: Int) -> LogEnd? { start.map { end(before: index, after: $0) } }

  /// The end of the log before one of the frame's events, computed from the end before the frame.
  func end(before index: Int, after start: LogEnd) -> LogEnd {
    var end = start
    for event in events[..<index] {
      // The header has already been decoded, so this cannot fail.
      let logs = event.namesOthers ? (try? header(of: event))?.introduced : nil
      end = end.advanced(by: event, introducing: logs ?? [])
    }
    return end
  }

  /// The salts or the seed of the block that contains an event.
  func secrets(at sequence: UInt64) -> BlockSecrets {
    information.blocks[Int(Chain.block(of: sequence) - Chain.block(of: firstSequence))]
  }

  package func header(of event: EventRecord) throws(CBORError) -> Header {
    var reader = CBORReader(content.span, at: event.header.lowerBound)
    return try Header.decode(&reader)
  }

  /// The range of all events in the content.
  package var eventRange: Range<Int> {
    guard let first = events.first, let last = events.last else { return 0..<0 }
    return first.header.lowerBound..<last.body.upperBound
  }

  /// Unpacks and checks the frame at the given offset, and ignores the bytes after it.
  package static func decode(
    _ bytes: Span<UInt8>, at offset: Int, _ chain: inout Chain
  ) throws(FrameError) -> Frame {
    let envelope = try FrameEnvelope(bytes, at: offset)
    guard envelope.length <= bytes.count - offset else { throw .length }
    let unpacked: GzipContent
    do throws(GzipError) {
      unpacked = try GzipMember.decompress(
        bytes.extracting(offset..<offset + envelope.length), at: 0,
        outputLimit: Limit.contentBytes)
    } catch {
      throw .gzip(error)
    }
    guard unpacked.length == envelope.length else { throw .length }
    return try Frame(unpacked.content, envelope, &chain)
  }

  /// Whether bodies have been stripped from the frame at the given offset; false if there is no valid frame.
  ///
  /// Only the salts in front of the events are read, not the events themselves.
  package static func isStripped(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    // An invalid frame is reported when it is decoded completely.
    guard let envelope = try? FrameEnvelope(bytes, at: offset),
      envelope.length <= bytes.count - offset,
      let unpacked = try? GzipMember.decompress(
        bytes.extracting(offset..<offset + envelope.length), at: 0,
        outputLimit: Limit.contentBytes)
    else { return false }
    var reader = CBORReader(unpacked.content.span)
    guard let information = try? FrameInformation.decode(&reader) else { return false }
    return information.blocks.contains { block in
      if case .salts(let salts) = block { salts.contains(nil) } else { false }
    }
  }

  private init(
    _ content: [UInt8], _ envelope: FrameEnvelope, _ chain: inout Chain
  ) throws(FrameError) {
    let span = content.span
    var reader = CBORReader(span)
    information = try FrameInformation.decode(&reader)
    guard envelope.length <= information.blocks.frameLimit else { throw .envelope }
    var scan = EventScan(information, envelope)
    try scan.readAll(&reader, span, &chain)
    (events, introduced, lastWhen) = (scan.events, scan.introduced, scan.when)
    head = try Self.decodeHead(&reader, in: span)
    guard reader.isAtEnd else { throw .trailing }
    self.content = content
    length = envelope.length
    (firstSequence, replica) = (envelope.firstSequence, envelope.replica)
  }

  private static func decodeHead(
    _ reader: inout CBORReader, in content: Span<UInt8>
  ) throws(FrameError) -> Head? {
    if reader.isAtEnd { return nil }
    do throws(CBORError) {
      return try Head(&reader, in: content)
    } catch {
      throw .content(error)
    }
  }
}

extension LogEnd {
  /// The state after the given frame; nil if the frame does not continue the log.
  package func advanced(by frame: Frame) -> LogEnd? {
    guard joins(frame), let last = frame.events.last else { return nil }
    return LogEnd(
      of: replica, sequence: last.sequence, time: last.time, when: frame.lastWhen,
      hash: last.hash, table: table + frame.introduced)
  }

  /// Whether the given frame directly follows the last event and states this log end as its start.
  package func joins(_ frame: Frame) -> Bool {
    let information = frame.information
    return frame.replica == replica && frame.firstSequence == sequence + 1
      && information.hash == hash
      && information.time == time && information.when == when
      && information.tableCount == UInt64(table.count)
      && (information.table.map { $0 == table } ?? true)
  }
}
