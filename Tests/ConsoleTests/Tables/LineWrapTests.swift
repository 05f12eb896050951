import Phrasing
import Testing

@testable import Console

/// The width of help, usage and errors.
struct LineWrapTests {
  private static let widths: [(terminal: Int?, columns: Int)] = [(60, 60), (nil, 80), (200, 100)]

  @Test func `Help: usage is wrapped between options, and continues below the command`() {
    let usage =
      "usage: daybook list todos [--list NAME] [--open] [--done] [--all] [--priority P] [--due WHEN]"
    #expect(
      LineWrap(fitting: nil).wrapped([usage]) == [
        "usage: daybook list todos [--list NAME] [--open] [--done] [--all] [--priority P]",
        "               [--due WHEN]",
      ])
    #expect(
      LineWrap(fitting: 40).wrapped([usage]) == [
        "usage: daybook list todos [--list NAME]", "               [--open] [--done] [--all]",
        "               [--priority P]", "               [--due WHEN]",
      ])
    #expect(LineWrap(fitting: 120).wrapped([usage]) == [usage])
  }

  @Test func `Help: the meaning of an option continues in its column`() {
    #expect(
      LineWrap(fitting: 40).wrapped(["  --held  List the held erasures, those by other devices."])
        == ["  --held  List the held erasures, those", "          by other devices."])
  }

  @Test func `Help: a remark continues as a remark, and an example stays whole`() {
    let remark = "  remind.lead = 7,1,0  # days before a birthday to remind of it"
    #expect(
      LineWrap(fitting: 48).wrapped([remark]) == [
        "  remind.lead = 7,1,0  # days before a birthday",
        "                       # to remind of it",
      ])
    let example = "  daybook add todo \"Buy Eggos\" --list Home --priority high"
    #expect(LineWrap(fitting: 20).wrapped([example]) == [example])
  }

  @Test(arguments: widths)
  func `Help: no line is wider than the terminal or 100 columns, and options stay whole`(
    terminal: Int?, columns: Int
  ) throws {
    let help = Help(CommandCatalog.table)
    let topics = CommandCatalog.all.map(\.words) + Help.topics.map { [$0] } + [[], ["at"]]
    for words in topics {
      let lines = try help.lines(about: words)
      let wrapped = LineWrap(fitting: terminal).wrapped(lines)
      for line in wrapped where !line.hasPrefix("  daybook ") && !line.hasPrefix("daybook ") {
        #expect(TextWidth.columns(of: line) <= columns, "\(line)")
      }
      // No word is lost.
      #expect(
        wrapped.joined(separator: " ").split(separator: " ").filter { $0 != "#" }
          == lines.joined(separator: " ").split(separator: " ").filter { $0 != "#" })
    }
    for command in CommandCatalog.all {
      for line in LineWrap(fitting: terminal).wrapped(["usage: daybook \(command.usage)"]) {
        #expect(line.count { $0 == "[" } == line.count { $0 == "]" }, "\(line)")
      }
    }
  }

  @Test func `Errors: they fit the terminal, and elsewhere sentences stay on one line`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    let words = ["show", "nobody"]
    let piped = "daybook: nothing is called 'nobody'. 'daybook search TEXT' searches all records.\n"
    #expect(stage.run(words).error == piped)
    let shown = stage.run(
      words,
      adjust: { environment in
        environment.streams.isErrorTerminal = true
        environment.streams.size = (50, 24)
      })
    #expect(
      shown.error == """
        daybook: nothing is called 'nobody'.
        'daybook search TEXT' searches all records.

        """)
  }

  @Test func `Errors: usage is wrapped`() {
    let outcome = Stage().run("add", "todo")
    #expect(outcome.code == .usage)
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.starts(with: ["daybook: TITLE is missing."]))
    #expect(lines[1].hasPrefix("usage: daybook add todo TITLE "))
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("               ") } && lines.count > 2)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
