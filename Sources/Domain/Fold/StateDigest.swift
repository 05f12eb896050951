package import Bytes
internal import Crypto

/// The digest of a state, made of the digests of buckets, so that unchanged buckets need no new computation.
///
/// A bucket holds the documents whose ids have the same first twelve bits.
package struct StateDigest: Hashable, Sendable {
  /// The id and the digest of a document in the state.
  ///
  /// Documents are sorted by id and then by digest, because after a fork, commands that begin with the same add make
  /// documents with the same id.
  package struct Document: Hashable, Comparable, Sendable {
    package var id: UniqueID
    package var digest: Digest

    package init(id: UniqueID, digest: Digest) {
      self.id = id
      self.digest = digest
    }

    package static func < (left: Document, right: Document) -> Bool {
      (left.id, left.digest) < (right.id, right.digest)
    }
  }

  package static let bucketCount = 4_096

  /// The digest of each bucket; nil for an empty bucket.
  package private(set) var buckets = [Digest?](repeating: nil, count: bucketCount)

  package init() {}

  package init(of documents: some Sequence<Document>) {
    for (bucket, documents) in Dictionary(grouping: documents, by: { Self.bucket(of: $0.id) }) {
      set(bucket, to: documents.sorted())
    }
  }

  /// The index of the bucket that a document belongs to.
  package static func bucket(of id: UniqueID) -> Int { Int(id.high >> 52) }

  /// Sets the contents of a bucket: all its documents, sorted.
  package mutating func set(_ bucket: Int, to documents: [Document]) {
    buckets[bucket] = documents.isEmpty ? nil : Self.digest(of: documents.map(\.digest))
  }

  /// The digest of the whole state.
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

  /// The digests of all buckets, 32 bytes each; zeros stand for an empty bucket.
  package var encoded: [UInt8] {
    let none = [UInt8](repeating: 0, count: Self.digestBytes)
    return buckets.flatMap { $0?.bytes ?? none }
  }

  /// Decodes the bytes of ``encoded``; nil if their number is wrong.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.bucketCount * Self.digestBytes else { return nil }
    for bucket in 0..<Self.bucketCount {
      let digest = Digest(copying: bytes.span, at: bucket * Self.digestBytes)
      // No computed digest is all zeros, so zeros mark an empty bucket.
      if let digest, digest != Self.zeros { buckets[bucket] = digest }
    }
  }

  private static let zeros = Digest([UInt8](repeating: 0, count: digestBytes))
}
