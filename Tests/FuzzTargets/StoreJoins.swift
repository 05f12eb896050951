import Bytes
import Crypto
import Sealing
import Syncing

/// Invitations, knocks and answers, as the operator of a store could change them, and as a holder of the invitation
/// could make them.
///
/// The secret and the inviter are those of `docs/store-vectors.md`.
enum StoreJoins {
  private static let secret: KnockSecret? = {
    guard let inviter = try? SigningKey(seed: [UInt8](repeating: 1, count: 32)) else { return nil }
    return KnockSecret(
      (0..<16).map { 0xc0 + $0 }, in: StoreObjects.store, by: inviter.publicKey)
  }()

  // MARK: Knocks and answers

  static func takeKnock(_ bytes: [UInt8]) throws(Violation) {
    guard let secret else { throw Violation(rule: "a key can be made from a seed") }
    for purpose in [KnockSecret.Purpose.knock, .answer] {
      try open(bytes, for: purpose, with: secret)
      try open(
        object(of: Array(bytes.prefix(256)), for: purpose, with: secret), for: purpose, with: secret
      )
    }
  }

  private static func open(
    _ bytes: [UInt8], for purpose: KnockSecret.Purpose, with secret: KnockSecret
  ) throws(Violation) {
    let again: [UInt8]? =
      switch purpose {
      case .knock: (try? Knock(opening: bytes, with: secret))?.sealed(with: secret)
      case .answer: (try? KnockAnswer(opening: bytes, with: secret))?.sealed(with: secret)
      }
    guard let again else { return }
    try demand(again == bytes, "an opened knock or answer is sealed as it was")
  }

  /// An object with any padded content, which has the correct salt and tag.
  private static func object(
    of content: [UInt8], for purpose: KnockSecret.Purpose, with secret: KnockSecret
  ) -> [UInt8] {
    let padded = content + [UInt8](repeating: 0, count: 256 - content.count)
    let place = secret.store.book.bytes + secret.store.store.bytes + secret.inviter.bytes
    let secrets = HKDF.derive(
      from: secret.bytes, info: Array("daybook knock secrets v1".utf8) + place, count: 96)
    let label = Array(purpose.rawValue.utf8)
    let salt = HMAC.code(of: label + padded, with: Array(secrets[32..<64])).bytes
    let cipher = HKDF.derive(from: Array(secrets[64...]), salt: salt, info: label, count: 44)
    let header = Array("DBKNOCK".utf8) + [1] + salt
    return header
      + ChaCha20Poly1305.seal(
        padded, key: Array(cipher[..<32]), nonce: Array(cipher[32...]), authenticating: header)
  }

  // MARK: Invitations

  /// Takes the text of an invitation, or its content, to which the checksum is added.
  static func takeInvitation(_ bytes: [UInt8]) throws(Violation) {
    try parse(String(decoding: bytes, as: UTF8.self))
    let checksum = SHA256.digest(of: Array("daybook store invitation v1".utf8) + bytes).bytes
    try parse(StoreInvitation.prefix + Base32.encode(bytes + checksum.prefix(4)))
  }

  private static func parse(_ text: String) throws(Violation) {
    guard let invitation = try? StoreInvitation(parsing: text) else { return }
    guard let again = try? StoreInvitation(parsing: invitation.text) else {
      throw Violation(rule: "the text of an invitation can be parsed")
    }
    // A long path is left out of the text.
    if case .folder = invitation.address.place { return }
    try demand(again == invitation, "an invitation is read back unchanged")
  }
}
