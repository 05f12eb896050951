import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Commands in messages about records: each does what the message says.
struct RecordAdviceTests {
  private func book() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos", "--list", "Home")
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3", "Salad")
    return stage
  }

  @Test func `Advice: the commands in the welcome create a book, show it, and undo a change`()
    throws
  {
    let stage = Stage()
    let welcome = stage.run()
    try stage.follow("add birthday", in: welcome)
    try stage.follow("add todo", in: welcome)
    try stage.follow("add question", in: welcome)
    #expect(try stage.follow("", in: welcome).output.contains("3 records") == false)
    #expect(stage.answer("list", "questions").contains("Lunch?"))
    try stage.follow("undo", in: welcome)
    #expect(stage.answer("list", "questions") == "")
    #expect(try stage.follow("help", in: welcome).output.hasPrefix("usage: daybook"))
  }

  @Test(arguments: [
    ["add", "list", "Home"], ["add", "birthday", "Ada Lovelace", "1815-12-10"],
    ["add", "choice", "lunch", "Noodles"],
  ])
  func `Advice: records with the same name are merged`(words: [String]) throws {
    let stage = book()
    if words[1] == "birthday" { _ = stage.run(words) }
    let kind = ["list": "lists", "birthday": "birthdays", "choice": "choices"][words[1]] ?? ""
    let before = stage.answer("list", kind).split(separator: "\n").count
    try stage.follow("merge", in: stage.run(words))
    #expect(stage.answer("list", kind).split(separator: "\n").count == before)
  }

  @Test func `Advice: the command next to duplicates merges them`() throws {
    let stage = book()
    for _ in 1...2 { _ = stage.run("add", "birthday", "Ada Lovelace", "1815-12-10") }
    try stage.follow("merge", in: stage.run("duplicates"))
    #expect(stage.answer("duplicates") == "No duplicates found.\n")
  }

  @Test func `Advice: the command beside open to-dos that look alike merges them`() throws {
    let stage = book()
    for _ in 1...2 { _ = stage.run("add", "todo", "Feed the cat", "--due", "2027-01-01") }
    _ = stage.run("add", "todo", "Feed the cat", "--due", "2027-01-02")
    try stage.follow("merge", in: stage.run("duplicates"))
    #expect(stage.answer("duplicates") == "No duplicates found.\n")
  }

  @Test func `Advice: undo removes a list with a similar name`() throws {
    let stage = book()
    let added = stage.run("add", "todo", "Mop", "--list", "Hom")
    try stage.follow("undo", in: added)
    #expect(stage.answer("list", "lists").split(separator: "\n").count == 1)
  }

  @Test func `Advice: a deleted record is restored, also together with its deleted list`() throws {
    let stage = book()
    _ = stage.answer("delete", "eggos")
    try stage.follow("restore", in: stage.run("done", "eggos"))
    #expect(stage.answer("list", "todos").contains("Buy Eggos"))
    _ = stage.answer("delete", "Home")
    try stage.follow("restore", in: stage.run("done", "eggos"))
    #expect(stage.answer("list", "todos").contains("Buy Eggos"))
    _ = stage.answer("delete", "lunch")
    try stage.follow("restore", in: stage.run("pick", "lunch"))
    #expect(stage.answer("pick", "lunch").hasPrefix("Drew "))
  }

  @Test func `Advice: the command deletes a merged record of which a part was deleted elsewhere`()
    throws
  {
    let stage = try Stage.pair()
    for name in ["Attic", "Loft"] { _ = stage.answer("add", "list", name) }
    stage.meet()
    _ = stage.answer("merge", "Attic", "Loft")
    _ = stage.answer("-C", "phone", "delete", "Attic")
    _ = stage.answer("-C", "phone", "sync", "stick")
    try stage.follow("delete", in: stage.run("sync", "stick"))
    stage.meet()
    for device in [[], ["-C", "phone"]] {
      #expect(!stage.run(device + ["list", "lists"]).output.contains("Attic"))
    }
  }

  @Test func `Advice: the commands add a choice, set its weight and draw`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?")
    try stage.follow("add choice", in: stage.run("pick", "lunch"), filling: ["NAME": "Noodles"])
    #expect(stage.answer("list", "choices", "lunch").contains("Noodles"))
    _ = stage.answer("edit", "noodles", "--weight", "0")
    let weightless = stage.run("pick", "lunch")
    let choices = try stage.follow("list choices", in: weightless).output
    let id = String(choices.prefix { $0 != " " })
    try stage.follow("edit", in: weightless, filling: ["ID": id])
    let undrawn = stage.run("pick", "--replay", "lunch")
    #expect(try stage.follow("pick", in: undrawn).output.hasPrefix("Drew Noodles "))
    #expect(stage.answer("pick", "--replay", "lunch").hasPrefix("Drew Noodles "))
  }

  @Test(arguments: ["eggos", "Home", "lunch", "noodles", "Ada"])
  func `Advice: an edit without a field names a field of the record`(record: String) throws {
    let stage = book()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    let refused = stage.run("edit", record)
    #expect(refused.code == .usage)
    let edited = try stage.follow("edit", in: refused, filling: ["TEXT": "Something new"])
    #expect(edited.output.contains("note Something new"))
  }

  @Test func `Advice: the named command lists a moved to-do at its position`() throws {
    let stage = book()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    let moved = stage.run("move", "mop", "--before", "eggos")
    let lines = try stage.follow("list todos", in: moved).output.split(separator: "\n")
    #expect(lines.map { $0.contains("Mop") } == [true, false])
  }

  @Test func `Advice: the rest of a shortened answer is listed`() throws {
    let stage = Stage()
    for number in 10...31 {
      _ = stage.answer("add", "todo", "Late \(number)", "--due", "2026-11-01")
      _ = stage.answer("add", "todo", "Now \(number)", "--due", "2026-11-20")
    }
    let reminded = try stage.follow("list todos", in: stage.run("remind"))
    #expect(reminded.output.split(separator: "\n").count == 22)
    let limited = stage.run("list", "todos", "--limit", "5")
    let rest = try #require(limited.error.split(separator: "--after ").last).dropLast(2)
    let next = stage.answer("list", "todos", "--after", String(rest))
    #expect(next.split(separator: "\n").count == 39)
  }

  @Test func `Advice: a to-do whose rule daybook does not have is reopened for its next date`()
    throws
  {
    let stage = Stage()
    try stage.put(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:Sweep\r
      DUE;VALUE=DATE:20261120\r\nRRULE:FREQ=YEARLY;BYWEEKNO=47\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
      """, as: "todo.ics")
    let imported = stage.run("import", "todo.ics")
    let done = stage.run("done", "sweep")
    try stage.follow("undone", in: done)
    try stage.follow("edit", in: done, filling: ["DATE": "2026-11-27"])
    #expect(stage.answer("list", "todos").contains("due Fri 2026-11-27"))
    _ = stage.answer("undo", "3")
    try stage.follow("undo", in: imported)
    #expect(stage.answer("list", "todos") == "")
  }

  @Test func `Advice: the command below a section of the agenda shows all of its rows`() throws {
    let stage = Stage()
    for number in 1...9 {
      _ = stage.answer("add", "todo", "Late \(number)", "--due", "2026-11-01")
      _ = stage.answer("add", "todo", "Now \(number)", "--due", "2026-11-20")
      _ = stage.answer("add", "todo", "Soon \(number)", "--due", "2026-11-2\(number % 4 + 1)")
      _ = stage.answer("add", "todo", "Ever \(number)")
      _ = stage.answer("add", "birthday", "Person \(number)", "--11-2\(number)")
    }
    for words in [[], ["at", "2026-11-20 12:00"]] {
      stage.machine.timekeeper.set(Moment(milliseconds: 1_795_176_000_000))
      let agenda = stage.run(words)
      let start = words.isEmpty ? "" : "at \"2026-11-20 12:00\" "
      for (command, title) in [
        ("list todos --overdue", "Late"), ("list todos --due today", "Now"),
        ("list todos --due 2026-11-21..2026-11-27", "Soon"), ("list todos --due none", "Ever"),
        ("upcoming --days 14", "Person"),
      ] {
        let lines = try stage.follow(start + command, in: agenda).output.split(separator: "\n")
        #expect(lines.count == 9 && lines.allSatisfy { $0.contains(title) }, "\(lines)")
      }
    }
  }

  @Test func `Advice: the help topics in help and usage errors exist`() throws {
    let stage = book()
    let help = stage.run("help")
    #expect(try stage.follow("help tour", in: help).output.contains("daybook done eggos"))
    #expect(try stage.follow("help", in: stage.run("frobnicate")).output == help.output)
    let past = try stage.follow("help at", in: stage.run("at", "2026-01-01", "done", "x"))
    #expect(past.output.contains("list todos"))
    try stage.follow("help environment", in: stage.run("where"))
    try stage.follow("where", in: stage.run("help", "settings"))
    let found = try stage.follow(
      "search", in: stage.run("show", "nobody"), filling: ["TEXT": "eggos"])
    #expect(found.output.contains("Buy Eggos"))
  }

  @Test(arguments: [
    ["birthdays"], ["todos"], ["lists"], ["questions"], ["choices", "stay"], ["picks", "stay"],
  ])
  func `Advice: the command that an empty list names adds a record to it`(kind: [String]) throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Stay?")
    if kind == ["picks", "stay"] { _ = stage.answer("add", "choice", "stay", "Yes") }
    if kind == ["questions"] { _ = stage.answer("delete", "stay") }
    let words = ["list"] + kind
    let empty = stage.run(words, adjust: { $0.streams.isOutputTerminal = true })
    let values = ["NAME": "Ada", "DATE": "1815-12-10", "TITLE": "Sweep"]
    let beginning = kind == ["picks", "stay"] ? "pick" : "add"
    try stage.follow(beginning, in: empty, filling: values)
    #expect(!stage.run(words).output.isEmpty)
  }
}
