import Bytes
import Domain
import Phrasing
import Platform
import Synchronization
import Testing

@testable import Console

/// The effect of the terminal, options and environment variables on the output.
struct TerminalTests {
  /// Runs a command with a terminal of the given size as output.
  private func run(
    _ stage: Stage, _ words: [String], columns: Int = 40, lines: Int = 24,
    environment: [String: String] = ["NO_COLOR": "1"],
    page: @escaping @Sendable (String, String) -> Bool = { _, _ in false }
  ) -> Stage.Outcome {
    stage.run(
      words, environment: environment,
      adjust: { environment in
        environment.streams.isOutputTerminal = true
        environment.streams.size = (columns, lines)
        environment.process.page = page
      })
  }

  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home", "--colour", "#3366cc")
    let title = "Find out who has taken all of the good pencils"
    _ = stage.answer("add", "todo", title, "--list", "Home", "--tag", "desk", "--priority", "high")
    _ = stage.answer("add", "todo", "Rest", "--list", "Home", "--due", "2026-11-01")
    _ = stage.answer("add", "todo", "Paid", "--list", "Home", "--priority", "low")
    _ = stage.answer("done", "paid")
    return stage
  }

  /// Returns the rows without their random ids.
  private func rows(_ outcome: Stage.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 1).dropFirst().joined()
    }
  }

  @Test func `Terminal: rows are cut to its width, and are complete in other output`() {
    let stage = stage()
    let narrow = run(stage, ["list", "todos", "--all"], columns: 78)
    #expect(
      rows(narrow) == [
        " [ ]  !!!  Find out who has taken all of the good…  Home  #desk",
        " [ ]       Rest                                     Home         2026-11-01",
        " [x]  !    Paid                                     Home",
      ])
    #expect(narrow.output.split(separator: "\n").allSatisfy { $0.count <= 78 })
    #expect(stage.answer("list", "todos").contains("all of the good pencils  Home  #desk\n"))
  }

  @Test func `Terminal: a wide table shrinks at its widest column`() {
    let rows: [[Cell]] = [["ab", "山田山田山田山田山田", "x"], ["a", "short", "some more words"]]
    #expect(
      Table.lines(rows, fitting: 60) == [
        "ab  山田山田山田山田山田  x", "a   short                 some more words",
      ])
    #expect(
      Table.lines(rows, fitting: 35) == ["ab  山田山田山田…   x", "a   short           some more words"])
    #expect(Table.lines(rows, fitting: 10) == ["ab  …   x", "a   s…  s…"])
    #expect(TextWidth.cut("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
  }

  @Test func `Terminal: --plain separates complete fields by tabs`() {
    let stage = stage()
    let plain = run(stage, ["list", "todos", "--plain", "--all"])
    #expect(
      plain.output.split(separator: "\n").map { $0.split(separator: "\t").dropFirst() } == [
        ["[ ]", "!!!", "Find out who has taken all of the good pencils", "Home", "#desk"],
        ["[ ]", "Rest", "Home", "due Sun 2026-11-01 (19 days ago)"],
        ["[x]", "!", "Paid", "Home"],
      ])
    #expect(plain.output.split(separator: "\n").allSatisfy { $0.count { $0 == "\t" } == 6 })
    #expect(!stage.answer("log", "--plain").contains("  "))
    #expect(stage.answer("where", "--plain").hasPrefix("book\t/home/ada/"))
  }

  static let wishes: [(words: [String], environment: [String: String], isPainted: Bool)] = [
    ([], [:], true), (["--no-color"], [:], false), (["--color=never"], [:], false),
    ([], ["NO_COLOR": "1"], false), ([], ["NO_COLOR": ""], true), ([], ["TERM": "dumb"], false),
    (["--color"], ["NO_COLOR": "1"], true), (["--color=always"], ["TERM": "dumb"], true),
    (["--color=auto"], ["NO_COLOR": "1"], false), ([], ["FORCE_COLOR": "1", "TERM": "dumb"], true),
    ([], ["FORCE_COLOR": "0"], true), ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
  ]

  @Test(arguments: wishes)
  func `Terminal: colours follow options, then environment, then terminal`(
    words: [String], environment: [String: String], isPainted: Bool
  ) {
    let outcome = run(stage(), ["list", "todos"] + words, environment: environment)
    #expect(outcome.output.contains("\u{1B}[31m!!!\u{1B}[0m") == isPainted)
  }

  @Test func `Terminal: colours can be forced, and an invalid value is refused`() {
    let stage = stage()
    let forced = stage.run("list", "todos", "--all", environment: ["CLICOLOR_FORCE": "1"])
    #expect(forced.output.contains("\u{1B}[2;9mPaid\u{1B}[0m"))
    #expect(
      stage.run("list", "todos", "--color=red")
        == .init(
          code: .usage, output: "",
          error: "daybook: '--color' cannot be 'red'. Use auto, always or never.\n"))
  }

  @Test func `Terminal: with 24-bit colour, rows of a list are shaded in its colour`() {
    let stage = stage()
    let colours = ["COLORTERM": "truecolor"]
    let shaded = run(
      stage, ["list", "todos", "--list", "home", "--all"], columns: 120, environment: colours)
    let title = "Find out who has taken all of the good pencils"
    let rest = "Rest" + String(repeating: " ", count: title.count - 4)
    #expect(shaded.output.contains("\u{1B}[38;2;255;255;255;48;2;51;102;204m\(title)\u{1B}[0m"))
    #expect(shaded.output.contains("\u{1B}[38;2;255;255;255;48;2;41;82;163m\(rest)\u{1B}[0m"))
    #expect(shaded.output.contains("\u{1B}[9;38;2;255;255;255;48;2;31;61;122mPaid"))
    // Without 24-bit colour, and for to-dos on several lists, the rows have no background.
    #expect(
      !run(stage, ["list", "todos", "--list", "home"], environment: [:]).output.contains("48;2"))
    #expect(!run(stage, ["list", "todos"], environment: colours).output.contains("48;2"))
  }

  @Test func `Terminal: with 24-bit colour, lists are shown in their colours`() {
    let stage = stage()
    _ = stage.answer("add", "list", "Plain")
    _ = stage.answer("edit", "Plain", "--colour", "")
    let shaded = run(stage, ["list", "lists"], environment: ["COLORTERM": "truecolor"])
    #expect(
      rows(shaded) == [
        " \u{1B}[38;2;255;255;255;48;2;51;102;204mHome \u{1B}[0m  #3366cc  2 of 3 open",
        " Plain           0 of 0 open",
      ])
    #expect(!run(stage, ["list", "lists"], environment: [:]).output.contains("48;2"))
  }

  @Test func `Terminal: found records have the check marks, lists and colours of lists`() {
    let stage = stage()
    _ = stage.answer("add", "todo", "Rest at home")
    let colours = ["COLORTERM": "truecolor"]
    #expect(
      rows(run(stage, ["search", "rest"], columns: 120, environment: [:])) == [
        " todo  [ ]  Rest          Home", " todo  [ ]  Rest at home",
      ])
    let home = "\u{1B}[38;2;255;255;255;48;2;51;102;204mHome\u{1B}[0m"
    #expect(
      rows(run(stage, ["search", "home"], columns: 120, environment: colours)) == [
        " list       \(home.replacing("Home", with: "Home        "))", " todo  [ ]  Rest at home",
      ])
    let found = run(stage, ["search", "paid"], columns: 120, environment: colours)
    #expect(rows(found) == [" todo  [x]  \u{1B}[2;9mPaid\u{1B}[0m  \(home)"])
    // The rows of one list are shaded, and do not repeat its name.
    let words = ["search", "paid", "--list", "home"]
    #expect(
      rows(run(stage, words, columns: 120, environment: colours)) == [
        " todo  [x]  \u{1B}[9;38;2;255;255;255;48;2;51;102;204mPaid\u{1B}[0m"
      ])
  }

  @Test func `Terminal: text contrasts with every background`() {
    for (ground, letters) in [
      (0xFFFFFF, "0;0;0"), (0, "255;255;255"), (0xFFFF00, "0;0;0"), (0x0000FF, "255;255;255"),
      (0x767676, "0;0;0"), (0x747474, "255;255;255"), (0xFF0000, "0;0;0"),
      (0xCC0000, "255;255;255"),
    ] as [(Int64, String)] {
      let code = Style.shaded(ground, isStruck: false).code
      #expect(
        code?.hasPrefix("38;2;\(letters);48") == true, "\(String(ground, radix: 16)): \(code ?? "")"
      )
    }
    #expect(
      (0..<3).map { Int64(0x64C8FF).shade(ofRow: $0, among: 3) } == [0x64C8FF, 0x50A0CC, 0x3C7899])
  }

  @Test func `Terminal: an empty list suggests the first command`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?")
    for (words, hint) in [
      (["list", "todos"], "no such to-dos. To add one, run 'daybook add todo TITLE'."),
      (
        ["list", "birthdays"], "no birthdays yet. To add one, run 'daybook add birthday NAME DATE'."
      ),
      (["list", "lists"], "no lists yet. To add one, run 'daybook add list NAME'."),
      (["list", "choices"], "no choices yet. To add one, run 'daybook add choice QUESTION NAME'."),
      (["list", "picks", "lunch"], "no picks yet. To draw one, run 'daybook pick lunch'."),
      (["search", "x"], "nothing found."),
    ] {
      #expect(run(stage, words) == .init(code: .done, output: "", error: "daybook: \(hint)\n"))
      #expect(stage.run(words) == .init(code: .done, output: "", error: ""))
    }
  }

  @Test func `Terminal: output longer than the screen goes to an available pager`() {
    let stage = Stage()
    for number in 1...30 { _ = stage.answer("add", "todo", "n\(number)") }
    let paged = Mutex<[(String, Int)]>([])
    @Sendable func page(_ command: String, _ text: String) -> Bool {
      paged.withLock { $0.append((command, text.split(separator: "\n").count)) }
      return command != "missing"
    }
    func shown(_ words: [String], _ environment: [String: String] = [:], lines: Int = 24) -> Int {
      run(stage, words, lines: lines, environment: environment, page: page)
        .output.split(separator: "\n").count
    }
    #expect(shown(["list", "todos"]) == 0)
    #expect(shown(["list", "todos"], ["PAGER": "more"]) == 0)
    #expect(shown(["list", "todos"], ["PAGER": "more", "DAYBOOK_PAGER": "most"]) == 0)
    #expect(shown(["list", "todos"], ["PAGER": "missing"]) == 30)
    #expect(
      paged.withLock { $0.map(\.0) } == ["less -FIRX", "more", "most", "missing"]
        && paged.withLock { $0.allSatisfy { $0.1 == 30 } })
    #expect(shown(["list", "todos"], lines: 31) == 30)
    #expect(shown(["list", "todos", "--no-pager"]) == 30)
    #expect(shown(["list", "todos"], ["PAGER": "cat"]) == 30)
    #expect(shown(["list", "todos"], ["TERM": "dumb"]) == 30)
    #expect(shown(["list", "todos", "--plain"]) == 30)
    #expect(stage.answer("list", "todos").split(separator: "\n").count == 30)
    #expect(paged.withLock { $0.count } == 4)
  }

  @Test func `Terminal: --no-input refuses instead of asking`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run(
      ["erase", "mop", "--no-input"],
      adjust: { environment in
        environment.streams.isInputTerminal = true
        environment.streams.readAnswer = { "y" }
      })
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("--yes"), "\(outcome.error)")
    #expect(stage.answer("list", "todos").contains("Mop"))
  }

  @Test func `Terminal: --zone determines the day`() {
    let stage = Stage()
    for (zone, day) in [
      ("-11:00", "Thu 2026-11-19"), ("+14", "Fri 2026-11-20"), ("utc", "Fri 2026-11-20"),
    ] {
      let added = stage.answer("add", "todo", "Mop", "--due", "today", "--zone", zone)
      #expect(added.hasSuffix(" Mop, due \(day) (today).\n"), "\(added)")
    }
    #expect(
      stage.run("list", "todos", "--zone", "Berlin")
        == .init(
          code: .refused, output: "",
          error:
            "daybook: the zone cannot be 'Berlin'. Use an offset such as +02:00, or set TZ for "
            + "this command.\n"))
  }

  @Test(arguments: -11...14)
  func `Terminal: the day begins at midnight of its zone`(hours: Int64) throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada", "1815-11-24")
    let day = Int64(try #require(try CivilDate(year: 2026, month: 11, day: 24).epochDay))
    let midnight = day * 86_400_000 - hours * 3_600_000
    for (moment, words) in [(midnight - 1000, "turns 211 tomorrow"), (midnight, "turns 211 today")]
    {
      let outcome = stage.run(
        ["upcoming", "--zone", hours < 0 ? "\(hours)" : "+\(hours)"],
        environment: ["DAYBOOK_NOW": Instant.text(moment)])
      #expect(outcome.output.hasSuffix("  Ada  \(words)\n"), "\(outcome)")
    }
  }

  @Test func `Terminal: a misspelt name gets a suggestion`() {
    let stage = stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    for (words, sentence) in [
      (["show", "lovelase"], "nothing is called 'lovelase'. Did you mean 'Ada Lovelace'?"),
      (
        ["done", "pensils"],
        "no to-do is called 'pensils'. Did you mean 'Find out who has taken all of the good pencils'?"
      ),
      (["list", "todos", "--list", "Hoem"], "no list is called 'Hoem'. Did you mean 'Home'?"),
      (["list", "todos", "--list", "Hme"], "no list is called 'Hme'. Did you mean 'Home'?"),
      (["show", "xyz"], "nothing is called 'xyz'. 'daybook search TEXT' searches all records."),
    ] {
      #expect(
        stage.run(words) == .init(code: .refused, output: "", error: "daybook: \(sentence)\n"))
    }
  }

  @Test func `Terminal: all environment variables are documented`() throws {
    let told = try Help(CommandCatalog.table).lines(about: ["environment"])
    for variable in Variable.allCases {
      #expect(told.contains { $0.hasPrefix("\(variable.rawValue) ") }, "\(variable)")
    }
  }

  /// A title with control characters: it clears the screen, sets the window title and reverses the text direction.
  private static let harmful = "a\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}b"

  @Test(arguments: ["ops", "vcf", "ics", "csv", "todotxt", "taskwarrior", "markdown"])
  func `Terminal: an export is escaped on a terminal and exact in a pipe`(
    format: String
  ) {
    let stage = Stage()
    _ = stage.answer("add", "todo", Self.harmful)
    _ = stage.answer("add", "birthday", Self.harmful, "1815-12-10")
    let words = ["export", "--format", format]
    let piped = stage.run(words).output
    let shown = run(stage, words).output
    #expect(piped.unicodeScalars.contains("\u{202E}"))
    #expect(!shown.unicodeScalars.contains { $0 != "\n" && String($0).visible != String($0) })
    #expect(shown.split(separator: "\n").count == piped.split { $0.isNewline }.count)
  }

  @Test(arguments: [
    ["list", "todos", "--json"], ["list", "birthdays", "--json"], ["log", "--json"],
  ])
  func `Terminal: JSON is escaped but equivalent`(words: [String]) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", Self.harmful)
    _ = stage.answer("add", "birthday", Self.harmful, "1815-12-10")
    let (piped, shown) = (stage.run(words).output, run(stage, words).output)
    #expect(piped.unicodeScalars.contains("\u{202E}"))
    #expect(!shown.unicodeScalars.contains { $0 != "\n" && String($0).visible != String($0) })
    #expect(try JSON(parsing: Array(shown.utf8)) == JSON(parsing: Array(piped.utf8)))
  }
}
