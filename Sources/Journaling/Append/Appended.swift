package import Bytes

/// An event that was appended to a log.
package struct Appended: Hashable, Sendable {
  package var sequence: UInt64
  package var time: Int64
  package var hash: Digest
}
