package import Domain

/// An operation log as the source of an import; each line is an operation.
package struct OperationLines: ImportSource {
  private let bytes: [UInt8]
  /// The offset of each line.
  ///
  /// The type is compact because a file may consist only of line breaks.
  private let starts: [UInt32]

  /// Reads an operation log.
  ///
  /// - Parameter bytes: The file, which the caller limits to much less than 4 GiB.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = Self.starts(of: bytes)
  }

  package var importer: UInt64 { FileFormat.operations.importer }
  package var count: Int { starts.count }

  package func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep {
    try step(at: place)
  }

  /// Returns the operation in a line, which does not depend on the records in the book.
  package func step(at place: Int) throws(OperationFault) -> ImportStep {
    let line = self.line(place)
    if line.isEmpty { return .blank }
    return .operations([try Operation(line: bytes.span.extracting(line))], main: 0)
  }

  /// Returns the range of a line without its line break, which is an LF or a CR and an LF.
  private func line(_ place: Int) -> Range<Int> {
    let start = Int(starts[place])
    let isLast = place + 1 == starts.count
    var end = isLast ? bytes.count : Int(starts[place + 1])
    if end > start, bytes[end - 1] == 0x0a {
      end -= 1
      if end > start, bytes[end - 1] == 0x0d { end -= 1 }
    }
    return start..<end
  }

  private static func starts(of source: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = source.isEmpty ? [] : [0]
    for (place, byte) in source.enumerated() where byte == 0x0a && place + 1 < source.count {
      starts.append(UInt32(place + 1))
    }
    return starts
  }
}
