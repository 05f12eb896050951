/// Writes deterministic CBOR, in which each item has exactly one encoding.
///
/// Items are appended one after another. The caller must write as many elements of an array as it has announced, and
/// must write the keys of a map in ascending order. ``value(_:)`` ensures both.
package struct CBORWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func removeAll(keepingCapacity: Bool = false) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  package mutating func unsigned(_ number: UInt64) {
    head(.unsigned, number)
  }

  /// Writes an integer of either sign.
  package mutating func integer(_ number: Int64) {
    if number >= 0 {
      head(.unsigned, UInt64(number))
    } else {
      head(.negative, UInt64(~number))
    }
  }

  /// Writes -1 minus the number.
  package mutating func negative(_ number: UInt64) {
    head(.negative, number)
  }

  package mutating func byteString(_ content: [UInt8]) {
    head(.bytes, UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  package mutating func byteString(_ content: Span<UInt8>) {
    head(.bytes, UInt64(content.count))
    raw(content)
  }

  package mutating func uniqueID(_ id: UniqueID) {
    head(.bytes, 16)
    bytes.append(bigEndian: id.high)
    bytes.append(bigEndian: id.low)
  }

  package mutating func digest(_ digest: Digest) {
    head(.bytes, 32)
    bytes.append(bigEndian: digest.first)
    bytes.append(bigEndian: digest.second)
    bytes.append(bigEndian: digest.third)
    bytes.append(bigEndian: digest.fourth)
  }

  package mutating func text(_ text: String) {
    head(.text, UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Begins an array of `count` elements.
  package mutating func arrayHeader(_ count: Int) {
    precondition(count >= 0, "a count is not negative")
    head(.array, UInt64(count))
  }

  /// Begins a map of `count` pairs, whose encoded keys must ascend.
  package mutating func mapHeader(_ count: Int) {
    precondition(count >= 0, "a count is not negative")
    head(.map, UInt64(count))
  }

  /// Tags the next item.
  package mutating func tag(_ number: UInt64) {
    head(.tag, number)
  }

  package mutating func boolean(_ truth: Bool) {
    bytes.append(truth ? 0xf5 : 0xf4)
  }

  package mutating func null() {
    bytes.append(0xf6)
  }

  package mutating func undefined() {
    bytes.append(0xf7)
  }

  /// Writes a simple value without a name: 0 to 19 or 32 to 255.
  package mutating func simple(_ number: UInt8) {
    precondition(number < 20 || number >= 32, "simple values 20 to 31 are taken or reserved")
    head(.simple, UInt64(number))
  }

  /// Writes a floating-point number in the fewest bytes that preserve it.
  package mutating func float(_ number: Double) {
    switch CBORFloat.width(of: number) {
    case 2:
      let half = number.isNaN ? CBORFloat.plainNaN : UInt64(Float16(number).bitPattern)
      word(half, behind: 0xf9, bytesWide: 2)
    case 4:
      word(UInt64(Float(number).bitPattern), behind: 0xfa, bytesWide: 4)
    default:
      word(number.bitPattern, behind: 0xfb, bytesWide: 8)
    }
  }

  /// Appends bytes that are already encoded.
  package mutating func raw(_ encoded: [UInt8]) {
    bytes.append(contentsOf: encoded)
  }

  /// Appends bytes that are already encoded.
  package mutating func raw(_ encoded: Span<UInt8>) {
    unsafe encoded.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func head(_ kind: CBORKind, _ argument: UInt64) {
    let major = kind.majorType << 5
    switch argument {
    case ..<24: bytes.append(major | UInt8(truncatingIfNeeded: argument))
    case ...0xff: word(argument, behind: major | 24, bytesWide: 1)
    case ...0xffff: word(argument, behind: major | 25, bytesWide: 2)
    case ...0xffff_ffff: word(argument, behind: major | 26, bytesWide: 4)
    default: word(argument, behind: major | 27, bytesWide: 8)
    }
  }

  private mutating func word(_ number: UInt64, behind initial: UInt8, bytesWide width: Int) {
    bytes.append(initial)
    if width == 8 { return bytes.append(bigEndian: number) }
    for index in 1...width {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64((width - index) * 8)))
    }
  }
}
