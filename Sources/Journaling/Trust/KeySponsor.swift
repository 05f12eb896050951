package import Crypto

/// A revoked key through which a key that is not admitted claims to belong to the book.
package struct KeySponsor: Hashable, Sendable {
  /// How a key depends on a revoked key, from the strongest claim to the weakest.
  package enum Link: Int, Hashable, Sendable {
    /// The revoked key admitted the dependent key as the next key of the same device.
    case nextKey
    /// The revoked key admitted the dependent key.
    case admission
    /// A key that depends on the revoked key admitted the dependent key.
    case chain
    /// The dependent key's own log states that its device gave up the revoked key.
    case claim
  }

  /// The revoked key.
  package var key: PublicKey
  package var link: Link

  package init(key: PublicKey, link: Link) { (self.key, self.link) = (key, link) }
}
