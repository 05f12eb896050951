import Bytes
import Platform

/// A tail that is held open from one append to the next.
///
/// Opening and closing takes as long as everything else that is done for a small commit.
struct OpenTail: ~Copyable {
  let log: UniqueID
  /// The tail's first event.
  let first: UInt64
  let file: OpenFile
}
