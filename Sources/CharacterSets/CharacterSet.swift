internal import CIconv

/// The reason why bytes are not valid text in a character set.
package enum CharacterSetError: Error, Hashable, Sendable {
  /// This machine has no character set with the given name.
  case unknown(String)
  /// The bytes from the given offset on are invalid in the character set.
  case malformed(String, at: Int)
}

/// A character set, identified by one of its names in the C library, such as `windows-1251`, `KOI8-R` or `Shift_JIS`.
///
/// glibc contains UTF-8, and loads other character sets from modules when needed. Other character sets are unknown if
/// the machine does not have the modules, or if a static program was built with another version of glibc.
package struct CharacterSet: Sendable {
  package let name: String

  package init(named name: String) { self.name = name }

  private static let longestName = 40

  /// Whether the name is allowed.
  ///
  /// iconv would interpret text after a slash as an option.
  private var isName: Bool {
    !name.isEmpty && name.utf8.count <= Self.longestName
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:+()".contains($0)) }
  }

  /// Decodes bytes.
  ///
  /// - Parameter bytes: The bytes, which are encoded in this character set.
  /// - Returns: The complete text.
  /// - Throws: ``CharacterSetError`` if the character set is unknown, or the bytes are invalid in it.
  package func decode(_ bytes: [UInt8]) throws(CharacterSetError) -> String {
    guard isName, let conversion = unsafe iconv_open_to_utf8(name) else { throw .unknown(name) }
    defer { unsafe iconv_close(conversion) }
    var bytes = bytes.map(CChar.init(bitPattern:))
    // In most character sets, the UTF-8 form of a character has at most twice as many bytes. For other character sets,
    // the conversion continues with a larger buffer.
    var room = [CChar](repeating: 0, count: 2 * bytes.count + 16)
    var text: [UInt8] = []
    var done = 0
    while true {
      let step = unsafe Self.convert(&bytes, from: done, to: &room, conversion)
      text += room[..<step.written].map(UInt8.init(bitPattern:))
      done += step.read
      if step.status == 0 { return String(decoding: text, as: UTF8.self) }
      guard step.status == ICONV_NO_ROOM, step.written > 0 else {
        throw .malformed(name, at: done)
      }
    }
  }

  /// Converts as many bytes, beginning at an offset, as fit into the buffer.
  private static func convert(
    _ bytes: inout [CChar], from place: Int, to room: inout [CChar], _ conversion: iconv_t
  ) -> (status: Int32, read: Int, written: Int) {
    unsafe bytes.withUnsafeMutableBufferPointer { source in
      unsafe room.withUnsafeMutableBufferPointer { target in
        var input = unsafe source.baseAddress.map { unsafe $0 + place }
        var output = target.baseAddress
        var (inputLeft, outputLeft) = (source.count - place, target.count)
        let status = unsafe iconv_some(conversion, &input, &inputLeft, &output, &outputLeft)
        return (status, source.count - place - inputLeft, target.count - outputLeft)
      }
    }
  }
}
