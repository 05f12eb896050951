import Foundation
import Testing

/// An example program that uses the library.
@Suite(.enabled(if: Program.path != nil, "the program was not built"))
struct ExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The example program, with a folder for the books of its devices.
  private struct Example {
    let program: Program
    let path: String

    init() throws {
      program = try Program()
      path = try #require(Program.path).deletingLastPathComponent()
        .appending(path: "daybook-example").path()
    }

    func folder(_ name: String) -> String { program.folder.appending(path: name).path() }

    /// Runs a command on the list of a device; returns the output, and the exit code unless it is 0.
    func run(_ device: String, _ words: String...) throws -> String {
      let (code, output) = try program.run([path, folder(device)] + words)
      return code == 0 ? output : "\(code) \(output)"
    }

    /// Starts serving the list of a device; returns the process, its input, its port and its invitation.
    func serve(
      _ device: String
    ) throws -> (
      process: Process, input: Pipe, port: String, invitation: String
    ) {
      let (input, output) = (Pipe(), Pipe())
      let process = try program.process([folder(device), "serve"], output: output)
      process.executableURL = URL(filePath: path)
      process.standardInput = input
      try process.run()
      var bytes = Data()
      while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
        bytes += more
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      let port = try #require(lines[0].firstMatch(of: /on port (\d+)\./)).1
      return (process, input, String(port), lines[1])
    }
  }

  @Test func `Example: items are added, ticked off, found, and removed by undo`() throws {
    let example = try Example()
    #expect(try example.run("laptop", "add", "Eggs", "Milk") == "Eggs\nMilk\n")
    #expect(try example.run("laptop", "tick", "Eggs") == "Milk\n")
    #expect(try example.run("laptop", "undo", "Eggs") == "Eggs\nMilk\n")
    #expect(try example.run("laptop", "find", "mil") == "todo: Milk\n")
    #expect(
      try example.run("laptop", "history", "Eggs") == """
        Eggs edited on laptop by an undo
        Eggs edited on laptop
        Eggs added on laptop

        """)
    #expect(try example.run("laptop", "tick", "Tea") == "1 'Tea' is not on the list.\n")
    #expect(try example.run("laptop", "undo", "Milk") == "Eggs\n")
    #expect(
      try example.run("phone", "join", "eggs")
        == "1 that is not an invitation: an invitation begins with 'daybook1:'.\n")
    try example.program.remove()
  }

  @Test func `Example: an item that repeats shows its next date once it is skipped or bought`()
    throws
  {
    let example = try Example()
    #expect(try example.run("laptop", "add", "Milk") == "Milk\n")
    let shown = try example.run("laptop", "every", "Milk", "FREQ=WEEKLY")
    let first = try #require(shown.firstMatch(of: /^Milk on (\d{4}-\d\d-\d\d)\n$/)).1
    let day = try Date("\(first)T00:00:00Z", strategy: .iso8601)
    let days = [7, 14].map {
      day.addingTimeInterval($0 * 86_400).formatted(.iso8601.year().month().day())
    }
    #expect(try example.run("laptop", "skip", "Milk") == "Milk on \(days[0])\n")
    #expect(try example.run("laptop", "tick", "Milk") == "Milk on \(days[1])\n")
    #expect(
      try example.run("laptop", "every", "Milk", "weekly")
        == "1 'weekly' is not a part of a repeat rule. Write parts such as FREQ=WEEKLY;BYDAY=MO.\n")
    try example.program.remove()
  }

  @Test(.timeLimit(.minutes(1)))
  func `Example: a device joins by invitation, and one of the two devices settles a conflict`()
    throws
  {
    let example = try Example()
    #expect(try example.run("laptop", "add", "Milk") == "Milk\n")
    let served = try example.serve("laptop")
    #expect(try example.run("phone", "join", served.invitation) == "Milk\n")
    #expect(try example.run("laptop", "rename", "Milk", "Oat milk") == "Oat milk\n")
    #expect(try example.run("phone", "rename", "Milk", "Rye milk") == "Rye milk\n")
    let exchanged = try example.run("phone", "sync", "127.0.0.1:\(served.port)")
    #expect(exchanged.hasSuffix(", conflicts: 1\n"), "\(exchanged)")
    try served.input.fileHandleForWriting.close()
    served.process.waitUntilExit()
    #expect(served.process.terminationStatus == 0)
    for device in ["laptop", "phone"] {
      #expect(
        try example.run(device, "conflicts") == """
          Rye milk: title
            1 text("Rye milk") by ["phone"]
            2 text("Oat milk") by ["laptop"]

          """)
    }
    #expect(try example.run("laptop", "keep", "Rye milk", "2") == "Oat milk\n")
    #expect(try example.run("laptop", "conflicts") == "")
    let stick = example.folder("stick")
    try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
    for device in ["laptop", "phone"] { _ = try example.run(device, "sync", stick) }
    #expect(try example.run("phone") == "Oat milk\n")
    try example.program.remove()
  }

  @Test(.timeLimit(.minutes(1)))
  func `Example: a port that is in use is reported without waiting for Return`() throws {
    let example = try Example()
    let served = try example.serve("laptop")
    let (input, output) = (Pipe(), Pipe())
    let process = try example.program.process(
      [example.folder("phone"), "serve", served.port], output: output)
    process.executableURL = URL(filePath: example.path)
    process.standardInput = input
    try process.run()
    // The input stays open until the program has ended.
    let told = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try input.fileHandleForWriting.close()
    #expect(process.terminationStatus == 1)
    #expect(
      String(decoding: told, as: UTF8.self)
        == "the port is already in use. Stop the other program, or choose another port.\n")
    try served.input.fileHandleForWriting.close()
    served.process.waitUntilExit()
    try example.program.remove()
  }

  /// The article contains parts of the program, each after a line that names the file.
  @Test func `Example: the code in the article is in the files of the program`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
    let article = try text("Sources/Daybook/Daybook.docc/WriteAnApp.md")
    let parts = article.matches(
      of: /`(Tools\/daybook-example\/\w+\.swift)`:\n\n```swift\n((?:[^`]|`[^`])*)```\n/)
    #expect(parts.count == 5)
    for part in parts {
      let source = try text(String(part.1))
      #expect(source.contains(String(part.2)), "\(part.2)")
    }
  }
}
