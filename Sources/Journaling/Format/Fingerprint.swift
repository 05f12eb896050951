package import Crypto

extension PublicKey {
  /// Six words that stand for the key, for people to compare before they admit its holder.
  package var fingerprint: [String] { Words.pronounceable(SHA256.digest(of: bytes)) }
}
