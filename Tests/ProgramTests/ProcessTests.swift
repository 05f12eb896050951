import Foundation
import Testing

/// Tests that require real processes: processes that are killed, and concurrent processes.
@Suite(.enabled(if: Program.path != nil, "the program was not built beside the tests"), .serialized)
struct ProcessTests {
  @Test func `Processes: acknowledged commands survive when other commands are killed`() throws {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "list", "Home").code == 0)
    var acknowledged: [String] = []
    for number in 0..<24 {
      let title = "item \(number)"
      if try program.run("add", "todo", title).code == 0 { acknowledged.append(title) }
      // Kill the next command while it runs, a little later in each iteration.
      let doomed = try program.process(["add", "todo", "doomed \(number)"])
      try doomed.run()
      var spins = number * 40_000
      while spins > 0 { spins -= 1 }
      kill(doomed.processIdentifier, SIGKILL)
      doomed.waitUntilExit()
    }
    let titles = try program.titles()
    #expect(acknowledged.count == 24)
    #expect(Set(titles).isSuperset(of: acknowledged))
    #expect(titles.count == Set(titles).count)
    #expect(try program.run("verify").code == 0)
    #expect(try program.run("rebuild").code == 0)
    #expect(try program.titles().sorted() == titles.sorted())
  }

  @Test func `Processes: simultaneous writers wait for each other and lose nothing`() throws {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "list", "Home").code == 0)
    for round in 0..<6 {
      let writers = try (0..<4).map { try program.process(["add", "todo", "\(round) \($0)"]) }
      for writer in writers { try writer.run() }
      for writer in writers { writer.waitUntilExit() }
      #expect(writers.map(\.terminationStatus) == [0, 0, 0, 0])
    }
    #expect(
      try program.titles().sorted() == (0..<6).flatMap { round in (0..<4).map { "\(round) \($0)" } }
    )
    #expect(try program.run("verify").code == 0)
  }

  @Test
  func `Processes: a blocked writer names the process that has the lock, and readers proceed`()
    throws
  {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "list", "Home").code == 0)
    let path = program.folder.appending(path: "book/lock").path()
    let lock = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(lock >= 0)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Data("4711\n".utf8).write(to: URL(filePath: path))
    #expect(try program.titles() == [])

    let late = try program.errors(of: "add", "todo", "late")
    #expect(late.code == 5)
    #expect(late.text.contains("process 4711 is writing"))
  }

  @Test
  func `Processes: after the loss of the view, erased bytes may be left until a rebuild`()
    throws
  {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "todo", "Geheim").code == 0)
    #expect(try program.run("erase", "Geheim", "--yes").code == 0)
    for name in ["view.sqlite", "view.sqlite-wal", "view.sqlite-shm"] {
      try? FileManager.default.removeItem(at: program.folder.appending(path: "book/\(name)"))
    }
    let words = "the files on this device may still contain bytes of erased records"
    #expect(try program.errors(of: "status").text.contains(words))
    #expect(try program.errors(of: "rebuild") == (0, ""))
    #expect(try program.errors(of: "status") == (0, ""))
  }

  @Test func `Processes: a file size limit is reported as a full disk`()
    throws
  {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "list", "Home").code == 0)
    let path = try #require(Program.path).path()
    func limited(_ blocks: Int, _ words: String) throws -> Int32 {
      // The environment of the tests may ignore the signal, so reset it.
      let command = "exec env --default-signal=XFSZ '\(path)' \(words)"
      return try program.run(["/bin/sh", "-c", "ulimit -f \(blocks); \(command)"]).code
    }
    for blocks in [0, 1, 8, 64] {
      let code = try limited(blocks, "add todo 'below \(blocks)'")
      #expect([0, 6].contains(code), "\(blocks)")
      #expect(try program.titles().contains("below \(blocks)") == (code == 0), "\(blocks)")
      #expect(try limited(blocks, "list todos") == 0)
      #expect(try limited(blocks, "rebuild") != 25)
    }
    #expect(try limited(0, "add todo late") == 6)
    #expect(try program.run("verify").code == 0)
  }

  @Test func `Processes: on a full disk, the message names the change that was made`() throws {
    // The order of the logs depends on random ids, so several limits are tested.
    for blocks in [40, 40, 80, 120, 160, 200, 240, 280] {
      let program = try Program()
      defer { try? program.remove() }
      let path = try #require(Program.path).path()
      let folder = program.folder.path()
      #expect(try program.run("add", "list", "Home").code == 0)
      try FileManager.default.createDirectory(
        atPath: folder + "/stick", withIntermediateDirectories: true)
      #expect(try program.run("sync", folder + "/stick").code == 0)
      #expect(
        try program.run("-C", folder + "/other", "join", folder + "/stick", "--yes").code == 0)
      #expect(try program.run("sync", folder + "/stick", "--admit").code == 0)
      for number in 1...5 { #expect(try program.run("add", "todo", "early \(number)").code == 0) }
      // The limit on the size of a file, in blocks of 512 or 1,024 bytes, is large enough for the log, but too small
      // for the read model or the files that SQLite writes next to it.
      let script = #"trap "" XFSZ; ulimit -f \#(blocks); exec "$0" "$@""#
      let added = try program.run(["/bin/sh", "-c", script, path, "add", "todo", "late"])
      #expect(added.code == 0 && added.output.hasPrefix("Added todo "), "\(added)")
      let undone = try program.run(["/bin/sh", "-c", script, path, "undo"])
      #expect(undone.output.hasPrefix("Undone: deleted todo "), "\(undone)")
    }
  }

  @Test func `Processes: no read model contains erased text, even on a full disk`()
    throws
  {
    let program = try Program()
    defer { try? program.remove() }
    #expect(try program.run("add", "list", "Geheim").code == 0)
    let lines = (0..<4_000).map {
      #"{"op":"add","kind":"todo","id":"e-\#($0)","title":"errand \#($0)"}"#
    }
    let file = program.folder.appending(path: "lines.jsonl")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    #expect(try program.run("import", file.path()).code == 0)
    #expect(try program.run("compact").code == 0)
    func holders() throws -> [String] {
      try program.files().filter { name in
        guard name.contains("view.sqlite") else { return false }
        let bytes = try Data(contentsOf: program.folder.appending(path: name))
        return bytes.range(of: Data("Geheim".utf8)) != nil
      }
    }
    #expect(try !holders().isEmpty)
    // No file may become larger than 512 KiB, or twice that in some shells.
    let path = try #require(Program.path).path()
    let script = #"trap "" XFSZ; ulimit -f 1024; exec "$0" erase geheim --yes"#
    #expect(try program.run(["/bin/sh", "-c", script, path]).code == 0)
    #expect(try holders() == [])
    #expect(try program.run("list", "todos", "--json").output.contains("errand 3999"))
  }
}
