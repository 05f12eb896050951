package import Bytes
package import Crypto

/// What one device gives another so that they meet: where it is, its key, and a secret for one use.
package struct Invitation: Hashable, Sendable {
  package var endpoint: Endpoint
  /// The key of the device that invites, whole.
  package var key: PublicKey
  package var secret: [UInt8]

  package static let secretBytes = 16

  package init(endpoint: Endpoint, key: PublicKey, secret: [UInt8]) {
    precondition(secret.count == Self.secretBytes, "a secret has 16 bytes")
    (self.endpoint, self.key, self.secret) = (endpoint, key, secret)
  }

  /// Shows that the holder of a key knows the secret, to the one who holds the other key.
  package static func proof(secret: [UInt8], inviter: PublicKey, joiner: PublicKey) -> Digest {
    HMAC.code(of: message(inviter, joiner), with: secret)
  }

  package static func isProof(
    _ shown: Digest, secret: [UInt8], inviter: PublicKey, joiner: PublicKey
  ) -> Bool {
    HMAC.isCode(shown, of: message(inviter, joiner), with: secret)
  }

  /// What the secret is known by when it is kept no more; it tells nothing of the secret itself.
  package static func name(of secret: [UInt8]) -> UniqueID {
    SHA256.digest(of: Array("daybook invitation name v1".utf8) + secret).prefix16
  }

  private static func message(_ inviter: PublicKey, _ joiner: PublicKey) -> [UInt8] {
    Array("daybook join v1".utf8) + inviter.bytes + joiner.bytes
  }
}

extension Invitation: CustomStringConvertible {
  // Without this, a message that mentions the invitation would spell out its secret.
  package var description: String { "Invitation(\(endpoint.text))" }
}
