package import Platform

/// The result of an erasure.
package struct EraseReport: Sendable {
  /// The number of entities that were erased, including those that they owned.
  package var records: Int
  /// The number of bodies that were removed from the files here; 0 after a failure.
  package var bodies: Int
  /// Files that were removed because they may contain erased bytes: those in `quarantine/`, and copies of the view from
  /// before a loss.
  package var removed: [Path]
  /// The number of bytes that were not part of a frame and were dropped when files were rewritten.
  ///
  /// Those bytes may have included erased content.
  package var damagedBytes = 0
  /// Whether all records had already been erased; if so, only their remaining bytes were removed.
  package var wasErased: Bool
  /// Whether the erasure also takes effect on other devices.
  ///
  /// An erasure by an unadmitted device only hides the record on this device.
  package var isCommon: Bool
  /// The number of to-dos that were deleted with an erased list, and now stay deleted without it.
  package var keptDeleted = 0
  /// The error that left erased bytes in the files here; nil if they were removed.
  package var failure: DaybookError?
}
