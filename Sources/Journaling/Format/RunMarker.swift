package import Bytes

/// Marks where a run begins or ends in a log: a batch of an import, or a command or undo that is divided.
///
/// The count of the last marker shows where an interrupted import must be resumed.
package struct RunMarker: Hashable, Sendable {
  package enum Edge: Hashable, Sendable {
    /// `count` records of the source had been imported before this run.
    case begin
    /// `count` records of the source have been imported in total.
    case end
  }

  package var edge: Edge
  /// The digest of the source.
  package var source: Digest
  package var count: UInt64

  package init(_ edge: Edge, source: Digest, count: UInt64) {
    self.edge = edge
    self.source = source
    self.count = count
  }

  /// Encodes the body of the event.
  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.begin(edge == .begin ? .begin : .end, items: 3)
    writer.digest(source)
    writer.unsigned(count)
    return writer.bytes
  }

  /// Decodes the body of an event; nil if it is not a marker.
  package static func decode(_ body: Span<UInt8>) throws(CBORError) -> RunMarker? {
    var reader = CBORReader(body)
    guard try reader.peek() == .array else { return nil }
    let count = try reader.arrayHeader()
    guard count > 0 else { return nil }
    let edge: Edge
    switch JournalVerb(rawValue: try reader.unsigned()) {
    case .begin: edge = .begin
    case .end: edge = .end
    default: return nil
    }
    guard count >= 3 else { throw .truncated(at: reader.offset) }
    let source = try reader.digest()
    let marker = RunMarker(edge, source: source, count: try reader.unsigned())
    for _ in 3..<count { _ = try reader.skip() }
    try reader.finish()
    return marker
  }
}
