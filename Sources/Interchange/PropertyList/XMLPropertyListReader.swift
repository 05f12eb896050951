internal import Bytes

/// Reads the XML form, with only the parts of XML that property lists use.
///
/// Besides character references, only the five predefined entities of XML are supported. Declaring others is an error.
struct XMLPropertyListReader {
  let bytes: [UInt8]
  var offset = 0
  private var builder: PropertyListBuilder
  /// Whether the outermost element has begun; ``isOver`` says whether it has ended.
  private var isInside = false
  private var isOver = false

  init(_ bytes: [UInt8], _ builder: PropertyListBuilder) {
    (self.bytes, self.builder) = (bytes, builder)
  }

  mutating func read() throws(PropertyListError) -> PropertyList {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
    try skipDeclaration()
    while try skipToMarkup() {
      let start = offset
      do throws(PropertyListFailure) {
        try take(try tag(), at: start)
      } catch {
        throw PropertyListError(error.reason, at: start, of: bytes)
      }
    }
    guard isOver, let root = builder.root else { throw fail(.unexpectedEnd) }
    return root
  }

  private mutating func take(_ tag: XMLTag, at start: Int) throws(PropertyListFailure) {
    guard !isOver else { throw PropertyListFailure(.unexpected) }
    guard tag.name != "plist" else { return try takeOuter(tag) }
    guard isInside else { throw PropertyListFailure(.unexpected) }
    switch (tag.name, tag.form) {
    case ("dict", .opening): try builder.begin(.dictionary)
    case ("dict", .closing): try builder.end(.dictionary)
    case ("array", .opening): try builder.begin(.array)
    case ("array", .closing): try builder.end(.array)
    case (let name, .empty) where name == "dict" || name == "array":
      let container: PropertyListBuilder.Container = name == "dict" ? .dictionary : .array
      try builder.begin(container)
      try builder.end(container)
    case (let name, .closing):
      throw PropertyListFailure(Self.leaves.contains(name) ? .unexpected : .unknownElement(name))
    case (let name, let form):
      guard Self.leaves.contains(name) else { throw PropertyListFailure(.unknownElement(name)) }
      let content = form == .empty ? [] : try content(of: name)
      try takeLeaf(name, content)
    }
  }

  private mutating func takeOuter(_ tag: XMLTag) throws(PropertyListFailure) {
    switch tag.form {
    case .opening where !isInside: isInside = true
    case .closing where isInside && builder.root != nil: isOver = true
    default: throw PropertyListFailure(.unexpected)
    }
  }

  private static let leaves: Set<String> = [
    "key", "string", "integer", "real", "true", "false", "date", "data",
  ]

  private mutating func takeLeaf(_ name: String, _ bytes: [UInt8]) throws(PropertyListFailure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PropertyListFailure(.badText)
    }
    switch name {
    case "key": try builder.key(text)
    case "string": try builder.add(.string(text))
    case "true", "false":
      guard text.isEmpty else { throw PropertyListFailure(.unexpected) }
      try builder.add(.boolean(name == "true"))
    default: try builder.add(try PropertyListText.value(name, text))
    }
  }
}

/// A tag of an XML element: its name, and whether it opens or closes the element or stands for an empty one.
private struct XMLTag {
  enum Form {
    case opening, closing, empty
  }

  let name: String
  let form: Form
}

extension XMLPropertyListReader {
  private func fail(_ reason: PropertyListError.Reason) -> PropertyListError {
    PropertyListError(reason, at: min(offset, bytes.count), of: bytes)
  }

