import Bytes
import Crypto

extension LogCheck {
  /// Reads `[8, public key, agreement key, incarnation, name]`, the first event of a log.
  mutating func checkOpening(_ body: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(body)
    guard try reader.arrayHeader() >= 5 else { return report(.opening, sequence: 1) }
    _ = try reader.unsigned()
    let publicKey = try reader.byteString(count: 32)
    _ = try reader.byteString(count: 32)
    let incarnation = try reader.byteString(count: 16)
    _ = try reader.text()

    hasher.update(Array("daybook replica v1".utf8))
    hasher.update(publicKey)
    hasher.update(incarnation)
    if hasher.finish().prefix16 != id { report(.replica, sequence: 1) }
    // So many bytes are a key's; whether they are one shows when it is used.
    key = try? PublicKey(publicKey)
  }

  /// Checks the shape of the other bodies the journal itself understands.
  mutating func checkTrust(_ body: Span<UInt8>, sequence: UInt64) throws(CBORError) {
    var reader = CBORReader(body)
    let count = try reader.arrayHeader()
    let verb = try reader.unsigned()
    let least: UInt64 = [9: 3, 10: 3, 11: 4, 12: 2, 16: 3, 17: 3][verb] ?? 0
    guard count >= least else { return report(.body, sequence: sequence) }
    switch verb {
    case 9:
      _ = try reader.byteString(count: 32)
      _ = try reader.text()
    case 10:
      _ = try reader.byteString(count: 32)
      for _ in 0..<(try reader.arrayHeader()) {
        guard try reader.arrayHeader() == 3 else { return report(.body, sequence: sequence) }
        try Self.readLandmark(&reader)
      }
    case 11: try Self.readLandmark(&reader)
    case 12:
      guard try reader.peek() == .array else { return _ = try reader.unsigned() }
      guard try reader.arrayHeader() == 2 else { return report(.body, sequence: sequence) }
      _ = try reader.unsigned()
      _ = try reader.unsigned()
    case 16, 17:
      _ = try reader.byteString(count: 32)
      _ = try reader.unsigned()
    default: return
    }
  }

  private static func readLandmark(_ reader: inout CBORReader) throws(CBORError) {
    _ = try reader.uniqueID()
    _ = try reader.unsigned()
    _ = try reader.uniqueID()
  }
}
