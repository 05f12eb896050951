import Foundation
import Testing

/// The files installed with the program.
struct InstallingTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: Program.path != nil, "the program was not built"))
  func `Installation: the program is laid out with manual pages and completions`() throws {
    let program = try Program()
    let path = try #require(Program.path).path()
    let prefix = program.folder.appending(path: "prefix").path()
    let layOut = Self.root.appending(path: "Tools/lay-out").path()
    #expect(try program.run([layOut, path, prefix]).code == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: prefix).filter { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(prefix)/\(name)")
      return attributes[.type] as? FileAttributeType == .typeRegular
    }
    #expect(
      files.sorted() == [
        "bin/daybook", "share/bash-completion/completions/daybook",
        "share/fish/vendor_completions.d/daybook.fish", "share/man/man1/daybook.1",
        "share/man/man5/daybook-journal.5", "share/zsh/site-functions/_daybook",
      ])
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(prefix)/share/\(name)", encoding: .utf8)
    }
    #expect(try text("man/man1/daybook.1").contains("\n.Dt DAYBOOK 1\n"))
    #expect(try text("man/man5/daybook-journal.5").contains("\n.Dt DAYBOOK-JOURNAL 5\n"))
    #expect(try text("zsh/site-functions/_daybook").hasPrefix("#compdef daybook\n"))
    try program.remove()
  }
}
