import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Joining from a folder with several books.
struct JoinTests {
  @Test func `Join: an admission that receives nothing names no received events`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "join", "stick")
    for words in [["sync", "stick"], ["sync", "stick", "--admit"], ["sync", "stick"]] {
      let told = stage.run(words).output
      #expect(!told.contains("received nothing") || !told.contains("received from"), "\(told)")
    }
  }

  /// Creates a folder with a book, and a second book that was founded on its logs.
  private func stage() throws -> (stage: Stage, old: String, new: String) {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("sync", "stick")
    let old = try #require(try stage.disk.list(Path("/home/ada/stick")).first)
    _ = stage.answer("found", "--yes")
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("sync", "stick")
    let new = try #require(try stage.disk.list(Path("/home/ada/stick")).first { $0 != old })
    return (stage, old, new)
  }

  @Test func `Join: several books in a folder are listed and none is joined`()
    throws
  {
    let (stage, old, new) = try stage()
    let lines = [
      (old, "  \(old)  founded on laptop, 2 events, the last at 2026-11-20T09:01:00Z"),
      (new, "  \(new)  founded on laptop, 6 events, the last at 2026-11-20T09:04:00Z"),
    ].sorted { $0.0 < $1.0 }.map { $0.1 + "\n" }.joined()
    let asked = stage.run("-C", "phone", "join", "stick")
    #expect(asked.code == .refused)
    #expect(
      asked.error == "daybook: there are 2 books. Choose one with --book followed by the first "
        + "characters of its id:\n" + lines)
    let none = stage.run("-C", "phone", "join", "stick", "--book", "x")
    #expect(none.code == .refused)
    #expect(
      none.error == "daybook: 'x' does not identify exactly one book. Choose one with "
        + "--book followed by the first characters of its id:\n" + lines)
    #expect(try stage.disk.status(Path("/home/ada/phone")) == nil)
  }

  @Test(arguments: [false, true])
  func `Join: without a usable book.json, the advice preserves unsynced events`(
    isDamaged: Bool
  ) throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Unsent")
    _ = stage.answer("-C", "phone", "delete", "Sweep")
    let (old, new) = (Path("/home/ada/phone"), Path("/home/ada/new"))
    if isDamaged {
      try stage.disk.replace(old / "book.json", with: Array("{".utf8))
    } else {
      try stage.disk.remove(old / "book.json")
    }
    let refused = stage.run("-C", "phone", "list", "todos")
    #expect(refused.code == (isDamaged ? .dataFault : .refused))
    #expect(
      refused.error.hasSuffix(
        "To keep them, remove its book.json if it is still there, "
          + "copy into that folder everything that only the new folder has, "
          + "then run 'daybook -C MOVED bundle kept.bundle' "
          + "and, in the new book, 'daybook sync kept.bundle'.\n"))
    _ = stage.answer("-C", "new", "join", "stick")
    #expect(!stage.answer("-C", "new", "list", "todos").contains("Unsent"))
    if isDamaged { try stage.disk.remove(old / "book.json") }
    for (path, bytes) in stage.machine.disk.files where path.string.hasPrefix(new.string + "/") {
      let copy = Path(old.string + path.string.dropFirst(new.string.count))
      guard try stage.disk.status(copy) == nil else { continue }
      try stage.disk.makeDirectories(copy.parent)
      try stage.disk.replace(copy, with: bytes)
    }
    let bundled = stage.run("-C", "phone", "bundle", "kept.bundle")
    #expect(bundled.code == .done && bundled.error == "", "\(bundled.error)")
    _ = stage.answer("-C", "new", "sync", "kept.bundle")
    let todos = stage.answer("-C", "new", "list", "todos")
    #expect(todos.contains("Unsent") && !todos.contains("Sweep"))
    // The unsynced events come from the device that wrote them, which is admitted.
    _ = stage.answer("-C", "new", "sync", "stick")
    _ = stage.answer("sync", "stick")
    let others = stage.answer("list", "todos")
    #expect(others.contains("Unsent") && !others.contains("Sweep"))
  }

  @Test func `Join: the chosen book is joined`() throws {
    let (stage, old, new) = try stage()
    let joined = stage.answer("-C", "phone", "join", "stick", "--book", String(new.prefix(6)))
    #expect(joined.hasPrefix("Joined the book \(new) in "))
    #expect(stage.answer("-C", "phone", "list", "todos").contains("Mop"))
    _ = stage.answer("-C", "tablet", "join", "stick", "--book", old)
    #expect(!stage.answer("-C", "tablet", "list", "todos").contains("Mop"))
  }

  @Test func `Join: records that look like existing ones are reported`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    for list in ["Home", "Work", "Work"] { _ = stage.answer("add", "list", list) }
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "add", "list", "home")
    #expect(
      stage.answer("-C", "phone", "join", "stick", "--yes").contains(
        "\n1 record looks like a duplicate; 'daybook duplicates' shows how to merge duplicates.\n"
      ))
    #expect(!stage.answer("-C", "tablet", "join", "stick").contains("looks like"))
  }

  @Test func `Join: --book is refused for a bundle`() throws {
    let (stage, old, _) = try stage()
    _ = stage.answer("bundle", "b")
    let refused = stage.run("-C", "phone", "join", "b", "--book", old)
    #expect(refused.code == .refused)
    #expect(refused.error.contains("--book cannot be '\(old)'"))
  }

  @Test func `Join: events of a device that no longer count are reported`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    try stage.disk.makeDirectories(Path("/home/ada/card"))
    _ = stage.answer("-C", "tablet", "add", "todo", "Dust")
    _ = stage.answer("-C", "tablet", "sync", "card")
    let joined = stage.run("join", "card", "--yes")
    #expect(!stage.answer("list", "todos").contains("Mop"))
    #expect(
      joined.error.contains(
        "laptop 2 is waiting to be admitted: 2 events no longer count on this device. "),
      "\(joined)")
    _ = stage.answer("-C", "tablet", "sync", "card", "--admit")
    _ = stage.answer("sync", "card", "--admit")
    #expect(stage.answer("list", "todos").contains("Mop"))
  }
}
