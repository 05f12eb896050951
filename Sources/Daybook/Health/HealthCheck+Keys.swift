extension HealthCheck {
  /// Checks whether this device has a usable key to sign its log.
  package func keyState() throws(DaybookError) -> Finding.KeyState {
    // The key of this device's own log is checked even if the log is lost or was abandoned.
    guard let log = try store.folder.lastWrittenLog() else { return .none }
    let path = store.layout.key(of: log)
    do throws(DaybookError) {
      if try localDevice.keys(of: log) != nil { return .usable }
      // A log that can be continued needs its own key. A new log can use any key of this device.
      guard try access.ownLogKeeper.willBeginLog() else { return .missing(path) }
      return try localDevice.lostKey() == nil ? .usable : .lost(path)
    } catch .otherKey {
      return .other(path)
    } catch .keys, .disk {
      return .unreadable(path)
    }
  }
}
