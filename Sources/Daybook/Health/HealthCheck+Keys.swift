extension HealthCheck {
  /// Finds out whether this device has a usable key to sign its log.
  package func keyState() throws(DaybookError) -> Finding.KeyState {
    // If the own log is lost, its key is still checked.
    let (own, written) = (
      try localDevice.ownLog, try store.folder.writtenLog()
    )
    guard let log = own ?? written else { return .none }
    let path = store.layout.key(of: log)
    do throws(DaybookError) {
      return try localDevice.keys(of: log) == nil ? .missing(path) : .usable
    } catch .otherKey {
      return .other(path)
    } catch .keys, .disk {
      return .unreadable(path)
    }
  }
}
