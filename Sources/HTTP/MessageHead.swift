/// The beginning of a message: the start line, the header fields and the empty line, each of which ends in CR LF.
package struct MessageHead {
  /// The first line, without its line break.
  package let start: ArraySlice<UInt8>
  package let fields: [HeaderField]

  /// Parses the bytes up to the end that a ``HeadScanner`` has found.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - most: The maximum number of fields.
  /// - Throws: ``HeadFault`` if a field is malformed, or if there are too many.
  package init(_ bytes: ArraySlice<UInt8>, mostFields most: Int) throws(HeadFault) {
    var lines = bytes.split(separator: .lineFeed, omittingEmptySubsequences: false)
      .map { $0.dropLast() }
    // Drop the empty line, and the empty part after the last line feed.
    lines.removeLast(2)
    guard let first = lines.first else { throw .malformed }
    guard lines.count <= most + 1 else { throw .tooLarge }
    var fields: [HeaderField] = []
    for line in lines.dropFirst() { fields.append(try HeaderField(line: line)) }
    (start, self.fields) = (first, fields)
  }

  /// Returns the words of the start line, which are separated by single spaces.
  ///
  /// - Parameter most: The maximum number of words. The last word contains any additional spaces.
  /// - Returns: The words.
  package func words(atMost most: Int) -> [ArraySlice<UInt8>] {
    start.split(separator: .space, maxSplits: most - 1, omittingEmptySubsequences: false)
  }
}

/// The reason why the head of a message cannot be read.
package enum HeadFault: Error, Hashable, Sendable {
  case malformed
  case tooLarge
}

/// Finds the end of a head among bytes that arrive in pieces.
package struct HeadScanner: Sendable {
  private let limit: Int
  /// The number of bytes that have been searched.
  private var seen = 0

  /// Begins to search for the end of a head.
  ///
  /// - Parameter limit: The maximum number of bytes in the head.
  package init(limit: Int) { self.limit = limit }

  /// Returns the number of bytes in the head, or nil if its empty line has not arrived yet.
  ///
  /// - Parameter bytes: All bytes since the beginning of the head, including those of earlier calls.
  /// - Returns: The number of bytes.
  /// - Throws: ``HeadFault/malformed`` if a CR or LF occurs without the other, or ``HeadFault/tooLarge``.
  package mutating func end(in bytes: [UInt8]) throws(HeadFault) -> Int? {
    while seen < bytes.count {
      guard seen < limit else { throw .tooLarge }
      let byte = bytes[seen]
      let isAfterReturn = seen > 0 && bytes[seen - 1] == .carriageReturn
      guard (byte == .lineFeed) == isAfterReturn else { throw .malformed }
      seen += 1
      let isEnd = seen >= 4 && byte == .lineFeed && bytes[seen - 3] == .lineFeed
      if isEnd { return seen }
    }
    return nil
  }
}

extension UInt8 {
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
  static let space: UInt8 = 0x20
  static let colon: UInt8 = 0x3A

  /// Whether the byte is allowed in a method or a field name.
  package var isTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Whether the byte is allowed in a field value: no control character except tab.
  package var isFieldByte: Bool { self == 0x09 || (self >= 0x20 && self != 0x7F) }
}
