import Testing

/// The measures of `Structure`, on small sources written for the tests.
struct StructureMeasureTests {
  /// Returns the structure of files, given by their paths below `Sources`.
  static func structure(_ files: [String: String]) -> Structure {
    Structure(
      files.sorted { $0.key < $1.key }.map { path, text in
        LayeringTests.Source(
          path: "Sources/\(path)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      })
  }

  /// Returns a type in the module `M`, with its extensions in the files `A`, `B`, `C` and so on.
  static func journal(_ own: String = "", _ extensions: String...) -> Structure {
    var files = ["M/Journal.swift": "struct Journal {\n\(own)\n}\n"]
    for (letter, text) in zip("ABCDEFGHIJ", extensions) {
      files["M/\(letter).swift"] = "extension Journal {\n\(text)\n}\n"
    }
    return structure(files)
  }

  static func figures(_ findings: [Finding]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: findings.map { ($0.subject, $0.figure) })
  }

  static func function(_ name: String, calling others: String...) -> String {
    "  func \(name)() {\n" + others.map { "    \($0)()\n" }.joined() + "  }"
  }

  // MARK: Folders and types

  @Test func `Folder: 31 files are over the limit, and 30 are within it`() {
    func findings(_ count: Int) -> [Finding] {
      Self.structure(
        Dictionary(uniqueKeysWithValues: (1...count).map { ("M/\($0).swift", "") })
      ).filesOfFolders
    }
    let ratchet = Ratchet(
      limit: StructureTests.filesOfFolders.limit, unit: "files", advice: "Divide.", exceptions: [:])
    #expect(ratchet.complaints(about: findings(30)) == [])
    #expect(
      ratchet.complaints(about: findings(31)) == ["Sources/M: 31 files, at most 30. Divide."])
  }

  @Test func `Folder: files in subfolders are not counted`() {
    let structure = Self.structure(["M/A.swift": "", "M/B.swift": "", "M/In/C.swift": ""])
    #expect(Self.figures(structure.filesOfFolders) == ["Sources/M": 2, "Sources/M/In": 1])
  }

  @Test func `Type: nine files are over the limit, and eight are within it`() {
    let ratchet = Ratchet(
      limit: StructureTests.filesOfTypes.limit, unit: "files", advice: "Divide.", exceptions: [:])
    let eight = Self.journal("", "", "", "", "", "", "", "")
    #expect(Self.figures(eight.filesOfTypes) == ["M.Journal": 8])
    #expect(ratchet.complaints(about: eight.filesOfTypes) == [])
    let nine = Self.journal("", "", "", "", "", "", "", "", "")
    #expect(
      ratchet.complaints(about: nine.filesOfTypes) == [
        """
        M.Journal: 9 files, at most 8. Divide.
          Sources/M/A.swift
          Sources/M/B.swift
          Sources/M/C.swift
          Sources/M/D.swift
          Sources/M/E.swift
          Sources/M/F.swift
          Sources/M/G.swift
          Sources/M/H.swift
          Sources/M/Journal.swift
        """
      ])
  }

