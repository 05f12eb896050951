import Foundation
import Phrasing
import Testing

@testable import Console

/// The commands that messages, help and documentation name, as the grammar of the console understands them.
struct NamedCommandTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The texts of the files below some folders whose names have an ending.
  private static func files(in folders: [String], ending: String) throws -> [(String, String)] {
    try folders.flatMap { folder in
      let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
      return try (files?.compactMap { $0 as? String } ?? []).sorted()
        .filter { $0.hasSuffix(ending) }.map { name in
          let file = root.appending(path: folder).appending(path: name)
          return ("\(folder)/\(name)", try String(contentsOf: file, encoding: .utf8))
        }
    }
  }

  private static let messages: Result<[(place: String, command: NamedCommand)], any Error> =
    Result {
      let folders = ["Console", "Phrasing", "Web", "Daybook"].map { "Sources/\($0)" }
      return try files(in: folders + ["Tools/daybook"], ending: ".swift").flatMap { file in
        guard file.1.contains("daybook") else { return [(String, NamedCommand)]() }
        return SourceTexts(file.1).texts.flatMap(NamedCommand.all)
          .filter { command in !Self.others.contains { command.text.hasPrefix($0) } }
          .map { (file.0, $0) }
      }
    }

  /// Texts that begin with the name of the program, and are no commands.
  private static let others = [
    // What is hashed, and the heads of files.
    "machine v1", "witness v1", "file ", "reminded 1",
    // The version, and what the program is.
    "0.1.0 (", "keeps birthdays",
    // The usage of any command.
    "\(SourceTexts.opening)command.usage\(SourceTexts.closing)",
    "\(SourceTexts.opening)words.isEmpty",
  ]

  /// What is wrong with the grammar of a command; nil if nothing is.
  private static func fault(of command: NamedCommand) -> String? {
    guard let template = command.template, let words = command.words else {
      return "a quotation mark is not closed"
    }
    do throws(UsageFault) {
      let invocation = try CommandLineParser.parse(template)
      if let fault = Placeholders.fault(of: invocation) { return fault }
      // A demonstration takes long, and has a test of its own.
      if invocation.command?.path == "demo" { return nil }
    } catch {
      if case .incomplete = error, command.isOpen { return nil }
      return "\(error)"
    }
    // A machine without a book refuses all commands that the grammar accepts.
    let outcome = Stage().run(words, shouldStop: { true })
    return outcome.code == .usage ? outcome.error : nil
  }

  @Test func `Named commands: every one in a message is a command of the grammar`() throws {
    let messages = try Self.messages.get()
    #expect(messages.count > 250)
    var known: Set<NamedCommand> = []
    for (place, command) in messages where known.insert(command).inserted {
      let fault = Self.fault(of: command)
      #expect(fault == nil, "\(place): daybook \(command.text): \(fault ?? "")")
    }
    for text in NamedCommand.special.keys {
      #expect(known.contains(NamedCommand(text: text)), "no message names \(text)")
    }
  }

  @Test func `Named commands: every one in the documentation is a command of the grammar`() throws {
    let folders = ["docs", "Sources/Daybook/Daybook.docc"]
    let pages = try Self.files(in: folders, ending: ".md").filter {
      // The reference has the usage of each command; the examples in it are checked with the catalog.
      !$0.0.hasSuffix("/Commands.md")
    }
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    var count = 0
    for (place, text) in pages + [("README.md", readme)] {
      for command in Self.commands(inPage: text) {
        count += 1
        let fault = Self.fault(of: command)
        #expect(fault == nil, "\(place): daybook \(command.text): \(fault ?? "")")
      }
    }
    #expect(count > 80)
  }

  /// The commands in the code of a page: between backticks, and in lines of code.
  private static func commands(inPage text: String) -> [NamedCommand] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [NamedCommand] in
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { return NamedCommand.all(in: String(line)) }
      let spans = line.split(separator: "`", omittingEmptySubsequences: false)
      return spans.enumerated().filter { $0.offset % 2 == 1 }.flatMap { span in
        // `daybook add` names five commands.
        span.element == "daybook add" ? [] : NamedCommand.all(in: String(span.element))
      }
    }
  }

  @Test(arguments: [
    "'daybook devise admit phone' is no command", "run 'daybook sync --dryrun'",
    "'daybook merge k7' makes them one", "to repeat it: daybook redo 3 4",
    "'daybook add choice NAME QUESTION' adds one", "'daybook peer rename NEWNAME NAME'",
    "'daybook device revoke' ends it", "'daybook verify --repair'",
    "'daybook edit ID --titel TEXT'",
    "'daybook log --by TIME'", "'daybook resolve k7 due --take'", "daybook lsit todos",
    "'daybook at TIME undo'", "'daybook undo \"k7'",
  ])
  func `Named commands: a wrong one is found`(text: String) throws {
    let command = try #require(NamedCommand.all(in: text).first)
    #expect(Self.fault(of: command) != nil)
  }

  @Test func `Named commands: the texts of a source are found`() {
    let source = ##"""
      // "a comment"
      let a = "run 'daybook sync "
        + "\(name.quoted) --admit' or \(x ? "daybook peers" : "") then"  // "b"
      let c = """
        To undo, \
        run: daybook undo "\(id)"
        """
      let d = #"it's 'daybook \(e) \#(f)'"#
      """##
    #expect(
      SourceTexts(source).texts == [
        "daybook peers", "",
        "run 'daybook sync \u{1}name.quoted\u{2} --admit' or "
          + "\u{1}x ? \"\" : \"\"\u{2} then",
        "\nTo undo, run: daybook undo \"\u{1}id\u{2}\"\n", #"it's 'daybook \(e) "# + "\u{1}f\u{2}'",
      ])
    #expect(
      SourceTexts(source).texts.flatMap(NamedCommand.all).map(\.text) == [
        "peers", "sync \u{1}name.quoted\u{2} --admit", "undo \"\u{1}id\u{2}\"",
        #"\(e) "# + "\u{1}f\u{2}",
      ])
  }

  @Test func `Named commands: the commands of a text are found`() {
    let texts = [
      "'daybook' alone": [""],
      "'daybook undo' or \u{201C}daybook redo\u{201D}": ["undo", "redo"],
      "For the next: daybook undone k7, then daybook edit k7 --due DATE": [
        "undone k7", "edit k7 --due DATE",
      ],
      "'daybook peer rename \"Ada's\" b' renames": ["peer rename \"Ada's\" b"],
      "not was written by daybook. Move /var/daybook away": [],
      "usage: daybook add todo TITLE": [],
    ]
    for (text, commands) in texts {
      #expect(NamedCommand.all(in: text).map(\.text) == commands, "\(text)")
    }
  }
}
