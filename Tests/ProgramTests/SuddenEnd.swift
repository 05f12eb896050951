import Foundation

/// A command that is going to be killed or refused something, and what was there before.
struct SuddenEnd: Sendable, CustomStringConvertible {
  let description: String
  /// The commands before; `@` stands for the program's folder.
  let before: [[String]]
  /// Whether the log's tail is filled until the next large event makes it be sealed.
  var fillsTail = false
  let doomed: [String]
  /// The titles that are there when it says that it worked.
  var acknowledges: [String] = []

  static let all: [SuddenEnd] = [
    SuddenEnd(
      description: "adding", before: start, doomed: ["add", "todo", "doomed"],
      acknowledges: ["doomed"]),
    SuddenEnd(
      description: "sealing", before: start, fillsTail: true,
      doomed: ["add", "todo", noise(4_000)],
      acknowledges: [noise(4_000)]),
    SuddenEnd(
      description: "importing", before: start, doomed: ["import", "@/lines.jsonl"],
      acknowledges: (0..<298).map { "line \($0)" }),
    SuddenEnd(description: "writing a bundle", before: start, doomed: ["bundle", "@/own.bundle"]),
    SuddenEnd(
      description: "reading a bundle", before: start + other,
      doomed: ["sync", "@/other.bundle", "--admit"], acknowledges: ["theirs"]),
    SuddenEnd(
      description: "a folder", before: start + other + [["sync", "@/other.bundle", "--admit"]],
      doomed: ["sync", "@/shared"], acknowledges: ["later"]),
  ]

  /// Its words for a program in a folder.
  static func words(_ words: [String], in program: Program) -> [String] {
    words.map { $0.hasPrefix("@/") ? program.folder.appending(path: $0.dropFirst(2)).path() : $0 }
  }

  private static let start = [["add", "list", "Home"], ["add", "todo", "first"]]

  /// Another machine that takes part, and what it gives.
  private static let other = [
    ["bundle", "@/first.bundle"],
    ["--directory", "@/other", "join", "@/first.bundle"],
    ["--directory", "@/other", "add", "todo", "theirs"],
    ["--directory", "@/other", "bundle", "@/other.bundle"],
    ["--directory", "@/other", "add", "todo", "later"],
    ["--directory", "@/other", "sync", "@/shared"],
  ]

  /// The source of the import.
  static var lines: String {
    let items = (0..<298).map { number in
      #"{"t": \#(1000 + number), "op": "add", "kind": "todo", "id": "t\#(number)", "#
        + #""list_id": "l", "title": "line \#(number)"}"#
    }
    let list = #"{"t": 1, "op": "add", "kind": "list", "id": "l", "name": "Lines"}"#
    let edit =
      #"{"t": 2, "op": "edit", "kind": "list", "id": "l", "set": {"name": "Three hundred"}}"#
    return ([list, edit] + items).joined(separator: "\n") + "\n"
  }

  /// Text that hardly gets shorter.
  static func noise(_ count: Int) -> String {
    var state = UInt64(count)
    let letters = (35...126).map { Character(Unicode.Scalar($0)) }
    return String(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return letters[Int(state >> 33) % letters.count]
      })
  }
}
