package import Bytes
internal import Crypto

/// Computes the hashes of section 4 of `protocol.md` with one reused hash context.
package struct Chain: ~Copyable {
  private var hasher = SHA256()

  package init() {}

  /// The chain hash before the first event of the given log.
  package static func zero(of log: UniqueID) -> Digest {
    SHA256.digest(of: Array("daybook log v1".utf8) + log.bytes)
  }

  /// The number of the block that contains the given event.
  package static func block(of sequence: UInt64) -> UInt64 { (sequence - 1) / Limit.blockEvents }

  /// The first event of the given block.
  package static func first(ofBlock block: UInt64) -> UInt64 { block * Limit.blockEvents + 1 }

  package mutating func salt(seed: UniqueID, sequence: UInt64) -> UniqueID {
    let seed = seed.inlineBytes
    // The low half of an id consists of the eight bytes of the number.
    let number = UniqueID(high: 0, low: sequence).inlineBytes
    hasher.update(Self.saltLabel)
    hasher.update(seed.span)
    return hasher.digest(number.span.extracting(8..<16)).prefix16
  }

  package mutating func salted(_ body: Span<UInt8>, salt: UniqueID) -> Digest {
    let salt = salt.inlineBytes
    hasher.update(salt.span)
    return hasher.digest(body)
  }

  /// The chain hash at an event, computed from the chain hash before it.
  package mutating func next(
    after hash: Digest, header: Span<UInt8>, salted: Digest
  ) -> Digest {
    let (hash, salted) = (hash.inlineBytes, salted.inlineBytes)
    hasher.update(hash.span)
    hasher.update(header)
    return hasher.digest(salted.span)
  }

  private static let saltLabel = Array("daybook salt v1".utf8)
}
