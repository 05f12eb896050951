package import Bytes

/// The order of all writes, which is the same on all devices; a field shows the concurrent value with the highest
/// stamp.
///
/// The chain hash decides between two branches of a log, in which all other parts may be equal.
package struct Stamp: Hashable, Comparable, Sendable {
  package let time: Int64
  package let replica: UniqueID
  package let sequence: UInt64
  package let hash: UniqueID

  package init(time: Int64, replica: UniqueID, sequence: UInt64, hash: UniqueID) {
    self.time = time
    self.replica = replica
    self.sequence = sequence
    self.hash = hash
  }

  package static func < (left: Stamp, right: Stamp) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.replica != right.replica { return left.replica < right.replica }
    return (left.sequence, left.hash) < (right.sequence, right.hash)
  }
}
