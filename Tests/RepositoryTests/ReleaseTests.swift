import Foundation
import Testing

/// The version of the program, and the pages that must agree with it.
struct ReleaseTests {
  static func text(of path: String) throws -> String {
    try String(contentsOf: LayeringTests.root.appending(path: path), encoding: .utf8)
  }

  /// Returns the version that the program states.
  static func version() throws -> String {
    let source = try text(of: "Sources/Console/Help/ProgramVersion.swift")
    return String(try #require(source.firstMatch(of: /number = "([0-9.]+)"/)).1)
  }

  /// Returns the newest version that a changelog has a heading for; nil if nothing has been released.
  static func released(in changelog: String) -> String? {
    changelog.firstMatch(of: /(?m)^## ([0-9]+\.[0-9]+\.[0-9]+)\b/).map { String($0.1) }
  }

  @Test func `Version: it is stated in one source file only`() throws {
    let quoted = "\"\(try Self.version())"
    let files = try ["Sources", "Tools"].flatMap(LayeringTests.sources(in:)).filter { source in
      source.lines.contains { $0.contains(quoted) || $0.contains("daybook \(quoted.dropFirst())") }
    }
    #expect(files.map(\.path) == ["Sources/Console/Help/ProgramVersion.swift"])
    for tool in ["package", "release", "lay-out"] {
      #expect(try !Self.text(of: "Tools/\(tool)").contains(Self.version()), "\(tool)")
    }
  }

  @Test func `Version: the newest released version in the changelog is that of the program`() throws
  {
    let changelog = try Self.text(of: "CHANGELOG.md")
    if let released = Self.released(in: changelog) {
      #expect(try released == Self.version())
    } else {
      #expect(changelog.contains("Nothing has been released yet"))
    }
  }

  @Test func `Version: headings of the changelog are read, the first one first`() {
    #expect(
      Self.released(in: "# Changelog\n\n## Unreleased\n\n## 1.2.0, 2026\n\n## 1.1.9\n") == "1.2.0")
    #expect(Self.released(in: "# Changelog\n\n## Formats\n\n## Unreleased\n") == nil)
  }

  @Test func `Licence: the readme and the package name the same licence`() throws {
    let notice = "No licence has been granted yet."
    #expect(try Self.text(of: "README.md").ranges(of: notice).count == 1)
    #expect(try Self.text(of: "Tools/package").contains(notice))
  }
}
