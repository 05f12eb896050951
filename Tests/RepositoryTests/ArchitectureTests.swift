import Foundation
import Testing

/// The page `docs/architecture.md` names types and members that exist in the sources.
struct ArchitectureTests {
  /// A name in backticks: a type, or a type and one of its members.
  struct Name: Hashable, CustomStringConvertible {
    let type: String
    let member: String?
    var description: String { member.map { "\(type).\($0)" } ?? type }
  }

  /// Returns the names in the given text that begin with a capital letter, except single letters and Swift files.
  static func names(in text: String) -> [Name] {
    text.matches(of: /`([A-Z][a-z]\w+)(?:\.(\w+))?`/).compactMap { match in
      match.2 == "swift"
        ? nil : Name(type: String(match.1), member: match.2.map(String.init))
    }
  }

  /// Returns the names of modules, types and members that the given lines of code declare.
  static func declared(in lines: [Substring]) -> Set<String> {
    var declared: Set<String> = []
    for line in lines {
      let found = line.firstMatch(of: /\b(?:struct|class|enum|protocol|func|var|let|case) (\w+)/)
      if let found { declared.insert(String(found.1)) }
    }
    return declared
  }

  @Test func `Architecture: every type and member on the page is declared in the sources`() throws {
    let page = LayeringTests.root.appending(path: "docs/architecture.md")
    let names = Set(Self.names(in: try String(contentsOf: page, encoding: .utf8)))
    #expect(names.count > 50)
    let sources = try LayeringTests.sources(in: "Sources")
    let modules = Set(
      sources.compactMap { $0.path.split(separator: "/").dropFirst().first }.map(String.init))
    let declared = Self.declared(in: sources.flatMap(\.lines)).union(modules)
    let missing = names.filter { name in
      !declared.contains(name.type) || name.member.map { !declared.contains($0) } ?? false
    }
    #expect(missing.map(\.description).sorted() == [])
  }

  @Test func `Architecture: only names in backticks that begin with a capital are read`() {
    let found = Self.names(in: "`Journal.append` of a `LogIndex`, `Package.swift`, `holes` and `A`")
    #expect(
      found == [Name(type: "Journal", member: "append"), Name(type: "LogIndex", member: nil)])
  }
}
