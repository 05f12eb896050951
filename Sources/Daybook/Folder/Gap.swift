package import Bytes

/// Consecutive events of a device that are all missing, or all without their bodies.
package struct Gap: Hashable, Sendable {
  /// The name of the device, or the id of its log if the name is unknown.
  package var device: String
  /// The log or strand of the events.
  package var log: UniqueID
  package var range: ClosedRange<UInt64>
  /// Whether only the bodies of the events are missing.
  package var isBodiless: Bool

  package init(device: String, log: UniqueID, range: ClosedRange<UInt64>, isBodiless: Bool) {
    (self.device, self.log, self.range) = (device, log, range)
    self.isBodiless = isBodiless
  }
}

/// The events and bodies that a book has lost, and what is still known about them.
package struct Loss: Sendable {
  package var gaps: [Gap]
  /// The titles of the first records that the missing events added, if a read model still had them.
  package var titles: [String]
  /// The number of missing events for which no copy of the view was kept, because the maximum number of copies already
  /// existed.
  package var uncopied: UInt64

  /// The maximum number of titles.
  static let titleLimit = 20
}
