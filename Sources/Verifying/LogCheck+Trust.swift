import Bytes
import Crypto

extension LogCheck {
  /// Checks the body `[8, public key, agreement key, incarnation, name]` of a log's first event.
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

  /// Whether the body of an `erase` names an event, and so can account for missing bodies.
  ///
  /// Other fields are not checked: an `erase` that makes no sense has no effect, and is not damage.
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
