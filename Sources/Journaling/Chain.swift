package import Bytes
internal import Crypto

/// Computes the hashes of section 4 of the protocol with one context.
package struct Chain: ~Copyable {
  private var hasher = SHA256()
  /// Digests and numbers as bytes: kept, because a new array for each would cost more than hashing.
  private var scratch = CBORWriter()

  package init() {}

  /// The hash before a log's first event.
  package static func zero(of log: UniqueID) -> Digest {
    SHA256.digest(of: Array("daybook log v1".utf8) + log.bytes)
  }

  /// The block an event belongs to.
  package static func block(of sequence: UInt64) -> UInt64 { (sequence - 1) / Limit.blockEvents }

  /// The first event of a block.
  package static func first(ofBlock block: UInt64) -> UInt64 { block * Limit.blockEvents + 1 }

  package mutating func salt(seed: UniqueID, sequence: UInt64) -> UniqueID {
    // The low half of an id is the number's eight bytes; string heads are left out below.
    scratch.removeAll(keepingCapacity: true)
    scratch.uniqueID(seed)
    scratch.uniqueID(UniqueID(high: 0, low: sequence))
    let bytes = scratch.bytes
    hasher.update(Self.saltLabel)
    hasher.update(bytes.span.extracting(1..<17))
    return hasher.digest(bytes.span.extracting(26..<34)).prefix16
  }

  package mutating func salted(_ body: Span<UInt8>, salt: UniqueID) -> Digest {
    scratch.removeAll(keepingCapacity: true)
    scratch.uniqueID(salt)
    let bytes = scratch.bytes
    hasher.update(bytes.span.extracting(1..<17))
    return hasher.digest(body)
  }

  /// The hash at an event, from the one before it.
  package mutating func next(
    after hash: Digest, header: Span<UInt8>, salted: Digest
  ) -> Digest {
    scratch.removeAll(keepingCapacity: true)
    scratch.digest(hash)
    scratch.digest(salted)
    let bytes = scratch.bytes
    hasher.update(bytes.span.extracting(2..<34))
    hasher.update(header)
    return hasher.digest(bytes.span.extracting(36..<68))
  }

  private static let saltLabel = Array("daybook salt v1".utf8)
}
