import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

struct FindTests {
  @Test func `Finding: restore and log accept the title of a deleted record`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    _ = stage.answer("add", "todo", "Buy Eggos")
    _ = stage.answer("delete", "eggos")
    _ = stage.answer("delete", "ada")
    let told = stage.run("show", "EGGOS")
    #expect(told.code == .refused)
    #expect(
      told.error.hasPrefix(
        "daybook: todo 'Buy Eggos' is deleted. To bring it back, run 'daybook restore "))
    #expect(stage.answer("log", "eggos").contains("deleted"))
    #expect(stage.answer("restore", "ada lovelace").hasPrefix("Restored birthday "))
    #expect(stage.answer("restore", "eggos").hasPrefix("Restored todo "))
    #expect(stage.run("restore", "eggos").error == "daybook: todo 'Buy Eggos' is not deleted.\n")
    #expect(stage.run("restore", "waffles").error.contains("nothing is called 'waffles'"))
  }

  @Test func `Finding: a live record is preferred, and two deleted ones are ambiguous`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Milk")
    _ = stage.answer("delete", "milk")
    _ = stage.answer("add", "todo", "Milk")
    #expect(stage.answer("log", "milk").split(separator: "\n").count == 1)
    _ = stage.answer("delete", "milk")
    let told = stage.run("restore", "milk")
    #expect(told.code == .refused)
    #expect(told.error.hasPrefix("daybook: 'milk' matches 2 records."))
  }

  @Test func `Finding: the full title of a deleted record outranks part of a different title`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "milk")
    _ = stage.answer("add", "todo", "milk shake")
    _ = stage.answer("delete", "milk")
    #expect(stage.answer("log", "milk").split(separator: "\n").count == 2)
    #expect(stage.answer("why", "milk.title").contains("title is milk."))
    let again = stage.run("delete", "milk")
    #expect(again.code == .refused)
    #expect(again.error.hasPrefix("daybook: todo 'milk' is deleted."))
    _ = stage.answer("erase", "milk", "--yes")
    #expect(stage.answer("list", "todos").contains("milk shake"))
    #expect(stage.answer("delete", "milk").contains("milk shake"))
  }

  @Test func `Finding: among titles that differ in case, the exact one is used`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Shop")
    _ = stage.answer("add", "list", "shop")
    _ = stage.answer("add", "todo", "Milk", "--list", "shop")
    #expect(stage.answer("list", "todos", "--list", "shop").contains("Milk"))
    #expect(stage.answer("list", "todos", "--list", "Shop") == "")
    #expect(stage.run("list", "todos", "--list", "SHOP").error.contains("matches 2 records."))
  }

  @Test func `Finding: a new list with a similar name is reported`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    let outcome = stage.run("add", "todo", "Mop", "--list", "Hoem")
    #expect(outcome.output.hasPrefix("Added list "))
    #expect(
      outcome.error
        == "daybook: there is a similar list, 'Home'; to undo the addition, run 'daybook undo'.\n")
    #expect(stage.run("add", "todo", "Dig", "--list", "Garden").error == "")
  }

  @Test func `Finding: a new birthday that looks like an existing one is reported`() {
    let stage = Stage()
    #expect(stage.run("add", "birthday", "Zoë Hart", "1990-05-03").error.contains("new book"))
    let ids = [stage.answer("list", "birthdays").prefix { $0 != " " }]
    let again = stage.run("add", "birthday", "zoe hart", "3 may")
    let both = stage.answer("list", "birthdays").split(separator: "\n").map {
      $0.prefix { $0 != " " }
    }
    let new = both.first { $0 != ids[0] } ?? ""
    #expect(
      again.error
        == "daybook: another birthday has this name. To merge the two, run 'daybook merge \(ids[0]) \(new)'.\n"
    )
    #expect(stage.run("add", "birthday", "Zoë Hart", "1991-06-07").error == "")
    _ = stage.answer("add", "list", "Shop")
    #expect(stage.run("add", "list", "shop").error.contains("another list has this name"))
  }

  /// Returns the error output of a command, without the ids of records.
  private func note(_ stage: Stage, _ words: String...) -> String {
    let outcome = stage.run(words)
    #expect(outcome.code == .done)
    return outcome.error.replacing(/merge \w+ \w+'/, with: "merge ID ID'")
  }

  private static func note(_ kind: String) -> String {
    "daybook: another \(kind) has this name. To merge the two, run 'daybook merge ID ID'.\n"
  }

  @Test func `Finding: a new to-do, question or choice with an existing title is reported`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Cr\u{e8}me", "--list", "Shop")
    #expect(note(stage, "add", "todo", "Cre\u{300}me", "--list", "Shop") == Self.note("todo"))
    #expect(note(stage, "add", "todo", "creme", "--list", "Shop") == Self.note("todo"))
    // A to-do that is on a different list or on none, or whose namesake is done, is not reported.
    #expect(note(stage, "add", "todo", "creme") == "")
    #expect(note(stage, "add", "todo", "creme", "--list", "Party") == "")
    #expect(note(stage, "add", "todo", "CREME") == Self.note("todo"))
    _ = stage.answer("add", "todo", "Milk")
    _ = stage.answer("done", "Milk")
    #expect(note(stage, "add", "todo", "Milk") == "")
    #expect(note(stage, "add", "question", "Lunch?", "Rice", "Salad") == "")
    #expect(note(stage, "add", "choice", "Lunch", "rice:2") == Self.note("choice"))
    #expect(note(stage, "add", "question", "Dinner?", "Rice", "Rice") == Self.note("choice"))
    #expect(note(stage, "add", "question", "lunch?") == Self.note("question"))
  }

  @Test func `Finding: a choice with an existing name is reported if the clock went back`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Rice", "Salad")
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_161_600_000))
    #expect(note(stage, "add", "choice", "Lunch", "rice:2").hasSuffix(Self.note("choice")))
  }

  @Test func `Finding: a record of the wrong kind is reported with its kind`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    for (verb, kind) in [("done", "to-do"), ("pick", "question")] {
      let told = stage.run(verb, "ada")
      #expect(told.code == .refused)
      #expect(told.error == "daybook: 'ada' is a birthday, but this command needs a \(kind).\n")
    }
  }

  @Test func `Finding: a person is found by any part of the name`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    for words in ["Ada Lovelace", "ada love", "Lovelace Ada", "lace"] {
      #expect(stage.run("show", words).code == .done, "\(words)")
    }
  }

  @Test func `Finding: ambiguous matches are listed briefly with their ids`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", String(repeating: "long ", count: 100))
    _ = stage.answer("add", "todo", "long ago")
    let ids = stage.answer("list", "todos").split(separator: "\n").map { $0.prefix { $0 != " " } }
    let told = stage.run("show", "long").error
    for id in ids { #expect(told.contains("\(id) long")) }
    #expect(told.utf8.count < 160)
  }
}
