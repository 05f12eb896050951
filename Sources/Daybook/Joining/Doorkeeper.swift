/// A device that has proved that it was invited and is waiting for the user's answer.
package struct PendingDevice: Hashable, Sendable {
  /// The name that the device has given.
  package var name: String
  /// The words of the device's key.
  package var words: [String]
  /// The address from which the device connected.
  package var address: String
}

/// Asks the user of this machine whether to admit an invited device.
///
/// The thread that runs all sessions calls these closures, for one device at a time. The closures must not block.
package struct Doorkeeper {
  /// Asks the user about a device.
  package var ask: (PendingDevice) -> Void
  /// Returns the user's answer to the last question, or nil if there is none yet.
  package var answer: () -> Bool?
  /// Withdraws the last question, because its device has disconnected or has waited too long.
  package var withdraw: (PendingDevice) -> Void

  package init(
    ask: @escaping (PendingDevice) -> Void, answer: @escaping () -> Bool?,
    withdraw: @escaping (PendingDevice) -> Void
  ) {
    (self.ask, self.answer, self.withdraw) = (ask, answer, withdraw)
  }
}
