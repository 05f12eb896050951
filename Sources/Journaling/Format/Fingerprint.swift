package import Crypto

extension PublicKey {
  /// Six words derived from the key, which users compare before they admit its holder.
  package var fingerprint: [String] { Words.pronounceable(SHA256.digest(of: bytes)) }
}
