package import Bytes

/// The message that an invited device sends before its hello.
///
/// The device's key is the key that TLS has proved.
package struct Proof: Hashable, Sendable {
  /// Proves that the device knows the secret; see ``Invitation/proof(secret:inviter:joiner:)``.
  package var code: Digest
  /// The name of the device.
  package var name: String
  /// The port on which the device serves its book; nil if it does not serve the book.
  package var port: UInt16?
  /// Identifies the secret to an inviter that no longer has the secret; see ``Invitation/name(of:)``.
  package var secretName: UniqueID?

  package init(code: Digest, name: String, port: UInt16?, secretName: UniqueID? = nil) {
    (self.code, self.name, self.port, self.secretName) = (code, name, port, secretName)
  }

  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(secretName == nil ? 4 : 5)
    writer.unsigned(MessageKind.prove.rawValue)
    writer.byteString(code.bytes)
    writer.text(name)
    if let port { writer.unsigned(UInt64(port)) } else { writer.null() }
    if let secretName { writer.uniqueID(secretName) }
  }

  /// Decodes the part of the message after its kind.
  static func decode(_ reader: inout CBORReader, count: Int) throws(MessageFault) -> Proof {
    // A later version may add elements, so extra elements are allowed.
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
    guard (port ?? 1) > 0, (port ?? 1) <= UInt16.max else { throw .shape }
    let secretName = count < 5 ? nil : try reading { () throws(CBORError) in try reader.uniqueID() }
    for _ in 5..<max(5, count) { _ = try reading { () throws(CBORError) in try reader.skip() } }
    return Proof(code: code, name: name, port: port.map { UInt16($0) }, secretName: secretName)
  }
}
