internal import CIconv

/// Why bytes are no text in a character set.
package enum CharacterSetError: Error, Hashable, Sendable {
  /// This machine knows no set of that name.
  case unknown(String)
  /// The bytes are none that the set has, from one on.
  case malformed(String, at: Int)
}

/// A character set, as the C library knows it by many names: `windows-1251`, `KOI8-R`, `Shift_JIS`.
///
/// glibc has UTF-8 within itself, and others in modules which it loads when they are asked for. On a machine without
/// them, or with those of another glibc than a static program was built with, they are not known.
package struct CharacterSet: Sendable {
  package let name: String

  package init(named name: String) { self.name = name }

  private static let longestName = 40

  /// Whether it can be a name: a slash would begin an instruction to iconv.
  private var isName: Bool {
    !name.isEmpty && name.utf8.count <= Self.longestName
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:+()".contains($0)) }
  }

  /// What bytes say that are written in the set.
  ///
  /// - Throws: ``CharacterSetError`` where the set is not known, or has no such bytes. Nothing is ever left out.
  package func decode(_ bytes: [UInt8]) throws(CharacterSetError) -> String {
    guard isName, let conversion = unsafe iconv_open_to_utf8(name) else { throw .unknown(name) }
    defer { unsafe iconv_close(conversion) }
    var bytes = bytes.map(CChar.init(bitPattern:))
    // Most sets need no more for a character than twice its bytes, and where one does, it goes on with more room.
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

  /// Converts bytes from a place on, as many as there is room for.
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
