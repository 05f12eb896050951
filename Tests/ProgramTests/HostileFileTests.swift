import Foundation
import Testing

/// Hostile files that require a real operating system.
@Suite(
  .enabled(
    if: Program.path != nil && !Program.isSanitized,
    "the program was not built beside the tests, or takes memory of a sanitizer"), .serialized)
struct HostileFileTests {
  /// The memory limit of an import, in kilobytes, including the program itself.
  private static let mostKilobytes = 400_000

  /// Imports a file within the memory limit.
  private func trial(_ name: String, _ content: Data) throws -> (code: Int32, output: String) {
    let program = try Program()
    defer { try? program.remove() }
    let path = program.folder.appending(path: name)
    try content.write(to: path)
    let daybook = try #require(Program.path).path()
    return try program.run([
      "/bin/sh", "-c", "ulimit -v \(Self.mostKilobytes); exec \"$0\" import --dry-run \"$1\"",
      daybook, path.path(),
    ])
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test func `Hostile files: a plain file is imported within the memory limit`() throws {
    let rows = (0..<1000).map { "Mop \($0)\n" }.joined()
    let told = try trial("todo.txt", Data(rows.utf8))
    #expect(told.code == 0)
    #expect(told.output.hasSuffix("Read as todo.txt: 1000 new. Nothing was written.\n"))
  }

  @Test func `Hostile files: lines without content take little memory`() throws {
    for name in ["todo.txt", "list.md", "tasks.json"] {
      let told = try trial(name, Data(repeating: 0x0a, count: 20_000_000) + Data("\n".utf8))
      #expect(told.code == 0, "\(name)")
    }
  }

  @Test func `Hostile files: millions of tiny properties are refused within the memory limit`()
    throws
  {
    let card = "BEGIN:VCARD\n" + repeated("A:\n", 5_000_000)
    #expect(try trial("a.vcf", Data(card.utf8)).code == 1)
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VTODO\n" + repeated("A:\n", 5_000_000)
    #expect(try trial("a.ics", Data(calendar.utf8)).code == 1)
  }

  @Test func `Hostile files: hundreds of thousands of faults take little memory`() throws {
    let rows = repeated(",no\n", 800_000)
    let told = try trial("a.csv", Data(("Title,Done\n" + rows).utf8))
    #expect(told.code == 1)
    #expect(told.output.contains("\nRead as CSV: 800000 skipped (line 2: "))
  }

  @Test func `Hostile files: links, pipes, folders, devices and unsized files are refused`() throws
  {
    let program = try Program()
    defer { try? program.remove() }
    let pipe = program.folder.appending(path: "pipe").path()
    let made = unsafe mkfifo(pipe, 0o600)
    try #require(made == 0)
    let file = program.folder.appending(path: "todo.txt")
    try Data("Mop\n".utf8).write(to: file)
    let link = program.folder.appending(path: "link.txt")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    for path in [pipe, link.path(), program.folder.path(), "/dev/zero", "/proc/self/status"] {
      let told = try program.run("import", path, "--format", "todotxt")
      #expect(told.code == 1 && told.output.isEmpty, "\(path)")
    }
    #expect(try program.run("import", file.path()).code == 0)
  }
}
