package import Bytes
package import Crypto

/// What a device that was invited shows, before it says hello.
package struct Proof: Hashable, Sendable {
  /// Shows that it knows the secret; see ``Invitation/proof(secret:inviter:joiner:)``.
  package var code: Digest
  /// Its own key, which is to be admitted.
  package var key: PublicKey
  /// What it calls itself.
  package var name: String
  /// The port at which it serves its book itself, if it does.
  package var port: UInt16?

  package init(code: Digest, key: PublicKey, name: String, port: UInt16?) {
    (self.code, self.key, self.name, self.port) = (code, key, name, port)
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(5)
    writer.unsigned(Message.Kind.prove.rawValue)
    writer.byteString(code.bytes)
    writer.byteString(key.bytes)
    writer.text(name)
    if let port { writer.unsigned(UInt64(port)) } else { writer.null() }
  }

  /// Reads what follows the kind.
  static func decode(_ reader: inout CBORReader, count: Int) throws(MessageFault) -> Proof {
    // A later version may say more.
    guard count >= 5 else { throw .shape }
    let (code, bytes, name) = try reading { () throws(CBORError) in
      (
        try reader.digest(), try reader.byteString(count: PublicKey.byteCount), try reader.text()
      )
    }
    guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { throw .shape }
    guard name.utf8.count <= Limit.proofNameBytes else { throw .limit }
    let port: UInt64? = try reading { () throws(CBORError) in
      guard try reader.peek() != .null else {
        try reader.null()
        return nil
      }
      return try reader.unsigned()
    }
    guard (port ?? 1) > 0, (port ?? 1) <= UInt16.max else { throw .limit }
    for _ in 5..<count { _ = try reading { () throws(CBORError) in try reader.skip() } }
    // So many bytes are a key's.
    guard let key = try? PublicKey(bytes) else { throw .shape }
    return Proof(code: code, key: key, name: name, port: port.map { UInt16($0) })
  }
}
