import Bytes
import Platform
package import Syncing

// Where the book is served, told to other processes of this machine for as long as that lasts.

extension Book {
  /// How often it is tried to announce where the book is served, while others look whether it is.
  private static let announcements = 5

  /// Tells other processes where this one serves the book; the token is closed when it no longer does.
  ///
  /// The file is locked meanwhile, so what it tells after a crash is known to be over. Of several servers of one
  /// book the first is told.
  func announce(_ endpoint: Endpoint) throws(DaybookError) -> FileToken? {
    for _ in 0..<Self.announcements {
      let token = try wrap(DaybookError.disk) { () throws(DiskError) -> FileToken? in
        guard let token = try machine.disk.lock(layout.serving)?.token else { return nil }
        do throws(DiskError) {
          let size = try machine.disk.size(token)
          try machine.disk.write(token, Array("\(endpoint.text)\n".utf8), at: size)
        } catch {
          // Held on, it would say that somebody serves. The lock ends with the token in any case.
          try? machine.disk.close(token)
          throw error
        }
        return token
      }
      if let token { return token }
      machine.timekeeper.pause(milliseconds: 20)
    }
    return nil
  }

  func withdraw(_ announcement: FileToken?) {
    guard let announcement else { return }
    // The lock ends with the token, and with it what the file tells.
    try? machine.disk.close(announcement)
  }

  /// Where a process of this machine serves the book, or nil when none does.
  package func served() throws(DaybookError) -> Endpoint? {
    try wrap(DaybookError.disk) { () throws(DiskError) -> Endpoint? in
      let disk = machine.disk
      guard try disk.status(layout.serving) != nil else { return nil }
      if let free = try disk.lock(layout.serving) {
        try disk.close(free.token)
        return nil
      }
      let bytes = try disk.contents(of: layout.serving, limit: 1 << 10)
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      return lines.count == 2 ? Endpoint(String(lines[1])) : nil
    }
  }
}
