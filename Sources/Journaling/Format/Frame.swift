package import Bytes
internal import Gzip

/// A whole frame, unpacked and checked as far as it can be by itself.
package struct Frame: Sendable {
  /// What was packed; the records' ranges lie in it.
  package let content: [UInt8]
  package let information: FrameInformation
  /// At least one.
  package let events: [EventRecord]
  /// Proves the log up to the last event.
  package let head: Head?
  /// The logs that the events add to the table.
  package let introduced: [UniqueID]
  /// The last time that a source gave for an event.
  package let lastWhen: Int64
  /// How many bytes the frame takes where it lies.
  package let length: Int
  package let firstSequence: UInt64
  /// Whose log it is of.
  package let replica: ReplicaPrefix

  package var lastSequence: UInt64 { firstSequence + UInt64(events.count) - 1 }

  /// The log before the frame, where the frame tells the table.
  package var start: LogEnd? { information.knownTable.map(start) }

  /// The log before the frame, whose table is known from elsewhere.
  func start(withTable table: [UniqueID]) -> LogEnd {
    LogEnd(
      of: replica, sequence: firstSequence - 1, time: information.time, when: information.when,
      hash: information.hash, table: table)
  }

  /// The log behind the frame where its table is not known.
  var endWithoutTable: LogEnd {
    let last = events.last
    return LogEnd(
      of: replica, sequence: lastSequence, time: last?.time ?? information.time, when: lastWhen,
      hash: last?.hash ?? information.hash, table: [])
  }

  /// The log before one of the frame's events, where the frame tells the table.
  func end(before index: Int) -> LogEnd? { start.map { end(before: index, after: $0) } }

  /// The log before one of the frame's events, where it is known before the frame.
  func end(before index: Int, after start: LogEnd) -> LogEnd {
    var end = start
    for event in events[..<index] {
      // A header that was read once can be read again.
      let logs = event.namesOthers ? (try? header(of: event))?.introduced : nil
      end = end.advanced(by: event, introducing: logs ?? [])
    }
    return end
  }

  /// What the block of one of the frame's events is salted with.
  func secrets(at sequence: UInt64) -> BlockSecrets {
    information.blocks[Int(Chain.block(of: sequence) - Chain.block(of: firstSequence))]
  }

  package func header(of event: EventRecord) throws(CBORError) -> Header {
    var reader = CBORReader(content.span, at: event.header.lowerBound)
    return try Header.decode(&reader)
  }

  /// Where the events lie in the content.
  package var eventRange: Range<Int> {
    guard let first = events.first, let last = events.last else { return 0..<0 }
    return first.header.lowerBound..<last.body.upperBound
  }

  /// Unpacks and checks the frame at an offset; what follows it is left alone.
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

  /// Whether bodies are gone from the frame at an offset; false where there is none.
  ///
  /// The salts that it gives tell, so that no event has to be read.
  package static func isStripped(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    // Whoever wants to know more of a frame that makes no sense looks at all of it.
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
