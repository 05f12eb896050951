package import Bytes

/// An event that has been appended to a log.
package struct Appended: Hashable, Sendable {
  package var sequence: UInt64
  package var time: Int64
  package var hash: Digest
}
