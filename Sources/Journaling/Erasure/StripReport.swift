package import Bytes
package import Platform

/// The changes that were made to remove erased bodies.
package struct StripReport: Hashable, Sendable {
  /// The number of removed bodies, by log.
  package var bodies: [UniqueID: Int] = [:]
  /// The segment files that were rewritten.
  package var files: [Path] = []
  /// The removed files that may have held the same bodies: files in `quarantine/`, and files that the caller adds.
  package var removed: [Path] = []
  /// The number of bytes outside frames that were left out of rewritten files.
  package var damagedBytes = 0
  /// The error that prevented a frame from being rewritten.
  var failure: JournalError?

  package init() {}

  package var isNothing: Bool { files.isEmpty }
}
