import Bytes
import Platform

/// A tail whose file stays open between appends.
///
/// Opening and closing the file for each append would double the time of a small commit.
struct OpenTail: ~Copyable {
  let log: UniqueID
  /// The first event of the tail.
  let first: UInt64
  let file: OpenFile
}
