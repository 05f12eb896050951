extension HealthCheck {
  /// Whether this device can sign what it writes.
  package func keyState() throws(DaybookError) -> Finding.KeyState {
    // A log that is lost has been written all the same.
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
