package import Bytes
package import Crypto

extension UniqueID {
  /// The id of the log with the given key and incarnation.
  package static func replica(publicKey: PublicKey, incarnation: UniqueID) -> UniqueID {
    let name = Array("daybook replica v1".utf8)
    return SHA256.digest(of: name + publicKey.bytes + incarnation.bytes).prefix16
  }

  /// The id of the book whose founder's first event has the given chain hash.
  package static func book(firstHash: Digest) -> UniqueID { firstHash.prefix16 }

  /// The id of a branch, derived from the chain hash at the end of its first command.
  ///
  /// The hash of the first event is not enough, because two different commands can begin with the same event.
  package static func branch(firstCommandHash: Digest) -> UniqueID {
    SHA256.digest(of: Array("daybook branch v1".utf8) + firstCommandHash.bytes).prefix16
  }
}
