package import Bytes

/// Neighbouring events of a device of which something is missing.
package struct Gap: Hashable, Sendable {
  /// What the device is called, or the id of its log where that is not known.
  package var device: String
  /// The log or strand the events belong to.
  package var log: UniqueID
  package var range: ClosedRange<UInt64>
  /// Whether the events are there and only their bodies are missing.
  package var isBodiless: Bool

  package init(device: String, log: UniqueID, range: ClosedRange<UInt64>, isBodiless: Bool) {
    (self.device, self.log, self.range) = (device, log, range)
    self.isBodiless = isBodiless
  }
}

/// What a book has lost, and what is still known of it.
package struct Loss: Sendable {
  package var gaps: [Gap]
  /// The titles of the first records that the missing events added, as far as a read model still had them.
  package var titles: [String]

  /// How many titles are given at most.
  static let titleLimit = 20
}
