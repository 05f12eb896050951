package import Bytes

/// An event that is in the journal.
package struct Appended: Hashable, Sendable {
  package var sequence: UInt64
  package var time: Int64
  package var hash: Digest
}
