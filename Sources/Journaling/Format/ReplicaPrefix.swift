package import Bytes

/// The first 8 bytes of a replica's id, which each of the replica's frames contains.
///
/// A frame is valid wherever it is stored, so only the prefix shows whether a disk has put a frame of another log into
/// the file.
package struct ReplicaPrefix: Hashable, Sendable {
  /// The bytes as a big-endian number.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package init(of replica: UniqueID) { number = replica.high }
}
