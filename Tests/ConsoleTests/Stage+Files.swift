import Platform

extension Stage {
  /// Puts a file into the home folder.
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
}
