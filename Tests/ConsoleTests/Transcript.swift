import Foundation
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// A script of command lines, and its text form with the answers.
///
/// A line of the script begins with `#` for a comment, or with a prompt: `$` for the laptop, and `NAME$` for the
/// device whose book is in the folder NAME of the same disk. Answers are indented; those on standard error begin with
/// `!`, and an exit code other than 0 with `=`.
struct Transcript {
  private let stage = Stage()
  private var lines: [String] = []

  /// Returns the lines of the script in a transcript with or without answers.
  static func script(of text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { line in
      line.hasPrefix("#") || line.prefix { $0.isLetter }.endIndex == line.firstIndex(of: "$")
    }
  }

  /// Runs a script, and returns its lines with the answers.
  static func play(_ script: [String]) throws -> String {
    var transcript = Transcript()
    for line in script {
      if !transcript.lines.isEmpty { transcript.lines.append("") }
      transcript.lines.append(line)
      if !line.hasPrefix("#") { try transcript.run(line) }
    }
    return transcript.lines.map { $0 + "\n" }.joined()
  }

  private mutating func run(_ line: String) throws {
    let parts = line.split(separator: "$", maxSplits: 1, omittingEmptySubsequences: false)
    let words = try #require(Shell.words(String(parts[1])), "\(line)")
    let (name, rest) = (words.first ?? "", Array(words.dropFirst()))
    switch name {
    case "daybook":
      let device = parts[0].isEmpty ? [] : ["-C", String(parts[0])]
      tell(stage.run(device + rest))
    // Folders and files in the home folder.
    case "mkdir": try stage.disk.makeDirectories(Path("/home/ada/\(rest[0])"))
    case "cat": lines += Self.lines(of: try stage.text(of: rest[0]), indent: "  ")
    case "put": try stage.put(rest[1].replacing("\\n", with: "\n"), as: rest[0])
    // Removes all files whose paths contain the word.
    case "rm":
      let files = stage.machine.disk.files.keys.filter { $0.string.contains(rest[0]) }
      #expect(!files.isEmpty, "\(line)")
      for file in files { try stage.disk.remove(file) }
    // Adds two to-dos; the first is damaged on the disk.
    case "damage": try stage.addDamaged(rest[0], before: rest[1])
    // Advances the clock by the given number of days.
    case "wait":
      let days = try #require(Int64(rest[0]), "\(line)")
      stage.machine.timekeeper.advance(milliseconds: days * 86_400_000)
    default: Issue.record("not a command of a transcript: \(line)")
    }
  }

  private mutating func tell(_ outcome: Stage.Outcome) {
    lines += Self.lines(of: outcome.output, indent: "  ")
    lines += Self.lines(of: outcome.error, indent: "! ")
    if outcome.code != .done { lines.append("= \(outcome.code.rawValue) \(outcome.code)") }
  }

  /// Returns the indented lines of an answer, without sizes and offsets, which depend on the compression library.
  private static func lines(of text: String, indent: String) -> [String] {
    if text.isEmpty { return [] }
    var lines = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines.map { line in
      let line =
        indent
        + line.replacing(#/(at most )?\d+ (bytes|KiB)/#) { size in
          size.output.1 == nil ? "N \(size.output.2)" : String(size.output.0)
        }.replacing(#/at byte \d+/#, with: "at byte N")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
