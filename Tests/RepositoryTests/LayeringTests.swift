import Foundation
import Testing

/// Rules of the architecture, checked on the sources.
struct LayeringTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A Swift file of the project, by its path below the root.
  struct Source: CustomTestStringConvertible {
    let path: String
    let lines: [Substring]
    var testDescription: String { path }

    /// The modules that it imports.
    var imports: [Substring] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
          words[..<place].allSatisfy({ Self.modifiers.contains($0) })
        else { return nil }
        return words[place + 1]
      }
    }
    static let modifiers: Set<Substring> = [
      "public", "package", "internal", "private", "@testable", "@_exported",
    ]
  }

  static func sources(in folder: String) throws -> [Source] {
    let base = root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: base.path())
    let found = try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
      return Source(
        path: "\(folder)/\(name)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    try #require(!found.isEmpty, "no sources below \(folder)")
    return found
  }

  @Test(arguments: [
    ("CZlib", "Gzip"), ("CDeflate", "Gzip"), ("CSQLite", "SQLite"), ("COpenSSL", "Crypto"),
    ("CLinux", "PosixPlatform"), ("CIconv", "CharacterSets"),
  ])
  func `Layering: each C library has one importing module`(module: String, wrapper: String) throws {
    let importers = try (Self.sources(in: "Sources") + Self.sources(in: "Tools"))
      .filter { $0.imports.contains(Substring(module)) }
    #expect(!importers.isEmpty)
    #expect(importers.filter { !$0.path.hasPrefix("Sources/\(wrapper)/") }.map(\.path) == [])
  }

  @Test func `Layering: only the platform imports the real machine`() throws {
    let reaching = try Self.sources(in: "Sources").filter { source in
      !source.path.hasPrefix("Sources/PosixPlatform/")
        // This target only passes the machine on to programs.
        && source.path != "Sources/DaybookSystem/Exports.swift"
        && source.imports.contains { ["PosixPlatform", "Glibc", "Foundation"].contains($0) }
    }
    #expect(reaching.map(\.path) == [])
  }

  static let banned: [(words: String, reason: String)] = [
    ("Date()", "the time is passed in"),
    ("ContinuousClock", "the time is passed in"),
    (".random(in", "dice are passed in"),
    ("SystemRandomNumberGenerator", "dice are passed in"),
    ("print(", "libraries return text instead of printing it"),
    ("try!", "an error is thrown or handled"),
    ("fatalError(", "state the assumption with precondition"),
    ("@unchecked Sendable", "share values, or use Mutex"),
    ("nonisolated(unsafe)", "share values, or use Mutex"),
    ("Planted.", "faults are planted in a copy: Tests/Mutants"),
  ]

  @Test(arguments: banned)
  func `Layering: sources contain no banned words`(words: String, reason: String) throws {
    var places: [String] = []
    for source in try Self.sources(in: "Sources") {
      for (number, line) in source.lines.enumerated()
      where line.contains(words) && !line.drop(while: { $0 == " " }).hasPrefix("//")
        && !(words == ".random(in" && line.contains("using:"))
      {
        places.append("\(source.path):\(number + 1)")
      }
    }
    #expect(places == [], "\(reason)")
  }

  @Test func `Layering: Domain and Journaling import only the modules below them`() throws {
    let domain = try Self.sources(in: "Sources/Domain").flatMap(\.imports)
    let journaling = try Self.sources(in: "Sources/Journaling").flatMap(\.imports)
    #expect(Set(domain).subtracting(["Bytes", "Crypto"]) == [])
    // The journal needs Synchronization from the standard library, because it unpacks frames on another thread.
    let below: Set<Substring> = ["Bytes", "Gzip", "Crypto", "Platform", "Synchronization"]
    #expect(Set(journaling).isSubset(of: below))
  }

  @Test func `Layering: the check of proofs imports neither the journal nor the fold`() throws {
    let proving = try Self.sources(in: "Sources/Proving").flatMap(\.imports)
    #expect(Set(proving) == ["Bytes", "Crypto"])
  }

  @Test func `Layering: no file is longer than 360 lines`() throws {
    let long = try ["Sources", "Tools", "Tests"].flatMap(Self.sources(in:))
      .filter { $0.lines.count > 360 }
    #expect(long.map(\.path) == [])
  }

  @Test func `Layering: continuous integration runs only the check`() throws {
    let script = try String(contentsOf: Self.root.appending(path: ".ci/run"), encoding: .utf8)
    #expect(script == "#!/bin/sh\nexec \"$(dirname \"$0\")/../Tools/check\"\n")
  }
}
