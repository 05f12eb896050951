package import Bytes

/// The first 8 bytes of a replica's id, which each of its frames carries.
///
/// A frame is whole wherever it lies. The prefix tells a frame of this log from one that a disk has put into its file.
package struct ReplicaPrefix: Hashable, Sendable {
  /// The bytes as a big-endian number.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package init(of replica: UniqueID) { number = replica.high }
}
