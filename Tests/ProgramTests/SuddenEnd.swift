import Foundation

/// A command that is killed or whose system calls fail, and its preparation.
struct SuddenEnd: Sendable, CustomStringConvertible {
  let description: String
  /// The commands that prepare the book; `@` stands for the program's folder, and a path runs another program.
  let before: [[String]]
  /// Whether to fill the log's tail so that the next large event seals it.
  var fillsTail = false
  let doomed: [String]
  /// Titles that must exist if the command succeeded.
  var acknowledges: [String] = []
  /// A name that no birthday may have if the command succeeded.
  var erases: String?
  /// Whether events are missing before the command.
  ///
  /// If so, the book is intact only if the command succeeded.
  var isDamaged = false
  /// Whether an event is lost permanently, and this is known before and after the command.
  var lacksEvent = false

  static let all: [SuddenEnd] = [
    SuddenEnd(
      description: "adding", before: start, doomed: ["add", "todo", "doomed"],
      acknowledges: ["doomed"]),
    SuddenEnd(
      description: "sealing", before: start, fillsTail: true,
      doomed: ["add", "todo", noise(4_000)],
      acknowledges: [noise(4_000)]),
    SuddenEnd(
      description: "merging", before: start + [["compact"], ["add", "todo", "second"]],
      doomed: ["compact"], acknowledges: ["first", "second"]),
    SuddenEnd(
      description: "importing", before: start, doomed: ["import", "@/lines.jsonl"],
      acknowledges: (0..<298).map { "line \($0)" }),
    SuddenEnd(
      description: "erasing", before: start + [["add", "birthday", "Ada", "1815-12-10"]],
      doomed: ["erase", "ada", "--yes"], acknowledges: ["first"], erases: "Ada"),
    SuddenEnd(
      description: "healing",
      before: start + [
        ["add", "todo", "lost"], ["add", "todo", "last"], ["bundle", "@/own.bundle"],
      ]
        + [["/bin/sh", "-c", damage], ["rebuild"]],
      doomed: ["verify", "--repair", "@/own.bundle"], acknowledges: ["first", "lost", "last"],
      isDamaged: true),
    SuddenEnd(
      description: "a new incarnation",
      before: start + [
        ["/bin/cp", "-a", "@/book", "@/old"], ["add", "todo", "unknown"],
        ["/bin/rm", "-r", "@/book"], ["/bin/mv", "@/old", "@/book"],
      ],
      doomed: ["add", "todo", "anew"], acknowledges: ["anew"], lacksEvent: true),
    SuddenEnd(description: "a new key", before: start, doomed: ["device", "rekey"]),
    SuddenEnd(description: "writing a bundle", before: start, doomed: ["bundle", "@/own.bundle"]),
    SuddenEnd(
      description: "reading a bundle", before: start + other,
      doomed: ["sync", "@/other.bundle", "--admit"], acknowledges: ["theirs"]),
    SuddenEnd(
      description: "a folder", before: start + other + [["sync", "@/other.bundle", "--admit"]],
      doomed: ["sync", "@/shared"], acknowledges: ["later"]),
  ]

  /// Returns the words of a command for a program in a folder.
  static func words(_ words: [String], in program: Program) -> [String] {
    words.map { $0.replacingOccurrences(of: "@/", with: program.folder.path() + "/") }
  }

  private static let start = [["add", "list", "Home"], ["add", "todo", "first"]]

  /// Damages the second to last frame.
  private static let damage = """
    for file in @/book/logs/*/000000000001.gz; do
      printf XXXX | dd of=$file bs=1 seek=$(($(stat -c %s $file) - 180)) conv=notrunc status=none
    done
    """

  /// Another member, and the events that it provides.
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

  /// Returns text that hardly compresses.
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
