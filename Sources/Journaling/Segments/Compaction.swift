/// The number and size of the segment files before and after a compaction.
package struct Compaction: Hashable, Sendable {
  package struct Count: Hashable, Sendable {
    package var files = 0
    package var bytes = 0
  }

  package var before = Count()
  package var after = Count()
}

/// A sealed file and its size.
struct SealedFile: Hashable, Sendable {
  var events: ClosedRange<UInt64>
  var byteCount: Int
}
