import Bytes
import Phrasing
import Platform
import Testing

extension Stage {
  /// Creates three synced devices of one book: this one is `desk`, the folders phone and book hold `phone` and `book`.
  static func trio() throws -> Stage {
    let stage = try pair()
    _ = stage.answer("-C", "book", "join", "stick")
    _ = stage.answer("sync", "stick", "--admit")
    _ = stage.answer("-C", "book", "sync", "stick")
    _ = stage.answer("device", "rename", "desk")
    for name in ["phone", "book"] { _ = stage.answer("-C", name, "device", "rename", name) }
    stage.meetAll()
    return stage
  }

  /// Creates the same three devices, of which `book` has exchanged its name with that of `phone`.
  static func exchanged() throws -> Stage {
    let stage = try trio()
    for (old, new) in [("phone", "tmp"), ("book", "phone"), ("tmp", "book")] {
      _ = stage.answer("-C", "book", "device", "rename", old, new)
    }
    stage.meetAll()
    return stage
  }

  /// Syncs the three devices until they hold the same events.
  func meetAll() {
    for _ in 1...2 {
      for folder in [[], ["-C", "phone"], ["-C", "book"]] {
        #expect(run(folder + ["sync", "stick", "-q"]).code == .done)
      }
    }
  }

  /// The words of the key that the device in a folder has.
  func words(in folder: String) throws -> String {
    let own = try devices("-C", folder).first { $0["isThis"] == true }
    return try #require(own?["fingerprint"]?.string)
  }
}
