import Bytes
import Phrasing
import Platform
import Testing

@testable import Console

struct ConsoleTests {
  @Test func `Console: without a book, only the welcome is shown`() {
    let stage = Stage()
    #expect(
      stage.run()
        == .init(code: .done, output: Help.welcome.joined(separator: "\n") + "\n", error: ""))
    let list = stage.run("list", "todos")
    #expect(list.code == .refused)
    #expect(
      list.error.hasPrefix("daybook: there is no book in /home/ada/.local/share/daybook/default."))
  }

  @Test func `Console: the first add creates the book and reports its folder`() {
    let stage = Stage()
    let outcome = stage.run("add", "birthday", "Ada Lovelace", "1815-12-10")
    #expect(outcome.code == .done)
    #expect(
      outcome.error == "daybook: Made a new book in /home/ada/.local/share/daybook/default.\n")
    #expect(outcome.output.hasPrefix("Added birthday "))
    #expect(outcome.output.hasSuffix(" Ada Lovelace, 10 December (turns 211 in 20 days).\n"))
  }

  @Test func `Console: the option or the environment determines the folder of the book`() {
    let stage = Stage()
    let xdg = ["XDG_DATA_HOME": "/data"]
    let named = xdg.merging(["DAYBOOK_DIR": "named"]) { $1 }
    #expect(
      stage.run(["where", "--json"], environment: xdg).output.contains("\"/data/daybook/default\""))
    #expect(stage.run(["where"], environment: named).output.contains("/home/ada/named/view"))
    #expect(
      stage.run(["where", "-C", "/x"], environment: named).output.hasPrefix("book      /x\n"))
    let relative = ["XDG_DATA_HOME": "data"]
    #expect(stage.run(["where"], environment: relative).output.contains("/home/ada/.local/share"))
  }

  @Test func `Console: DAYBOOK_NOW sets the clock within the range of the calendar`() {
    let stage = Stage()
    let now = ["DAYBOOK_NOW": "2026-12-09T00:00:00Z"]
    let outcome = stage.run(["add", "birthday", "Ada", "1815-12-10"], environment: now)
    #expect(outcome.output.hasSuffix("(turns 211 tomorrow).\n"))
    let wrong = stage.run(["where"], environment: ["DAYBOOK_NOW": "soon"])
    #expect(wrong.code == .refused)
    // These times are outside the years 1 to 9999 or at the limits of Int64.
    for moment in [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max] {
      for words in [["where"], ["add", "birthday", "Ada", "1815-12-10"]] {
        #expect(stage.run(words, environment: ["DAYBOOK_NOW": "\(moment)"]).code == .refused)
      }
    }
  }

  @Test func `Console: every memory limit gives the same view, and an invalid one is refused`() {
    let stage = Stage()
    for title in ["rake", "sow", "weed"] { _ = stage.answer("add", "todo", title) }
    let list = stage.answer("list", "todos")
    for mebibytes in ["1", "64", "1099511627776"] {
      let environment = ["DAYBOOK_MEMORY": mebibytes]
      #expect(stage.run(["rebuild"], environment: environment).code == .done)
      #expect(stage.run(["list", "todos"], environment: environment).output == list)
    }
    for words in ["0", "-1", "64M", "1099511627777"] {
      let outcome = stage.run(["where"], environment: ["DAYBOOK_MEMORY": words])
      #expect(outcome.code == .refused)
    }
  }

  @Test func `Console: an unknown list is created, and an ambiguous name is refused`() {
    let stage = Stage()
    let first = stage.answer("add", "todo", "Buy Eggos", "--list", "Home", "--priority", "high")
    #expect(first.contains("Added list "))
    #expect(first.hasSuffix(" Buy Eggos, high priority, in list Home.\n"))
    let second = stage.answer("add", "todo", "Sweep", "--list", "Home")
    #expect(!second.contains("Added list"))
    #expect(second.hasSuffix(" Sweep, in list Home.\n"))
    _ = stage.answer("add", "list", "Home")
    let third = stage.run("add", "todo", "Mop", "--list", "Home")
    #expect(third.code == .refused)
    #expect(third.error.hasPrefix("daybook: 'Home' matches 2 records."))
  }

  @Test func `Console: a title that is part of a list's name creates a new list`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Homework")
    #expect(stage.answer("add", "todo", "Sweep", "--list", "Home").contains("Added list "))
  }

  @Test func `Console: a second list with the same name is created and reported`() {
    let stage = Stage()
    #expect(stage.run("add", "list", "Home").error.contains("another list") == false)
    let second = stage.run("add", "list", " Home ")
    #expect(second.code == .done && second.output.hasPrefix("Added list "))
    #expect(
      second.error.hasPrefix(
        "daybook: another list has this name. To merge the two, run 'daybook merge "))
    let merge = second.error.split(separator: "'").dropFirst().first.map {
      $0.split(separator: " ")
    }
    #expect(stage.run(merge?.dropFirst().map(String.init) ?? [], environment: [:]).code == .done)
    #expect(stage.answer("list", "lists").split(separator: "\n").count == 1)
  }

  @Test func `Console: a title that ends with punctuation gets no extra full stop`() {
    let stage = Stage()
    #expect(stage.answer("add", "question", "Lunch?").hasSuffix(" Lunch?\n"))
    #expect(stage.answer("add", "todo", "Call Dr.").hasSuffix(" Call Dr.\n"))
    #expect(stage.answer("done", "call").hasSuffix(" Call Dr.\n"))
    #expect(stage.answer("delete", "lunch").hasSuffix(" Lunch?\n"))
    #expect(stage.answer("add", "todo", "Mop").hasSuffix(" Mop.\n"))
  }

  @Test func `Console: a to-do is completed, reopened, edited, deleted and restored`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos")
    #expect(stage.answer("done", "eggos").hasPrefix("Done: todo "))
    #expect(stage.answer("done", "eggos").hasPrefix("Nothing to change"))
    #expect(stage.answer("undone", "eggos").hasPrefix("Open again: todo "))
    #expect(
      stage.answer("edit", "eggos", "--due", "2026-11-27", "--note", "two boxes")
        .hasSuffix(" Buy Eggos: note two boxes, due Fri 2026-11-27 (in 7 days).\n"))
    #expect(stage.answer("list", "todos").hasSuffix("due Fri 2026-11-27 (in 7 days)\n"))
    #expect(stage.answer("edit", "eggos", "--due", "").hasSuffix("due none.\n"))
    #expect(stage.answer("delete", "eggos").hasPrefix("Deleted todo "))
    #expect(stage.answer("list", "todos") == "")
    #expect(stage.answer("undo").hasPrefix("Undone: restored todo "))
    #expect(stage.answer("redo").hasPrefix("Redone: deleted todo "))
    #expect(stage.run("redo").code == .refused)
    #expect(stage.run("redo", "x").code == .refused)
  }

  @Test func `Console: a full id is accepted wherever an id is`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos")
    let list = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    let id = try #require(list.array?.first?["id"]?.string)
    #expect(stage.answer("delete", id).hasPrefix("Deleted todo "))
    #expect(stage.answer("restore", id).hasPrefix("Restored todo "))
    #expect(stage.answer("show", id, "--json").contains(id))
  }

  @Test func `Console: a question draws by weight and counts its draws`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3", "Salad:0")
    #expect(stage.answer("pick", "lunch") == "Drew Noodles for Lunch? (3 in 3).\n")
    #expect(stage.answer("show", "lunch").contains("Noodles  weight 3  drawn 1×"))
    #expect(stage.answer("add", "choice", "lunch", "Soup").hasSuffix(" Soup, weight 1.\n"))
    #expect(stage.answer("list", "choices", "lunch").split(separator: "\n").count == 3)
    #expect(stage.answer("log", "--limit", "1").contains("added  choice Soup"))
  }

  @Test func `Console: at shows past titles and records`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos")
    _ = stage.answer("edit", "eggos", "--title", "Buy waffles")
    let then = "2026-11-20T09:01:30Z"
    #expect(stage.answer("at", then, "list", "todos").contains("Buy Eggos"))
    #expect(stage.answer("at", then, "show", "waffles").contains("Buy Eggos"))
    #expect(stage.answer("at", "2026-11-19", "list", "todos") == "")
    #expect(stage.run("at", "soon", "list", "todos").code == .refused)
  }
}
