/// A header field, with its name in lowercase.
package struct HeaderField: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// Parses a line, without its line break.
  init(line: ArraySlice<UInt8>) throws(HeadFault) {
    guard let colon = line.firstIndex(of: .colon), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenByte)
    else { throw .malformed }
    let content = line[(colon + 1)...]
    guard content.allSatisfy(\.isFieldByte) else { throw .malformed }
    name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    value = String(decoding: content, as: UTF8.self)[...].trimmed
  }
}

extension [HeaderField] {
  /// Returns the values of all fields with the given name, which is in lowercase.
  package func values(of name: String) -> [String] {
    filter { $0.name == name }.map(\.value)
  }

  /// Returns the value of a field that occurs exactly once; nil otherwise.
  package func only(_ name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  /// Whether the connection closes after this message.
  package var wantsClose: Bool {
    values(of: "connection").contains { value in
      value.split(separator: ",").contains { $0.trimmed.lowercased() == "close" }
    }
  }

  /// Returns the number of bytes in the body according to `Content-Length`; nil if there is no such field.
  ///
  /// - Throws: ``HeadFault/malformed`` if the field occurs twice or is not a number, or ``HeadFault/tooLarge`` if the
  ///   number has more than 18 digits.
  package func contentLength() throws(HeadFault) -> Int? {
    let said = values(of: "content-length")
    guard let text = said.first else { return nil }
    guard said.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .malformed }
    guard text.utf8.count <= 18, let length = Int(text) else { throw .tooLarge }
    return length
  }
}

extension Substring {
  /// The text without spaces and tabs at either end.
  package var trimmed: String {
    func isBlank(_ letter: Character) -> Bool { letter == " " || letter == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
