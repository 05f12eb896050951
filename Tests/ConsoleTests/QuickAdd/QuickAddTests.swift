import Bytes
import Console
import Phrasing
import Testing

/// To-dos that are added with a few words, on Friday, 2026-11-20.
struct QuickAddTests {
  /// Returns the to-dos in the order of their addition: title, tags, due date and priority.
  private func todos(_ stage: Stage, _ filter: String...) throws -> [String] {
    let words = ["list", "todos", "--sort", "creation", "--json"] + filter
    let json = try JSON(parsing: Array(stage.run(words).output.utf8))
    return try #require(json.array).map { todo in
      let tags = (todo["tags"]?.array ?? []).compactMap(\.string).map { "#\($0)" }
      let priority = todo["priority"]?.string ?? ""
      let parts = [todo["title"]?.string] + tags + [todo["due"]?.string]
      return (parts.compactMap(\.self) + (priority == "normal" ? [] : [priority]))
        .joined(separator: "|")
    }
  }

  @Test(arguments: [
    (["Buy", "milk", "+food", "due:fri"], "Buy milk|#food|2026-11-27"),
    (["C++ +food"], "C++ +food"),
    (["Move", "monitor"], "Move monitor"),
    (["+food", "Buy", "milk"], "Buy milk|#food"),
    (["Buy", "+food,shop", "milk", "+food"], "Buy milk|#food|#shop"),
    (["Party", "+🎉"], "Party|#🎉"),
    (["Call", "+49", "123"], "Call +49 123"),
    (["Learn", "C++"], "Learn C++"),
    (["Pay", "rent", "!high"], "Pay rent|high"),
    (["Pay", "rent", "!LOW", "Due:tomorrow"], "Pay rent|2026-11-21|low"),
    (["Wow", "!!!"], "Wow !!!"),
    (["Read", "due:someday"], "Read|#someday"),
    (["Fix", "due:", "it"], "Fix due: it"),
    (["Pay", "rent", "-d", "fri", "-p", "high", "-t", "bank"], "Pay rent|#bank|2026-11-27|high"),
    (["-d", "fri", "Pay", "rent"], "Pay rent|2026-11-27"),
    (["--tag", "bank", "todo", "Pay", "rent"], "Pay rent|#bank"),
    (["todo", "Pay", "rent", "+bank"], "Pay rent|#bank"),
    (["--", "list", "of", "books"], "list of books"),
    (["--", "+food", "due:fri", "--x"], "+food due:fri --x"),
    (["Buy", "milk", "--", "+food"], "Buy milk +food"),
    (["-d", "fri", "--", "todo", "list"], "todo list|2026-11-27"),
    (["list of books"], "list of books"),
    (["pick", "up", "kids"], "pick up kids"),
    (["Ask", "@alice", "repeat:daily"], "Ask @alice|2026-11-20"),
    (["Bins", "due:2026-11-19", "repeat:weekly", "start:-2d"], "Bins|2026-11-19"),
    (["Bins", "Repeat:mon,thu"], "Bins|2026-11-23"),
    (["start:fri repeat:daily"], "start:fri repeat:daily"),
    (["Buy", "stamps", "due:next friday"], "Buy stamps|2026-11-27"),
    (["Ring", "due:fri 5pm", "bank"], "Ring bank|2026-11-27"),
    (["Send", "invoice", "!high", "due:1st", "09:00"], "Send invoice|2026-12-01|high"),
    (["Bins", "repeat:every mon"], "Bins|2026-11-23"),
    (["Bins", "repeat:2 weeks"], "Bins|2026-11-20"),
    (["Buy", "due:fri", "7", "eggs"], "Buy 7 eggs|2026-11-27"),
    (["Read", "due:fri report"], "Read due:fri report"),
  ])
  func `Quick add: words after add are a title, and tokens set fields`(
    words: [String], expected: String
  ) throws {
    let stage = Stage()
    let outcome = stage.run(["add"] + words)
    #expect(outcome.code == .done, "\(outcome.error)")
    #expect(try todos(stage) == [expected])
  }

  @Test(arguments: [
    (["Buy", "due:blursday"], ExitCode.refused, "cannot read date 'blursday'"),
    (["Bins", "repeat:often"], .refused, "cannot read 'often' as a repeat rule."),
    (["Bins", "start:blursday"], .refused, "cannot read date 'blursday'"),
    (["Bins", "repeat:daily", "--repeat", "weekly"], .usage, "'--repeat' and 'repeat:daily'"),
    (["Buy", "!high", "!low"], .usage, "'!high' and '!low' contradict each other."),
    (["Buy", "!high", "!high"], .usage, "'!high' is given twice."),
    (["Buy", "due:fri", "-d", "sat"], .usage, "'--due' and 'due:fri' contradict each other."),
    (["+food", "due:fri"], .usage, "TITLE is missing"),
    (["--"], .usage, "TITLE is missing"),
    ([], .usage, "'add' needs the title of a to-do, or one of: birthday, todo, list"),
    (["\u{200B}"], .refused, "a to-do needs a title"),
    (["\u{2800}"], .refused, "a to-do needs a title"),
    (["Buy", "milk", "-due", "fri"], .usage, "unknown option '-due'. Did you mean '--due'?"),
    (["-d", "fri", "list", "Home"], .usage, "unknown option '--due'."),
  ])
  func `Quick add: an unreadable value is refused before anything is written`(
    words: [String], code: ExitCode, part: String
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run(["add"] + words)
    #expect(outcome.code == code)
    #expect(outcome.error.contains(part), "\(outcome.error)")
    #expect(try todos(stage) == ["Mop"])
  }

  @Test(arguments: ["tood", "Todo", "lists", "lost", "questoin", "birthdya", "choices"])
  func `Quick add: a word one letter off a kind is refused with both commands`(
    word: String
  ) throws {
    let stage = Stage()
    let outcome = stage.run("add", word, "x y", "-t", "a")
    let kind = ["tood", "Todo"].contains(word) ? "todo" : nil
    #expect(outcome.code == .usage)
    let commands = outcome.error.split(separator: "\n").suffix(2)
    #expect(commands.last == "  daybook add todo \(word) \"x y\" -t a")
    if let kind { #expect(commands.first == "  daybook add \(kind) \"x y\" -t a") }
    try stage.follow("add todo \(word)", in: outcome)
    #expect(try todos(stage) == ["\(word) x y|#a"])
  }

  @Test func `Quick add: in an argument with a blank or after dashes, a kind is not suspected`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "lists of books")
    _ = stage.answer("add", "--", "todos", "of", "Ada")
    #expect(try todos(stage) == ["lists of books", "todos of Ada"])
  }

  @Test func `Quick add: an existing list is found in any case, and other names stay in the title`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "list", "Caf\u{E9}")
    #expect(stage.answer("add", "Mop", "@home").hasSuffix("Mop, in list Home.\n"))
    #expect(stage.answer("add", "Drink", "@CAFE\u{301}").contains("in list Caf"))
    let unknown = stage.run("add", "Dig", "@garden")
    #expect(
      unknown.error
        == "daybook: '@garden' stays in the title, because no list has that name. '-l garden' would make one.\n"
    )
    let misspelt = stage.run("add", "Sweep", "stairs", "@hom", "+broom")
    try stage.follow("edit", in: misspelt)
    #expect(try todos(stage, "-l", "Home") == ["Mop", "Sweep stairs|#broom"])
    #expect(try todos(stage).contains("Dig @garden"))
    #expect(stage.run("add", "@home").error.contains("'daybook add -- \"@home\"'"))
    try stage.follow("add", in: stage.run("add", "@home"))
    #expect(try todos(stage).contains("@home"))
  }

  @Test func `Quick add: two lists contradict each other`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "list", "Work")
    #expect(stage.run("add", "Mop", "@home", "@work").error.contains("'@home' and '@work' contra"))
    #expect(stage.run("add", "Mop", "@home", "-l", "Work").error.contains("'--list' and '@home'"))
    _ = stage.answer("add", "Mop", "@garden", "-l", "Work")
    #expect(try todos(stage) == ["Mop @garden"])
    _ = stage.run("add", "list", "Home")
    let unclear = stage.run("add", "Mop", "@home")
    #expect(unclear.code == .refused)
    #expect(unclear.error.contains("2 lists have that name; choose one by its id, as in '-l "))
  }

  @Test
  func `Quick add: a quoted list stays in the title, and the command for the list is offered`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home improvement")
    let added = stage.run("add", "Buy", "paint", "@Home improvement")
    #expect(try todos(stage) == ["Buy paint @Home improvement"])
    #expect(added.error.contains("stays in the title, because it contains a space."))
    try stage.follow("edit", in: added)
    #expect(try todos(stage, "-l", "Home improvement") == ["Buy paint"])
    #expect(stage.run("add", "@Home improvement").error == "")
  }

  @Test(
    "Quick add: words that look like fields stay in the title, and one command moves them",
    arguments: [
      (["Send", "it", "time:09:00", "due:fri"], "Send it|2026-11-27", "09:00"),
      (["Call", "p:high"], "Call|high", ""),
      (["Call", "priority:H", "#home"], "Call|#home|high", ""),
      (["Call", "!h"], "Call|high", ""), (["Report +work due:fri"], "Report|#work|2026-11-27", ""),
      (["Ring", "bank", "tomorrow", "5pm"], "Ring bank|2026-11-21", "17:00"),
      (["Ring", "#bank", "tomorrow"], "Ring|#bank|2026-11-21", ""),
    ])
  func hints(words: [String], expected: String, time: String) throws {
    let stage = Stage()
    let added = stage.run(["add"] + words)
    let notes = added.error.split(separator: "\n").filter { $0.contains("daybook edit") }
    #expect(notes.count == 1, "\(added.error)")
    #expect(try todos(stage).first?.hasPrefix(expected) == false)
    try stage.follow("edit", in: added)
    #expect(try todos(stage) == [expected])
    let shown = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    #expect(shown.array?.first?["dueTime"]?.string ?? "" == time)
  }

  @Test(arguments: [
    ["Fix", "#12"], ["Learn", "C#"], ["Wow", "!!!"], ["--", "Call", "#home"], ["Meet", "p:9"],
    ["Read", "time:travel"], ["#home"],
  ])
  func `Quick add: words that only resemble fields are not pointed out`(words: [String]) {
    #expect(Stage().run(["add"] + words).error.contains("stay") == false)
  }

  @Test(arguments: [
    (["Call", "plumber", "tomorrow"], "2026-11-21"), (["Call plumber next friday"], "2026-11-27"),
    (["Call", "plumber", "on", "24", "dec"], "2026-12-24"),
    (["Call", "plumber", "+3d"], "2026-11-23"),
  ])
  func `Quick add: if the title ends in a date, the receipt offers the command that sets it`(
    words: [String], due: String
  ) throws {
    let stage = Stage()
    let added = stage.run(["add"] + words)
    let title = words.joined(separator: " ")
    #expect(try todos(stage) == [title])
    #expect(added.error.contains("the title ends in a date. To set it, run: daybook edit "))
    try stage.follow("edit", in: added)
    #expect(try todos(stage) == ["Call plumber|\(due)"])
  }

  @Test(arguments: [
    ["Move", "monitor"], ["tomorrow"], ["Read", "1984"], ["Open", "24/7"], ["Pay", "3/4"],
    ["Cable", "10m"], ["Fix", "2w"], ["Water", "every", "plant"],
    ["Water", "plants", "every", "monday", "--repeat", "weekly"], ["Water plants", "repeat:daily"],
    ["Call", "tomorrow", "-d", "fri"], ["--", "Call", "tomorrow"],
  ])
  func `Quick add: nothing is offered if the title does not end in a date, or a date is set`(
    words: [String]
  ) {
    let stage = Stage()
    _ = stage.answer("add", "Zip")
    #expect(stage.run(["add"] + words).error == "")
  }

  @Test(arguments: [
    (["Water", "plants", "every", "monday"], "FREQ=WEEKLY;BYDAY=MO"),
    (["Pay rent each 1st until 2027-06-30"], "FREQ=MONTHLY;BYMONTHDAY=1;MISSED=KEEP"),
    (["Blumen", "jeden", "Tag"], "FREQ=DAILY"),
  ])
  func `Quick add: if the title ends in a repeat, the receipt offers the command that sets it`(
    words: [String], rule: String
  ) throws {
    let stage = Stage()
    let added = stage.run(["add"] + words)
    #expect(added.error.contains("the title ends in a repeat. To set it, run: daybook edit "))
    try stage.follow("edit", in: added)
    let list = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    #expect(list.array?.first?["repeat"]?["rule"]?.string == rule)
  }

  @Test func `Quick add: titles that differ in normalisation are the same`() throws {
    let stage = Stage()
    _ = stage.answer("add", "Caf\u{E9}")
    let added = stage.run("add", "Cafe\u{301}")
    #expect(added.error.contains("has this name. To merge the two, run 'daybook merge "))
    try stage.follow("merge", in: added)
    #expect(stage.run("done", "Caf\u{E9}").code == .done)
  }

  @Test func `Quick add: short options filter lists and edit records`() throws {
    let stage = Stage()
    _ = stage.answer("add", "Mop", "-l", "Home", "-t", "floor", "-p", "high", "-d", "fri")
    _ = stage.answer("add", "Dig")
    for words in [["-l", "home"], ["-t", "floor"], ["-p", "high"], ["-d", "2026-11-27"]] {
      let listed = stage.run(["list", "todos", "--plain"] + words).output
      #expect(listed.contains("Mop") && !listed.contains("Dig"), "\(words)")
    }
    _ = stage.answer("edit", "dig", "-d", "sat", "-t", "+mud", "-p", "low", "-l", "Home")
    #expect(try todos(stage, "-l", "Home").last == "Dig|#mud|2026-11-21|low")
  }
}
