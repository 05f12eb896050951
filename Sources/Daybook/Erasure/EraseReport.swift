package import Platform

/// What an erasure did.
package struct EraseReport: Sendable {
  /// How many records were erased, those that they owned among them.
  package var records: Int
  /// How many bodies were taken out of the files here.
  package var bodies: Int
  /// Files with bytes set aside that were removed.
  package var removed: [Path]
  /// Bytes that were no frame and are gone from the files here: what was erased may have been among them.
  package var damagedBytes = 0
  /// Whether it had been erased before, and only what was left of it was taken away.
  package var wasErased: Bool
  /// Whether others take part: an unadmitted device's own erasure hides the record here, and no more.
  package var isCommon: Bool
  /// Why the erased bytes are still in files here; nil if they are gone.
  package var failure: DaybookError?
}
