/// The path components and the query of a request.
package struct Target: Equatable, Sendable {
  package var path: [String]
  package var query: Pairs

  /// Parses a request target; nil if an escape is malformed or does not decode to UTF-8.
  package init?(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = Pairs.decoded(part, plusIsBlank: false) else { return nil }
      path.append(text)
    }
    guard let query = Pairs(halves.count == 2 ? halves[1] : "") else { return nil }
    (self.path, self.query) = (path, query)
  }
}

/// The names and values of a query or of a form body.
package struct Pairs: Equatable, Sendable {
  private var values: [String: [String]] = [:]

  /// Parses `a=1&b=2` with its escapes; nil if an escape is malformed or does not decode to UTF-8.
  package init?(_ text: some StringProtocol) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(halves[0], plusIsBlank: true),
        let value = Self.decoded(halves.count == 2 ? halves[1] : "", plusIsBlank: true)
      else { return nil }
      values[name, default: []].append(value)
    }
  }

  /// The value of a name that occurs exactly once; nil otherwise.
  package subscript(name: String) -> String? {
    values[name].flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// All names that occur exactly once, sorted.
  package var names: [String] { values.filter { $0.value.count == 1 }.keys.sorted() }

  static func decoded(_ text: some StringProtocol, plusIsBlank: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2,
          digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
          let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Percent-encodes text for a path or a query.
  package static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { spelled, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        spelled.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        spelled += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }
}
