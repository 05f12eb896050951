package import Bytes

/// What a device that was invited shows, before it says hello; its key is the one that the line has proved.
package struct Proof: Hashable, Sendable {
  /// Shows that it knows the secret; see ``Invitation/proof(secret:inviter:joiner:)``.
  package var code: Digest
  /// What it calls itself.
  package var name: String
  /// The port at which it serves its book itself, if it does.
  package var port: UInt16?

  package init(code: Digest, name: String, port: UInt16?) {
    (self.code, self.name, self.port) = (code, name, port)
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(4)
    writer.unsigned(Message.Kind.prove.rawValue)
    writer.byteString(code.bytes)
    writer.text(name)
    if let port { writer.unsigned(UInt64(port)) } else { writer.null() }
  }

  /// Reads what follows the kind.
  static func decode(_ reader: inout CBORReader, count: Int) throws(MessageFault) -> Proof {
    // A later version may say more.
    guard count >= 4 else { throw .shape }
    let (code, name) = try reading { () throws(CBORError) in
      (try reader.digest(), try reader.text())
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
    for _ in 4..<count { _ = try reading { () throws(CBORError) in try reader.skip() } }
    return Proof(code: code, name: name, port: port.map { UInt16($0) })
  }
}
