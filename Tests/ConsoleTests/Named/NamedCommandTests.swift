import Foundation
import Phrasing
import Testing

@testable import Console

/// The commands that messages, help and documentation name are valid commands of the console.
struct NamedCommandTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the contents of the files in the given folders whose names have the given ending.
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

  /// Strings that begin with the name of the program but are not commands.
  private static let others = [
    // Prefixes of hashed bytes, and the beginnings of files.
    "machine v1", "witness v1", "store v1", "file ", "reminded 1",
    // The version, and the description of the program.
    "\(SourceTexts.opening)number\(SourceTexts.closing) (", "keeps birthdays",
    // The usage of any command.
    "\(SourceTexts.opening)command.usage\(SourceTexts.closing)",
    "\(SourceTexts.opening)words.isEmpty",
  ]

  /// Returns the fault of a named command; nil if the command is valid.
  private static func fault(of command: NamedCommand) -> String? {
    guard let template = command.template, let words = command.words else {
      return "a quotation mark is not closed"
    }
    do throws(UsageFault) {
      let invocation = try CommandLineParser.parse(template)
      if let fault = Placeholders.fault(of: invocation) { return fault }
      // The demonstration takes a long time, and has a separate test.
      if invocation.command?.path == "demo" { return nil }
    } catch {
      if case .incomplete = error, command.isOpen { return nil }
      return "\(error)"
    }
    // A machine without a book refuses all commands that the grammar accepts.
    let outcome = Stage().run(words, shouldStop: { true })
    return outcome.code == .usage ? outcome.error : nil
  }

  @Test func `Named commands: every command in a message is valid`() throws {
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

  @Test func `Named commands: every command in the documentation is valid`() throws {
    let folders = ["docs", "Sources/Daybook/Daybook.docc"]
    let pages = try Self.files(in: folders, ending: ".md").filter {
      // The reference contains the usage of each command; its examples are checked with the catalog.
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

  /// Returns the commands in the code of a page: between backticks, and in lines of code.
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
  func `Named commands: an invalid command is found`(text: String) throws {
    let command = try #require(NamedCommand.all(in: text).first)
    #expect(Self.fault(of: command) != nil)
  }

  @Test func `Named commands: the string literals of a source file are found`() {
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

  @Test func `Named commands: the commands in text are found`() {
    let texts = [
      "'daybook' alone": [""],
      "'daybook undo' or \u{201C}daybook redo\u{201D}": ["undo", "redo"],
      "To set the next date, run 'daybook undone k7' and then 'daybook edit k7 --due DATE'.": [
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
