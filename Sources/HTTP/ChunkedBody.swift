/// Decodes a body in chunks (RFC 9112, 7.1), whose bytes arrive in pieces.
///
/// The fields after the last chunk are checked and discarded.
struct ChunkedBody: Sendable {
  private enum State {
    /// The line that contains the size of a chunk.
    case size
    case data(left: Int)
    /// The line break after the data of a chunk.
    case dataEnd
    /// The fields after the last chunk.
    case trailer
    case finished
  }

  private var state = State.size
  /// The bytes of the current line.
  private var line: [UInt8] = []
  private var trailerBytes = 0

  /// The maximum length of a line that contains a size.
  static let sizeLineBytes = 256
  static let trailerBytes = 8 << 10

  var isFinished: Bool { if case .finished = state { true } else { false } }

  /// Decodes bytes up to the end of the body.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, from which those that belong to the body are removed.
  ///   - body: The decoded bytes.
  ///   - limit: The maximum number of decoded bytes.
  /// - Throws: ``ResponseFault`` if the bytes are malformed, or too many bytes are decoded.
  mutating func decode(
    _ bytes: inout ArraySlice<UInt8>, into body: inout [UInt8], limit: Int
  ) throws(ResponseFault) {
    while !isFinished, !bytes.isEmpty {
      switch state {
      case .size:
        guard let line = try takeLine(&bytes, limit: Self.sizeLineBytes) else { return }
        let size = try Self.size(line)
        guard size <= limit - body.count else { throw .bodyTooLarge }
        state = size == 0 ? .trailer : .data(left: size)
      case .data(let left):
        let part = bytes.prefix(left)
        body += part
        bytes = bytes.dropFirst(part.count)
        state = part.count == left ? .dataEnd : .data(left: left - part.count)
      case .dataEnd:
        guard try takeLine(&bytes, limit: 2, or: .malformed) != nil else { return }
        state = .size
      case .trailer:
        guard let line = try takeLine(&bytes, limit: Self.trailerBytes) else { return }
        trailerBytes += line.count + 2
        guard trailerBytes <= Self.trailerBytes else { throw .headTooLarge }
        guard !line.isEmpty else {
          state = .finished
          return
        }
        do throws(HeadFault) { _ = try HeaderField(line: line[...]) } catch { throw .malformed }
      case .finished: return
      }
    }
  }

  /// Returns a line without its line break, or nil if it has not arrived completely.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, from which those of the line are removed.
  ///   - limit: The maximum length of the line in bytes, including the line break.
  ///   - fault: The fault to throw for a longer line.
  /// - Returns: The line.
  /// - Throws: ``ResponseFault`` if the line is too long, or does not end in CR LF.
  private mutating func takeLine(
    _ bytes: inout ArraySlice<UInt8>, limit: Int, or fault: ResponseFault = .headTooLarge
  ) throws(ResponseFault) -> [UInt8]? {
    while let byte = bytes.popFirst() {
      let isAfterReturn = line.last == .carriageReturn
      guard (byte == .lineFeed) == isAfterReturn else { throw .malformed }
      line.append(byte)
      guard line.count <= limit else { throw fault }
      if byte == .lineFeed {
        defer { line = [] }
        return line.dropLast(2)
      }
    }
    return nil
  }

  /// Returns the size in a line; any extensions after the size are ignored.
  private static func size(_ line: [UInt8]) throws(ResponseFault) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != .space && $0 != 0x09 }
    let rest = line.dropFirst(digits.count).drop { $0 == .space || $0 == 0x09 }
    guard rest.isEmpty || rest.first == UInt8(ascii: ";"), rest.allSatisfy(\.isFieldByte),
      !digits.isEmpty, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
    else { throw .malformed }
    guard digits.count <= 12, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .bodyTooLarge }
    return size
  }
}
