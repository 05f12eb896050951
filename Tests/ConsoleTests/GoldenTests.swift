import Foundation
import Testing

@testable import Console

/// Transcripts of the whole output, in text files whose diffs show each change to the wording.
///
/// With `DAYBOOK_GOLDEN=write`, the files are rewritten: their scripts stay, and their answers are replaced.
struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")
  private static let isWriting =
    ProcessInfo.processInfo.environment["DAYBOOK_GOLDEN"] == "write"

  private static let names = [
    "birthdays", "conflicts", "devices", "errors", "files", "first-steps", "health", "help",
    "history", "proofs", "questions", "repeats", "search-and-lists", "sync", "to-dos", "undo",
  ]

  private static func text(of name: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(name).txt"), encoding: .utf8)
  }

  /// Returns the script of a file; the script of the help follows the table of commands.
  private static func script(of name: String, _ text: String) -> [String] {
    guard name == "help" else { return Transcript.script(of: text) }
    let topics = ["", "at"] + Help.topics + CommandCatalog.table.all.map(\.path)
    return Transcript.script(of: text).filter { $0.hasPrefix("#") }
      + topics.map { $0.isEmpty ? "$ daybook help" : "$ daybook help \($0)" }
  }

  @Test(arguments: names)
  func `Golden file: the program gives the answers in the transcript`(name: String) throws {
    let old = try Self.text(of: name)
    let new = try Transcript.play(Self.script(of: name, old))
    if Self.isWriting {
      let file = Self.folder.appending(path: "\(name).txt")
      return try Data(new.utf8).write(to: file)
    }
    let (before, now) = (Self.lines(old), Self.lines(new))
    let place = zip(before, now).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let isSame = old == new
    #expect(
      isSame,
      """
      Golden/\(name).txt, line \((place ?? min(before.count, now.count)) + 1):
      \(Self.excerpt(before, place))
      is now:
      \(Self.excerpt(now, place))
      If this change is intended, run: DAYBOOK_GOLDEN=write swift test --filter GoldenTests
      """)
  }

  @Test func `Golden file: the folder contains exactly the transcripts that are played`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    #expect(files.sorted() == Self.names.map { $0 + ".txt" })
  }

  @Test func `Golden file: a transcript has its script, both outputs and the exit code`() throws {
    let text = """
      # Two commands
      $ daybook --version
        old words
      phone$ daybook list todos
      """
    let played = try Transcript.play(Transcript.script(of: text))
    #expect(
      played == """
        # Two commands

        $ daybook --version
          daybook 0.1.0 (journal format 1)

        phone$ daybook list todos
        ! daybook: there is no book in /home/ada/phone.
        ! Your first 'daybook add …' creates one; 'daybook join' joins an existing one.
        = 1 refused

        """)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func excerpt(_ lines: [Substring], _ place: Int?) -> String {
    lines.dropFirst(place ?? lines.count).prefix(3).joined(separator: "\n")
  }
}
