package import Bytes
internal import Crypto

/// The digest of a state, made of those of its buckets, so that what has not changed need not be looked at again.
///
/// A bucket holds the documents whose ids begin with the same twelve bits.
package struct StateDigest: Hashable, Sendable {
  /// A document that stands in the state.
  package struct Document: Hashable, Sendable {
    package var id: UniqueID
    package var digest: Digest

    package init(id: UniqueID, digest: Digest) {
      self.id = id
      self.digest = digest
    }
  }

  package static let bucketCount = 4_096

  /// The digests of the buckets, where there is anything in them.
  package private(set) var buckets = [Digest?](repeating: nil, count: bucketCount)

  package init() {}

  package init(of documents: some Sequence<Document>) {
    for (bucket, documents) in Dictionary(grouping: documents, by: { Self.bucket(of: $0.id) }) {
      set(bucket, to: documents.sorted { $0.id < $1.id })
    }
  }

  /// Which bucket a document belongs to.
  package static func bucket(of id: UniqueID) -> Int { Int(id.high >> 52) }

  /// Says what is in a bucket: all its documents, sorted by id.
  package mutating func set(_ bucket: Int, to documents: [Document]) {
    buckets[bucket] = documents.isEmpty ? nil : Self.digest(of: documents.map(\.digest))
  }

  /// The digest of the whole.
  package var digest: Digest { Self.digest(of: buckets.compactMap(\.self)) }

  private static func digest(of parts: [Digest]) -> Digest {
    var writer = CBORWriter()
    writer.arrayHeader(parts.count)
    for part in parts { writer.digest(part) }
    return SHA256.digest(of: writer.bytes)
  }
}

extension StateDigest {
  private static let digestBytes = 32

  /// The buckets one behind the other, each of the same length; zeros stand for an empty one.
  package var encoded: [UInt8] {
    let none = [UInt8](repeating: 0, count: Self.digestBytes)
    return buckets.flatMap { $0?.bytes ?? none }
  }

  /// Reads what ``encoded`` gives; nil for anything of another length.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.bucketCount * Self.digestBytes else { return nil }
    for bucket in 0..<Self.bucketCount {
      let digest = Digest(copying: bytes.span, at: bucket * Self.digestBytes)
      // No digest that was ever worked out is all zeros.
      if let digest, digest != Self.zeros { buckets[bucket] = digest }
    }
  }

  private static let zeros = Digest([UInt8](repeating: 0, count: digestBytes))
}
