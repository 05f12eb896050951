package import Bytes
package import Platform

/// What stripping did.
package struct StripReport: Hashable, Sendable {
  /// How many bodies were taken away, by log.
  package var bodies: [UniqueID: Int] = [:]
  /// Segment files that were written anew.
  package var files: [Path] = []
  /// Files of ``quarantine/`` that were removed, since they may hold the same bodies.
  package var removed: [Path] = []
  /// Bytes that were no frame and were left out of files written anew.
  package var damagedBytes = 0
  /// Why a frame is as it was, though something is to go from it.
  var failure: JournalError?

  package init() {}

  package var isNothing: Bool { files.isEmpty }
}
