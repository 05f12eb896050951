import Platform
import SimulatedPlatform
import Testing

extension Stage {
  /// Writes a file to the home folder.
  func put(_ text: String, as name: String) throws {
    try disk.makeDirectories(Path("/home/ada"))
    try disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
  }

  /// Returns the text of a file in the home folder.
  func text(of name: String) throws -> String {
    let file = try OpenFile(Path("/home/ada/\(name)"), .read, on: disk)
    let bytes = try file.read(at: 0, count: try file.size())
    try file.close()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds two to-dos, and damages the first in the log of this device.
  func addDamaged(_ title: String, before next: String) throws {
    let key = try #require(
      machine.disk.files.keys.first {
        $0.string.contains("/default/keys/") && $0.name.hasSuffix(".pem")
      })
    let folder = "/default/logs/\(key.name.dropLast(4))/"
    func logs() -> [Path: [UInt8]] { machine.disk.files.filter { $0.key.string.contains(folder) } }
    let before = logs()
    _ = answer("add", "todo", title)
    // The to-do is at the end of the file that grew.
    let (file, after) = try #require(logs().first { before[$0.key] != $0.value })
    let start = before[file]?.count ?? 0
    _ = answer("add", "todo", next)
    machine.disk.rot(file, at: (start + after.count) / 2, flipping: 4)
  }
}
