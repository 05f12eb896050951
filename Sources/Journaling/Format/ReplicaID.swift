package import Bytes
package import Crypto

extension UniqueID {
  /// The id of the log that the holder of the key writes in one incarnation.
  package static func replica(publicKey: PublicKey, incarnation: UniqueID) -> UniqueID {
    let name = Array("daybook replica v1".utf8)
    return SHA256.digest(of: name + publicKey.bytes + incarnation.bytes).prefix16
  }

  /// The id of the book whose founder's first event has this chain hash.
  package static func book(firstHash: Digest) -> UniqueID { firstHash.prefix16 }

  /// The id of a branch of a forked log, from the chain hash with which its first command ends.
  ///
  /// The first event would not do: two commands that differ later can begin with the same one.
  package static func branch(firstCommandHash: Digest) -> UniqueID {
    SHA256.digest(of: Array("daybook branch v1".utf8) + firstCommandHash.bytes).prefix16
  }
}
