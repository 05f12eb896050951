package import Crypto

extension PublicKey {
  /// Six words derived from a key, which users compare before they admit the holder of the key.
  package var fingerprint: [String] { Words.pronounceable(SHA256.digest(of: bytes)) }
}
