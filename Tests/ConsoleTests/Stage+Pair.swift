import Platform
import Testing

extension Stage {
  /// Two machines of one book on one disk, each in a folder of its own, which know one to-do, Sweep.
  static func pair() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "join", "stick")
    _ = stage.answer("sync", "stick", "--admit")
    _ = stage.answer("-C", "phone", "sync", "stick")
    return stage
  }

  /// Both machines sync, until they hold the same.
  func meet() {
    for _ in 1...2 {
      _ = answer("sync", "stick", "-q")
      _ = answer("-C", "phone", "sync", "stick", "-q")
    }
  }
}
