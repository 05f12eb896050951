package import Bytes

/// A reference from one log to an event of the same log or of a log in its table.
package struct Reference: Hashable, Sendable {
  /// The index of the other log in the table; nil for an event of the same log.
  package var index: UInt64?
  package var sequence: UInt64

  package init(index: UInt64? = nil, sequence: UInt64) {
    self.index = index
    self.sequence = sequence
  }

  /// Whether an event can have this sequence.
  package var isInRange: Bool { (1..<Limit.lastSequence).contains(sequence) }

  /// Writes the sequence alone, or the index and the sequence as a pair.
  package func encode(to writer: inout CBORWriter) {
    if let index {
      writer.arrayHeader(2)
      writer.unsigned(index)
    }
    writer.unsigned(sequence)
  }

  package static func decode(_ reader: inout CBORReader) throws(CBORError) -> Reference {
    guard try reader.peek() == .array else { return Reference(sequence: try reader.unsigned()) }
    let start = reader.offset
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
    let index = try reader.unsigned()
    return Reference(index: index, sequence: try reader.unsigned())
  }
}
