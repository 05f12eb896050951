package import Platform
package import Syncing

/// Tells other processes of this machine where the book is served.
package struct ServiceFile {
  let folder: BookFolder

  init(folder: BookFolder) {
    self.folder = folder
  }

  /// The number of attempts to announce the address while other processes read it.
  private static let announcements = 5

  /// Announces to other processes where this process serves the book.
  ///
  /// The caller closes the token when it stops serving.
  ///
  /// The file stays locked while the book is served, so after a crash its content is known to be outdated. If several
  /// processes serve one book, only the first one is announced.
  package func announce(_ endpoint: Endpoint) throws(DaybookError) -> FileToken? {
    for _ in 0..<Self.announcements {
      let token = try wrap(DaybookError.disk) { () throws(DiskError) -> FileToken? in
        guard let token = try folder.machine.disk.lock(folder.layout.serving)?.token else {
          return nil
        }
        do throws(DiskError) {
          let size = try folder.machine.disk.size(token)
          try folder.machine.disk.write(token, Array("\(endpoint.text)\n".utf8), at: size)
        } catch {
          // If the token stayed open, the book would seem to be served. The lock is released with the token regardless.
          try? folder.machine.disk.close(token)
          throw error
        }
        return token
      }
      if let token { return token }
      folder.machine.timekeeper.pause(milliseconds: 20)
    }
    return nil
  }

  package func withdraw(_ announcement: FileToken?) {
    guard let announcement else { return }
    // The lock is released with the token, which marks the content of the file as outdated.
    try? folder.machine.disk.close(announcement)
  }

  /// Whether an address is the one at which a process of this machine serves the book.
  ///
  /// A copy of the book that is served elsewhere has the same key, but is not this device.
  package func isOwn(_ endpoint: Endpoint) -> Bool {
    // If the file cannot be read, the call itself shows what is wrong.
    guard let served = try? served(), served.port == endpoint.port else { return false }
    if served.host == endpoint.host || served.isLoopback && endpoint.isLoopback { return true }
    guard served.isEverywhere else { return false }
    if endpoint.isLoopback || endpoint.isEverywhere { return true }
    return (try? folder.machine.network.addresses().contains(endpoint.host)) ?? false
  }

  /// The endpoint at which a process of this machine serves the book, or nil if none does.
  package func served() throws(DaybookError) -> Endpoint? {
    try wrap(DaybookError.disk) { () throws(DiskError) -> Endpoint? in
      let disk = folder.machine.disk
      guard try disk.status(folder.layout.serving) != nil else { return nil }
      if let free = try disk.lock(folder.layout.serving) {
        try disk.close(free.token)
        return nil
      }
      let bytes = try disk.contents(of: folder.layout.serving, limit: 1 << 10)
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      return lines.count == 2 ? Endpoint(String(lines[1])) : nil
    }
  }
}
