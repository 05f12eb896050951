import Platform
import SimulatedPlatform
import Testing

extension Stage {
  /// Writes a file to the home folder.
  func put(_ text: String, as name: String) throws {
    try disk.makeDirectories(Path("/home/ada"))
    try disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
  }

  /// The text of a file in the home folder.
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
    func log() throws -> (key: Path, value: [UInt8]) {
      let folder = "/default/logs/\(key.name.dropLast(4))/"
      return try #require(machine.disk.files.first { $0.key.string.contains(folder) })
    }
    let before = try log().value.count
    _ = answer("add", "todo", title)
    let (file, after) = try log()
    _ = answer("add", "todo", next)
    machine.disk.rot(file, at: (before + after.count) / 2, flipping: 4)
  }
}
