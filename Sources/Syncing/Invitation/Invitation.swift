package import Bytes
package import Crypto

/// The data that one device passes to another so that they can connect: its address, its key, and a secret for one use.
package struct Invitation: Hashable, Sendable {
  package var address: MachineAddress
  /// The inviting device's complete key.
  package var key: PublicKey
  package var secret: [UInt8]

  package static let secretBytes = 16

  package init(address: MachineAddress, key: PublicKey, secret: [UInt8]) {
    precondition(secret.count == Self.secretBytes, "a secret has 16 bytes")
    (self.address, self.key, self.secret) = (address, key, secret)
  }

  /// Proves to the holder of one key that the holder of the other key knows the secret.
  package static func proof(secret: [UInt8], inviter: PublicKey, joiner: PublicKey) -> Digest {
    HMAC.code(of: message(inviter, joiner), with: secret)
  }

  package static func isProof(
    _ shown: Digest, secret: [UInt8], inviter: PublicKey, joiner: PublicKey
  ) -> Bool {
    HMAC.isCode(shown, of: message(inviter, joiner), with: secret)
  }

  /// The name under which a secret is remembered after the secret itself is deleted.
  ///
  /// The secret cannot be computed from the name.
  package static func name(of secret: [UInt8]) -> UniqueID {
    SHA256.digest(of: Array("daybook invitation name v1".utf8) + secret).prefix16
  }

  private static func message(_ inviter: PublicKey, _ joiner: PublicKey) -> [UInt8] {
    Array("daybook join v1".utf8) + inviter.bytes + joiner.bytes
  }
}

extension Invitation: CustomStringConvertible {
  // Without this property, a message that prints the invitation would reveal its secret.
  package var description: String { "Invitation(\(address.text))" }
}
