import Bytes
import Phrasing
import Platform
import Testing

extension Stage {
  /// Creates two devices of one book, in two folders of one disk, with one to-do, Sweep.
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

  /// Creates two synced devices of one book with the to-dos Sweep and Mop.
  static func pairOfTodos() throws -> Stage {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    return stage
  }

  /// Returns the devices as JSON.
  func devices(_ words: String...) throws -> [JSON] {
    let answer = run(words + ["devices", "--json"])
    return try #require(try JSON(parsing: Array(answer.output.utf8)).array)
  }

  /// Syncs both devices until they hold the same events.
  func meet() {
    for _ in 1...2 {
      _ = answer("sync", "stick", "-q")
      _ = answer("-C", "phone", "sync", "stick", "-q")
    }
  }
}
