/// An element of an XML document, which consists of its name, the elements in it, and the text directly in it.
///
/// Attributes, comments and processing instructions are dropped, as are namespace prefixes.
package struct XMLElement: Equatable, Sendable {
  package var name: String
  package var children: [XMLElement]
  package var text: String

  package init(_ name: String, _ children: [XMLElement] = [], text: String = "") {
    (self.name, self.children, self.text) = (name, children, text)
  }

  /// Parses a document in UTF-8 whose outermost element contains everything else.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - most: The maximum number of elements.
  /// - Throws: ``XMLError``. A document type declaration is an error, because it could declare entities.
  package init(parsing bytes: [UInt8], mostElements most: Int = 100_000) throws(XMLError) {
    var reader = XMLReader(bytes, mostElements: most)
    self = try reader.read()
  }

  /// Returns the elements with the given name in this element.
  package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The text of the element with the given name in this element; nil if there is none, or more than one.
  package subscript(name: String) -> String? {
    let found = all(name)
    return found.count == 1 ? found[0].text : nil
  }
}

/// The reason why bytes are not an XML document, with the offset at which reading stopped.
package enum XMLError: Error, Hashable, Sendable {
  case malformed(at: Int)
  /// The document has a document type declaration, which is not supported.
  case documentType(at: Int)
  /// The elements are nested too deeply, or there are too many of them.
  case tooMuch(at: Int)
}

struct XMLReader {
  private let bytes: [UInt8]
  private let mostElements: Int
  private var offset = 0
  private var elementCount = 0
  /// The elements that have begun, starting with the outermost one.
  private var open: [(element: XMLElement, text: [UInt8])] = []

  static let mostDepth = 32

  init(_ bytes: [UInt8], mostElements: Int) {
    (self.bytes, self.mostElements) = (bytes, mostElements)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  mutating func read() throws(XMLError) -> XMLElement {
    var root: XMLElement?
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        try takeText()
        continue
      }
      if try skipAside() { continue }
      // Only comments, processing instructions and white space may follow the outermost element.
      guard root == nil else { throw .malformed(at: offset) }
      root = try takeTag()
    }
    guard let root else { throw .malformed(at: offset) }
    return root
  }

  private func starts(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Moves past the given text.
  ///
  /// - Returns: The bytes before the text.
  private mutating func skip(past end: String) throws(XMLError) -> ArraySlice<UInt8> {
    let (start, end) = (offset, Array(end.utf8))
    while offset + end.count <= bytes.count {
      if bytes[offset] == end[0], bytes[offset...].starts(with: end) {
        defer { offset += end.count }
        return bytes[start..<offset]
      }
      offset += 1
    }
    throw .malformed(at: bytes.count)
  }

  /// Moves past a comment or processing instruction, or takes the text of a CDATA section.
  private mutating func skipAside() throws(XMLError) -> Bool {
    if starts("<!--") {
      offset += 4
      _ = try skip(past: "-->")
    } else if starts("<?") {
      _ = try skip(past: "?>")
    } else if starts("<![CDATA[") {
      guard !open.isEmpty else { throw .malformed(at: offset) }
      offset += 9
      open[open.count - 1].text += try skip(past: "]]>")
    } else if starts("<!") {
      throw .documentType(at: offset)
    } else {
      return false
    }
    return true
  }

  private mutating func takeText() throws(XMLError) {
    let start = offset
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      guard !open.isEmpty else {
        guard bytes[offset].isXMLSpace else { throw .malformed(at: start) }
        offset += 1
        continue
      }
      if bytes[offset] == UInt8(ascii: "&") {
        open[open.count - 1].text += try takeReference()
      } else {
        open[open.count - 1].text.append(bytes[offset])
        offset += 1
      }
    }
  }

  /// Takes a reference to a character, or to one of the five entities that are declared in every document.
  private mutating func takeReference() throws(XMLError) -> [UInt8] {
    let start = offset
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw .malformed(at: start)
    }
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    offset = end + 1
    if let byte = Self.entities[name] { return [byte] }
    let isHex = name.hasPrefix("#x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard name.hasPrefix("#"),
      digits.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let number = UInt32(digits, radix: isHex ? 16 : 10), number > 0,
      let scalar = Unicode.Scalar(number)
    else { throw .malformed(at: start) }
    return Array(String(Character(scalar)).utf8)
  }

  private static let entities: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]

  /// Takes a tag.
  ///
  /// - Returns: The outermost element, if it ends here.
  private mutating func takeTag() throws(XMLError) -> XMLElement? {
    let start = offset
    var content = try tagContent()
    if content.first == UInt8(ascii: "/") {
      content = content.dropFirst()
      let name = try Self.name(&content, at: start)
      guard content.allSatisfy(\.isXMLSpace) else { throw .malformed(at: start) }
      return try end(name, at: start)
    }
    let isEmpty = content.last == UInt8(ascii: "/")
    if isEmpty { content = content.dropLast() }
    let name = try Self.name(&content, at: start)
    elementCount += 1
    guard open.count < Self.mostDepth, elementCount <= mostElements else {
      throw .tooMuch(at: start)
    }
    open.append((XMLElement(name), []))
    return isEmpty ? try end(name, at: start) : nil
  }

  /// Moves past a tag, and returns what is inside its angle brackets.
  private mutating func tagContent() throws(XMLError) -> ArraySlice<UInt8> {
    let start = offset
    var quote: UInt8?
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"): if quote == nil { quote = byte }
      case UInt8(ascii: "<"): throw .malformed(at: start)
      case UInt8(ascii: ">") where quote == nil:
        offset += 1
        return bytes[(start + 1)..<(offset - 1)]
      default: break
      }
      offset += 1
    }
    throw .malformed(at: start)
  }

  /// Takes the name at the beginning of a tag.
  private static func name(
    _ content: inout ArraySlice<UInt8>, at start: Int
  ) throws(XMLError) -> String {
    let whole = content.prefix { !$0.isXMLSpace }
    content = content.dropFirst(whole.count)
    guard !whole.isEmpty, whole.count <= 128, let name = String(validating: whole, as: UTF8.self)
    else { throw .malformed(at: start) }
    return String(name.split(separator: ":", omittingEmptySubsequences: false).last ?? "")
  }

  /// Ends the innermost element.
  ///
  /// - Returns: The element, if it is the outermost one.
  private mutating func end(_ name: String, at start: Int) throws(XMLError) -> XMLElement? {
    guard let ended = open.popLast(), ended.element.name == name,
      let text = String(validating: ended.text, as: UTF8.self)
    else { throw .malformed(at: start) }
    var element = ended.element
    element.text = text
    guard !open.isEmpty else { return element }
    open[open.count - 1].element.children.append(element)
    return nil
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
