extension JSON {
  /// Returns the value as JSON text, on one line or indented by two spaces.
  package func text(indented: Bool = false) -> String {
    var bytes: [UInt8] = []
    write(to: &bytes, depth: indented ? 0 : nil)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8], depth: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .number(let number):
      // JSON cannot represent infinities or NaN, so these become null.
      bytes += (number.isFinite ? "\(number)" : "null").utf8
    case .string(let text): JSON.write(text, to: &bytes)
    case .array(let items):
      JSON.writeList(items, between: (0x5b, 0x5d), to: &bytes, depth: depth) {
        $0.write(to: &$1, depth: $2)
      }
    case .object(let members):
      JSON.writeList(members, between: (0x7b, 0x7d), to: &bytes, depth: depth) {
        JSON.write($0.name, to: &$1)
        $1 += (depth == nil ? ":" : ": ").utf8
        $0.value.write(to: &$1, depth: $2)
      }
    }
  }

  private static func writeList<Item>(
    _ items: [Item], between brackets: (open: UInt8, close: UInt8), to bytes: inout [UInt8],
    depth: Int?, _ writeItem: (Item, inout [UInt8], Int?) -> Void
  ) {
    bytes.append(brackets.open)
    for (position, item) in items.enumerated() {
      if position > 0 { bytes.append(0x2c) }
      breakLine(&bytes, depth: depth.map { $0 + 1 })
      writeItem(item, &bytes, depth.map { $0 + 1 })
    }
    if !items.isEmpty { breakLine(&bytes, depth: depth) }
    bytes.append(brackets.close)
  }

  private static func breakLine(_ bytes: inout [UInt8], depth: Int?) {
    guard let depth else { return }
    bytes.append(0x0a)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: bytes += "\\\"".utf8
      case 0x5c: bytes += "\\\\".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0d: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x00..<0x20, 0x7f: bytes += "\\u00\(Hex.encode([byte]))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }
}
