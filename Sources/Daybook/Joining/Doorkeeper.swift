/// A device that has proved that it was invited, and waits until the user lets it in.
package struct PendingDevice: Hashable, Sendable {
  /// What it calls itself.
  package var name: String
  /// The words of its key.
  package var words: [String]
  /// Where it calls from.
  package var address: String
}

/// Asks the user of this machine whether an invited device comes in.
///
/// It is asked about one device at a time, by the thread that carries all sessions, and so never waits.
package struct Doorkeeper {
  /// Asks the user about a device.
  package var ask: (PendingDevice) -> Void
  /// What the user has answered to the last question; nil as long as that is nothing.
  package var answer: () -> Bool?
  /// Takes the last question back: its device has gone, or has waited too long.
  package var withdraw: (PendingDevice) -> Void

  package init(
    ask: @escaping (PendingDevice) -> Void, answer: @escaping () -> Bool?,
    withdraw: @escaping (PendingDevice) -> Void
  ) {
    (self.ask, self.answer, self.withdraw) = (ask, answer, withdraw)
  }
}
