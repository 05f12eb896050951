internal import Domain
internal import SQLite

// The state digest is kept bucket by bucket, and only the documents that were written since are looked at again.

/// A state digest that was worked out, and what has changed for it.
struct Reckoning {
  var state: StateDigest
  /// The documents of the buckets that have changed.
  private(set) var buckets: [Int: [StateDigest.Document]] = [:]
  /// The documents that refer to what is not folded: they change without being written.
  var awaiting: [EventKey] = []
  /// Whether nothing that was kept before counts any more.
  var isWhole = false

  init(_ state: StateDigest) { self.state = state }

  /// Reckons with all documents.
  init(of digests: [Records.DocumentDigest]) {
    state = StateDigest()
    isWhole = true
    take(Dictionary(grouping: digests.map(\.document)) { StateDigest.bucket(of: $0.id) })
    awaiting = digests.filter(\.awaitsOthers).map(\.key)
  }

  /// Takes in all documents of some buckets.
  mutating func take(_ buckets: [Int: [StateDigest.Document]]) {
    for (bucket, documents) in buckets {
      let sorted = documents.sorted { $0.id < $1.id }
      self.buckets[bucket] = sorted
      state.set(bucket, to: sorted)
    }
  }
}
