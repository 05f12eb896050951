import Bytes
import Crypto
import Platform
import Syncing

/// Folders of directory peers, with files under odd names.
enum Directories {
  private static let folder = Path("/stick")

  static func take(_ bytes: [UInt8]) throws(Violation) {
    let line = bytes.prefix { $0 != 0x0a }
    let name = String(decoding: line, as: UTF8.self)
    try takeName(name)
    try takeFile(Array(bytes.dropFirst(line.count + 1)), named: name)
  }

  private static func takeName(_ file: String) throws(Violation) {
    guard let name = DirectoryName(file) else { return }
    let plain = DirectoryName(name.string)
    try demand(
      plain?.events == name.events && plain?.digest == name.digest && plain?.file == name.string,
      "a name is read back unchanged")
  }

  /// Stores a file under the given name and under its correct name, and syncs with the folder.
  private static func takeFile(_ bytes: [UInt8], named odd: String) throws(Violation) {
    guard let device = try? Pair.made.get().anna, let anna = try? Keeper(like: device),
      let reader = try? Keeper(beside: anna, in: Path("/other"))
    else { throw Violation(rule: "a book can be created") }
    let machine = reader.machine
    let place = folder / Keeper.book.hex / device.replica.hex
    var names = [odd]
    if let events = events(of: bytes) {
      names.append(DirectoryName(events: events, digest: SHA256.digest(of: bytes).prefix16).string)
    }
    do {
      try machine.disk.makeDirectories(place)
      for name in Set(names) where Path.isName(name) && name.utf8.count < 200 {
        try machine.disk.replace(place / name, with: bytes)
      }
      var peer = try DirectoryPeer(at: folder, on: machine)
      let first = try peer.pull(Keeper.book, into: reader)
      let second = try peer.pull(Keeper.book, into: reader)
      try demand(second.received == [:], "events are received only once: \(first)")
      _ = try peer.push(from: reader)
    } catch let violation as Violation {
      throw violation
    } catch {
      // Faulty files of others are reported as problems and must not end the sync.
      throw Violation(rule: "a folder is read completely: \(error)")
    }
  }

  /// The range of events in consecutive frames, according to their labels.
  private static func events(of bytes: [UInt8]) -> ClosedRange<UInt64>? {
    var events: ClosedRange<UInt64>?
    var offset = 0
    while let label = FrameLabel(bytes.span, at: offset) {
      let first = events?.lowerBound ?? label.events.lowerBound
      guard label.events.upperBound >= first, label.events.upperBound < 1 << 62 else { break }
      events = first...label.events.upperBound
      offset += label.length
      guard offset < bytes.count else { break }
    }
    return events
  }
}
