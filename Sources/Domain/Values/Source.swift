package import Bytes

/// The origin of an imported record: its importer, and its name at the source.
///
/// Entities of one kind whose adds have the same source are one document.
package struct Source: Hashable, Sendable {
  /// The name of the record at its source.
  package enum UID: Hashable, Sendable {
    /// A UUID; its text form is in lower case.
    case bytes(UniqueID)
    case text(String)
  }

  /// The importer whose namespace the uid belongs to; 0 stands for operation logs.
  package let importer: UInt64
  package let uid: UID

  package init(importer: UInt64 = 0, uidText: String) {
    self.importer = importer
    self.uid = UID(uidText)
  }

  package init(importer: UInt64 = 0, uid: UniqueID) {
    self.importer = importer
    self.uid = .bytes(uid)
  }
}

extension Source.UID {
  /// Compares bytes, so canonically equivalent strings with different bytes are different names.
  package static func == (left: Source.UID, right: Source.UID) -> Bool {
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .bytes(let id): hasher.combine(id)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  /// Creates a uid from a string; a lower-case UUID is kept as its bytes, so equal uids are equal values.
  package init(_ text: String) {
    let bytes = text.utf8Span.span
    guard bytes.count == 36 else {
      self = .text(text)
      return
    }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for place in bytes.indices {
      let byte = bytes[place]
      let isDash = place == 8 || place == 13 || place == 18 || place == 23
      switch byte {
      case UInt8(ascii: "-") where isDash: continue
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isDash:
        words = Self.append(byte - UInt8(ascii: "0"), to: words)
      case UInt8(ascii: "a")...UInt8(ascii: "f") where !isDash:
        words = Self.append(byte - UInt8(ascii: "a") + 10, to: words)
      default:
        self = .text(text)
        return
      }
    }
    self = .bytes(UniqueID(high: words.high, low: words.low))
  }

  private static func append(
    _ digit: UInt8, to words: (high: UInt64, low: UInt64)
  ) -> (high: UInt64, low: UInt64) {
    (words.high << 4 | words.low >> 60, words.low << 4 | UInt64(digit))
  }

  package var text: String {
    switch self {
    case .text(let text): return text
    case .bytes(let id):
      let digits = Array(id.hex)
      let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      return groups.joined(separator: "-")
    }
  }
}

extension Source {
  /// Reads the value that an add writes to the field `source`; nil if it has no known form.
  package init?(_ value: Value) {
    switch value {
    case .bytes(let bytes):
      guard let id = UniqueID(copying: bytes.span, at: 0), bytes.count == 16 else { return nil }
      self.init(uid: id)
    case .text(let text): self.init(uidText: text)
    case .other(let encoded):
      guard let source = Source.decode(encoded) else { return nil }
      self = source
    default: return nil
    }
  }

  /// The value that an add writes to the field `source`.
  package var value: Value {
    guard importer == 0 else { return .other(encoded) }
    return switch uid {
    case .bytes(let id): .bytes(id.bytes)
    case .text(let text): .text(text)
    }
  }

  /// The source as deterministic CBOR `[importer, uid]`.
  package var encoded: [UInt8] {
    var writer = CBORWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Writes the source as `[importer, uid]`.
  package func encode(into writer: inout CBORWriter) {
    writer.arrayHeader(2)
    writer.unsigned(importer)
    switch uid {
    case .bytes(let id): writer.uniqueID(id)
    case .text(let text): writer.text(text)
    }
  }

  private static func decode(_ encoded: [UInt8]) -> Source? {
    do throws(CBORError) {
      var reader = CBORReader(encoded.span)
      guard try reader.arrayHeader() == 2 else { return nil }
      let importer = try reader.unsigned()
      switch try reader.peek() {
      case .bytes: return Source(importer: importer, uid: try reader.uniqueID())
      case .text: return Source(importer: importer, uidText: try reader.text())
      default: return nil
      }
    } catch {
      // The fold never fails, so a source of an unknown form counts as no source.
      return nil
    }
  }
}
