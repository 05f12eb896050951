import Bytes
import Crypto

extension LogCheck {
  /// Reads `[8, public key, agreement key, incarnation, name]`, the first event of a log.
  mutating func checkOpening(_ body: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(body)
    guard try reader.arrayHeader() >= 5 else { return report(.opening, sequence: 1) }
    _ = try reader.unsigned()
    let publicKey = try reader.byteString(count: 32)
    let agreement = try reader.byteString(count: 32)
    let incarnation = try reader.byteString(count: 16)
    _ = try reader.text()

    hasher.update(Array("daybook replica v1".utf8))
    hasher.update(publicKey)
    hasher.update(incarnation)
    if hasher.finish().prefix16 != id { report(.replica, sequence: 1) }
    do throws(CryptoError) {
      try AgreementKey.check(agreement)
      key = try PublicKey(publicKey)
    } catch {
      report(.opening, sequence: 1)
    }
  }

  /// Whether a body of the verb *erase* names something, so that it can account for bodies that are gone.
  ///
  /// Of trust bodies and markers nothing else is looked at: one that makes no sense changes nothing, and is no damage.
  static func erases(_ body: Span<UInt8>) -> Bool {
    var reader = CBORReader(body)
    do throws(CBORError) {
      guard try reader.arrayHeader() >= 2, try reader.unsigned() == 12 else { return false }
      if try reader.peek() == .array {
        guard try reader.arrayHeader() == 2 else { return false }
        _ = try reader.unsigned()
      }
      return (1..<1 << 62).contains(try reader.unsigned())
    } catch {
      return false
    }
  }
}
