internal import Domain
internal import SQLite

// The parts of the state digest are stored by bucket, so usually only two groups of documents must be digested again:
// those written since the last digest, and those that refer to entities that have not been folded.

/// A computed state digest, with the parts that must be stored for the next digest.
struct Reckoning {
  var state: StateDigest
  /// The documents of the buckets that changed, sorted.
  private(set) var buckets: [Int: [StateDigest.Document]] = [:]
  /// The documents that refer to entities that have not been folded; their digests can change without a write to them.
  var awaiting: [EventKey] = []
  /// Whether the buckets are complete and replace all stored buckets.
  var isWhole = false

  init(_ state: StateDigest) { self.state = state }

  /// Computes the digest from all documents.
  init(of digests: [DocumentDigest]) {
    state = StateDigest()
    isWhole = true
    take(Dictionary(grouping: digests.map(\.document)) { StateDigest.bucket(of: $0.id) })
    awaiting = digests.filter(\.awaitsOthers).map(\.key)
  }

  /// Replaces the contents of the given buckets.
  mutating func take(_ buckets: [Int: [StateDigest.Document]]) {
    for (bucket, documents) in buckets {
      let sorted = documents.sorted()
      self.buckets[bucket] = sorted
      state.set(bucket, to: sorted)
    }
  }
}
