import Platform
import Sealing

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

  /// Checks whether the keys of sealed stores can be read; nil if this device has none.
  func storeKeysFinding() throws(DaybookError) -> Finding? {
    do throws(DaybookError) {
      let count = try StoreKeyFile(store: store).ring().keys.count
      return count == 0 ? nil : .storeKeys(.usable(count))
    } catch {
      switch error {
      case .storeKeys(let path, let fault): return .storeKeys(.damaged(path, fault))
      case .disk(let fault): return .storeKeys(.unreadable(fault.path, fault.reason))
      default: throw error
      }
    }
  }

  /// Rewrites the files with keys that other users can read, so that only their owner can read them.
  func restrictKeys() throws(DaybookError) -> [Path] {
    try access.withLock { () throws(DaybookError) in
      let disk = store.machine.disk
      return FolderCheck(store.layout, view: nil, on: store.machine).openKeys.filter { path in
        do throws(DiskError) {
          try disk.replace(path, with: try disk.contents(of: path, limit: KeyRing.byteLimit))
          return true
        } catch {
          // The permission check still reports the file.
          return false
        }
      }
    }
  }
}