  private func starts(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Moves past the next occurrence of a text.
  private mutating func skip(past end: String) throws(PropertyListFailure) {
    let end = Array(end.utf8)
    while offset + end.count <= bytes.count {
      if bytes[offset] == end[0], bytes[offset...].starts(with: end) {
        offset += end.count
        return
      }
      offset += 1
    }
    offset = bytes.count
    throw PropertyListFailure(.unexpectedEnd)
  }

  private static let longestDeclaration = 1024

  /// Skips the XML declaration, and rejects an encoding that is not UTF-8 or ASCII.
  private mutating func skipDeclaration() throws(PropertyListError) {
    guard starts("<?xml") else { return }
    let start = offset
    do throws(PropertyListFailure) { try skip(past: "?>") } catch { throw fail(error.reason) }
    guard offset - start <= Self.longestDeclaration else {
      throw PropertyListError(.unexpected, at: start, of: bytes)
    }
    let declaration = String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()
    guard let named = declaration.split(separator: "encoding").dropFirst().first else { return }
    let name = named.split { "\"'".contains($0) }.dropFirst().first.map(String.init) ?? ""
    guard ["utf-8", "utf8", "us-ascii"].contains(name) else { throw fail(.encoding(name)) }
  }

  /// Moves to the next tag.
  ///
  /// - Returns: Whether there is another tag.
  /// - Throws: ``PropertyListError`` if there is other text before the tag.
  private mutating func skipToMarkup() throws(PropertyListError) -> Bool {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0a, 0x0d: offset += 1
      case UInt8(ascii: "<"):
        let start = offset
        do throws(PropertyListFailure) {
          guard try skipAside() else { return true }
        } catch {
          throw PropertyListError(error.reason, at: start, of: bytes)
        }
      default: throw fail(.unexpected)
      }
    }
    return false
  }

  /// Moves past a comment, processing instruction or document type declaration, if one begins here.
  private mutating func skipAside() throws(PropertyListFailure) -> Bool {
    if starts("<!--") {
      offset += 4
      try skip(past: "-->")
    } else if starts("<?") {
      try skip(past: "?>")
    } else if starts("<!DOCTYPE") {
      guard !isInside else { throw PropertyListFailure(.unexpected) }
      let start = offset
      try skip(past: ">")
      guard !bytes[start..<offset].contains(UInt8(ascii: "[")) else {
        throw PropertyListFailure(.ownEntities)
      }
    } else {
      return false
    }
    return true
  }

  private mutating func tag() throws(PropertyListFailure) -> XMLTag {
    let start = offset + 1
    try skip(past: ">")
    var inner = bytes[start..<offset - 1]
    var form = XMLTag.Form.opening
    if inner.first == UInt8(ascii: "/") {
      form = .closing
      inner = inner.dropFirst()
    } else if inner.last == UInt8(ascii: "/") {
      form = .empty
      inner = inner.dropLast()
    }
    let name = inner.prefix { !$0.isXMLSpace }
    let attributes = inner.dropFirst(name.count).drop(while: \.isXMLSpace)
    let isOuter = name.elementsEqual("plist".utf8) && form == .opening
    guard attributes.isEmpty || isOuter, name.count <= 64, !inner.contains(UInt8(ascii: "<")) else {
      throw PropertyListFailure(.unexpected)
    }
    return XMLTag(name: String(decoding: name, as: UTF8.self), form: form)
  }

  /// Reads the text of an element that cannot contain other elements, up to its end.
  private mutating func content(of name: String) throws(PropertyListFailure) -> [UInt8] {
    var text: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "<"):
        if starts("</") {
          let end = try tag()
          guard end.name == name else { throw PropertyListFailure(.unexpected) }
          return text
        }
        if starts("<![CDATA[") {
          let start = offset + 9
          try skip(past: "]]>")
          text += bytes[start..<offset - 3]
        } else if try !skipAside() {
          throw PropertyListFailure(.unexpected)
        }
      case UInt8(ascii: "&"): try takeEntity(into: &text)
      case 0x0d:
        // XML reads every line break as one line feed.
        offset += 1
        if offset == bytes.count || bytes[offset] != 0x0a { text.append(0x0a) }
      case let byte:
        text.append(byte)
        offset += 1
      }
    }
    throw PropertyListFailure(.unexpectedEnd)
  }

  private mutating func takeEntity(into text: inout [UInt8]) throws(PropertyListFailure) {
    let start = offset + 1
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw PropertyListFailure(.badText)
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    offset = end + 1
    if let byte = Self.entities[name] { return text.append(byte) }
    guard name.hasPrefix("#") else { throw PropertyListFailure(.ownEntities) }
    let isHex = name.hasPrefix("#x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: isHex ? 16 : 10),
      number > 0, let scalar = Unicode.Scalar(number)
    else { throw PropertyListFailure(.badText) }
    text += Array(Character(scalar).utf8)
  }

  private static let entities: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