  @Test func `Type: a file that extends it twice counts once, including nested types`() {
    let structure = Self.structure([
      "M/A.swift": "struct A {\n  enum Kind {\n  }\n}\nextension A {\n}\nextension A: B {}\n",
      "M/B.swift": "@frozen\npublic final class B {\n}\nextension A.Kind {\n}\n",
      "N/A.swift": "package extension M::A {\n}\n",
    ])
    #expect(
      Self.figures(structure.filesOfTypes) == ["M.A": 1, "M.A.Kind": 1, "M.B": 1, "N.A": 1])
    #expect(
      Self.figures(structure.linesOfTypes) == ["M.A": 7, "M.A.Kind": 2, "M.B": 2, "N.A": 2])
  }

  @Test func `Type: its lines count from its heads to its closing braces`() {
    let structure = Self.structure([
      "M/A.swift": """
      import Bytes

      /// Not a line of the type.
      struct A {
        /// A line of the type.
        static let text = \"""
      }
          extension B {
      \"""
      }

      func free() {
      }
      enum B { case one }
      let free = 1
      """
    ])
    #expect(Self.figures(structure.linesOfTypes) == ["M.A": 7, "M.B": 1])
  }

  // MARK: Calls inside a type

  @Test func `Type: files that call each other in turn form a cycle`() {
    let structure = Self.journal(
      "", Self.function("a", calling: "b"), Self.function("b", calling: "c"),
      Self.function("c", calling: "d"), Self.function("d", calling: "a"))
    #expect(Self.figures(structure.circlesOfTypes) == ["M.Journal": 4])
    #expect(
      structure.circlesOfTypes[0].places
        == ["A", "B", "C", "D"].map { "Sources/M/\($0).swift" })
    #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 4])
  }

  @Test func `Type: files that call in one direction form no cycle`() {
    let structure = Self.journal(
      Self.function("own"), Self.function("a", calling: "b", "c"),
      Self.function("b", calling: "c"), Self.function("c", calling: "own"))
    #expect(Self.figures(structure.circlesOfTypes) == ["M.Journal": 0])
    #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 2])
    #expect(
      structure.callsAmongExtensions[0].places == [
        "Sources/M/A.swift calls b in B.swift, c in C.swift",
        "Sources/M/B.swift calls c in C.swift",
      ])
  }

  @Test func `Type: calls between its declaring file and extensions form a cycle`() {
    let structure = Self.journal(
      Self.function("own", calling: "a", "b"), Self.function("a", calling: "own"),
      Self.function("b"))
    #expect(Self.figures(structure.circlesOfTypes) == ["M.Journal": 2])
    #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 0])
  }

  @Test(arguments: [
    "other()", "try self.other ()", "x(other)", "_ = other.count", "other { 1 }", "-other",
    "journal.other[1]", "if other, true {}", "run(\"\", other)",
  ])
  func `Call: a member's name counts alone or after self`(line: String) {
    for member in [
      "  func other() {}", "  static func other<T>(_: T) {}", "  var other: Int { 1 }",
    ] {
      let structure = Self.journal("", "  func one() {\n    \(line)\n  }", member)
      #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 1], "\(member)")
    }
  }

  @Test(arguments: [
    "another()", "x.other()", ".other()", "call(other: 1)", "// other()", "run() // other()",
    "say(\"other ()\")", "say(\"a\\\" other ()\")", "let x = \"\"\"\n other()\n\"\"\"",
  ])
  func `Call: labels, comments, literals and other receivers do not count`(
    line: String
  ) {
    let structure = Self.journal("", "  func one() {\n    \(line)\n  }", "  func other() {}")
    #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 0])
  }

  @Test(arguments: [
    "  private func other() {}", "  fileprivate var other: Int { 1 }", "  static let other = 1",
    "  var other = { 1 }()", "    func other() {}", "  struct other {}",
  ])
  func `Call: only shared functions and computed properties count`(member: String) {
    let structure = Self.journal("", Self.function("one", calling: "other"), member)
    #expect(Self.figures(structure.callsAmongExtensions) == ["M.Journal": 0])
  }

  @Test func `Call: a name in up to two files counts, but common and own names do not`() {
    let call = Self.function("one", calling: "other")
    let other = Self.function("other")
    func figure(_ structure: Structure) -> Int { structure.callsAmongExtensions[0].figure }
    #expect(figure(Self.journal("", call, other)) == 1)
    #expect(figure(Self.journal("", call, other, other)) == 1)
    #expect(figure(Self.journal("", call, other, other, other)) == 0)
    #expect(figure(Self.journal("", call + "\n" + other, other)) == 0)
  }

  @Test func `Extension: extensions of another module's type may call each other`() {
    let files = [
      "M/A.swift": "extension String {\n" + Self.function("a", calling: "b") + "\n}\n",
      "M/B.swift": "extension String {\n" + Self.function("b") + "\n}\n",
    ]
    #expect(Self.figures(Self.structure(files).callsAmongExtensions) == ["M.String": 0])
  }

  @Test func `Extension: a nested type belongs to its declaring file`() {
    let files = [
      "M/Home.swift": "extension String {\n  struct Part {\n    func own() {}\n  }\n}\n"
        + "extension String.Part {\n" + Self.function("own") + "\n}\n",
      "M/A.swift": "extension String.Part {\n" + Self.function("a", calling: "b", "own") + "\n}\n",
      "M/B.swift": "extension String.Part {\n" + Self.function("b", calling: "own") + "\n}\n",
    ]
    let findings = Self.structure(files).callsAmongExtensions.filter { $0.figure > 0 }
    #expect(
      findings == [
        Finding(
          subject: "M.String.Part", figure: 1, places: ["Sources/M/A.swift calls b in B.swift"]
        )
      ])
  }

  // MARK: Cycles inside a module

  /// Returns files of the module `M`: each declares one type and names the type of the next file.
  static func ring(_ names: String...) -> [String: String] {
    var files: [String: String] = [:]
    for (name, next) in zip(names, names.dropFirst() + names.prefix(1)) {
      files["M/\(name).swift"] = "struct \(name) {\n  func next() -> [\(next)] { [] }\n}\n"
    }
    return files
  }

  @Test func `Module: a cycle of four files is reported, and one of three is accepted`() {
    let four = Self.structure(Self.ring("A", "B", "C", "D")).circlesOfModules
    #expect(
      four == [
        Finding(
          subject: "M", figure: 4,
          places: ["Sources/M/A.swift, Sources/M/B.swift, Sources/M/C.swift, Sources/M/D.swift"])
      ])
    let three = Self.structure(Self.ring("A", "B", "C")).circlesOfModules
    #expect(three == [Finding(subject: "M", figure: 0)])
  }

  @Test func `Module: the files of all cycles larger than three are counted`() {
    var files = Self.ring("A", "B", "C", "D")
    files.merge(Self.ring("E", "F", "G", "H", "I")) { $1 }
    files.merge(Self.ring("J", "K")) { $1 }
    #expect(Self.figures(Self.structure(files).circlesOfModules) == ["M": 9])
  }

  @Test(arguments: [
    // A second file declares the type, too.
    ["M/E.swift": "enum E {\n  typealias A = Int\n}\n"],
    // The reference that would close the cycle is not code.
    ["M/D.swift": "/// Made from A.\nstruct D {\n  let text = \"A\"  // A\n}\n"],
    // The reference that would close the cycle is in another module.
    ["M/D.swift": "", "N/D.swift": "struct D {\n  var a: A\n}\n"],
  ])
  func `Module: a chain of files forms no cycle`(change: [String: String]) {
    let files = Self.ring("A", "B", "C", "D").merging(change) { $1 }
    #expect(Self.structure(files).circlesOfModules.filter { $0.figure > 0 } == [])
  }

  @Test func `Graph: cycles that share a file are merged, and the largest is first`() {
    var graph = FileGraph()
    for pair in ["ab", "ba", "cd", "dc", "de", "ed", "ee", "fa", "fg", "gf", "gc", "ha"] {
      graph.add(String(pair.prefix(1)), needs: String(pair.suffix(1)))
    }
    #expect(graph.circles == [["c", "d", "e"], ["a", "b"], ["f", "g"]])
  }
}
