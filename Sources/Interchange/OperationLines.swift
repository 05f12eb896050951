package import Domain

/// An operation log as a source: each line an operation.
package struct OperationLines: ImportSource {
  private let bytes: [UInt8]
  private let lines: [Range<Int>]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = Self.lines(of: bytes)
  }

  package var importer: UInt64 { FileFormat.operations.importer }
  package var count: Int { lines.count }

  package func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep {
    try step(at: place)
  }

  /// What a line says, whatever is in the book.
  package func step(at place: Int) throws(OperationFault) -> ImportStep {
    let line = lines[place]
    if line.isEmpty { return .blank }
    return .operations([try Operation(line: bytes.span.extracting(line))], main: 0)
  }

  /// The lines of a text, without their ends, which may be those of another system.
  private static func lines(of source: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (place, byte) in source.enumerated() where byte == 0x0a {
      let isReturned = place > start && source[place - 1] == 0x0d
      lines.append(start..<(isReturned ? place - 1 : place))
      start = place + 1
    }
    if start < source.count { lines.append(start..<source.count) }
    return lines
  }
}
