import Console
import Phrasing
import Testing

/// Deleting a list with to-dos or a question with choices.
struct DeleteTests {
  @Test func `Delete: a list reports its to-dos and how to restore them`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy Eggos", "--list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    let id = stage.answer("list", "lists").prefix { $0 != " " }
    #expect(
      stage.answer("delete", "Home")
        == "Deleted list \(id) Home, and with it 2 to-dos.\n")
    for words in [["show", "eggos"], ["done", "eggos"], ["edit", "eggos", "--due", "fri"]] {
      #expect(
        stage.run(words)
          == .init(
            code: .refused, output: "",
            error: "daybook: todo 'Buy Eggos' is on the deleted list 'Home'. "
              + "To bring both back, run 'daybook restore \(id)'.\n"))
    }
    _ = stage.answer("restore", String(id))
    #expect(stage.answer("show", "eggos").contains("Buy Eggos"))
    _ = stage.answer("done", "Mop")
    _ = stage.answer("delete", "Mop")
    #expect(
      stage.answer("delete", "Home")
        == "Deleted list \(id) Home, and with it 1 to-do.\n")
  }

  @Test
  func `Delete: a question reports its choices, and a list that keeps its to-dos reports none`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3", "Salad")
    let question = stage.answer("list", "questions").prefix { $0 != " " }
    #expect(
      stage.answer("delete", "lunch")
        == "Deleted question \(question) Lunch?, and with it 2 choices.\n")
    #expect(
      stage.run("show", "noodles").error
        == "daybook: choice 'Noodles' belongs to the deleted question 'Lunch?'. "
        + "To bring both back, run 'daybook restore \(question)'.\n")
    _ = stage.answer("restore", String(question))
    _ = stage.answer("pick", "lunch")
    #expect(
      stage.answer("delete", "lunch")
        == "Deleted question \(question) Lunch?, and with it 2 choices and 1 pick.\n"
    )
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    #expect(!stage.answer("delete", "Home", "--keep-todos").contains("with it"))
    #expect(stage.answer("show", "mop").contains("Mop"))
  }

  /// A to-do on a deleted list, or a choice of a deleted question, is found by its id although it is hidden.
  @Test(arguments: [
    ["show"], ["edit", "--note", "x"], ["done"], ["cancel"], ["move", "--to", ""], ["delete"],
    ["restore"], ["add", "todo", "Rinse", "--under"],
  ])
  func `Delete: a to-do of a deleted list is refused by its id and its title`(
    _ words: [String]
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    let id = try #require(stage.answer("list", "todos").split(separator: " ").first).description
    let list = stage.answer("list", "lists").prefix { $0 != " " }
    _ = stage.answer("delete", "Home")
    let before = stage.answer("log")
    for name in [id, "Mop"] {
      let command = words.first == "add" ? words + [name] : [words[0], name] + words.dropFirst()
      #expect(
        stage.run(command)
          == .init(
            code: .refused, output: "",
            error: "daybook: todo 'Mop' is on the deleted list 'Home'. "
              + "To bring both back, run 'daybook restore \(list)'.\n"),
        "\(command)")
    }
    #expect(stage.answer("log") == before)
  }

  @Test func `Delete: a choice of a deleted question is refused by its id`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3")
    let id = try #require(stage.answer("list", "choices").split(separator: " ").first).description
    let question = stage.answer("list", "questions").prefix { $0 != " " }
    _ = stage.answer("delete", "lunch")
    for command in [["edit", id, "--weight", "2"], ["show", id], ["restore", id]] {
      #expect(
        stage.run(command)
          == .init(
            code: .refused, output: "",
            error: "daybook: choice 'Noodles' belongs to the deleted question 'Lunch?'. "
              + "To bring both back, run 'daybook restore \(question)'.\n"),
        "\(command)")
    }
  }

  @Test(arguments: [["log", "Mop"], ["why", "Mop.title"], ["blame", "Mop"]])
  func `Delete: the history of a to-do on a deleted list is found by its title`(_ words: [String]) {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    let before = stage.answer("log", "Mop")
    _ = stage.answer("delete", "Home")
    let outcome = stage.run(words)
    #expect(outcome.code == .done && outcome.error == "", "\(outcome.error)")
    #expect(!outcome.output.isEmpty)
    #expect(stage.answer("log", "Mop") == before)
    _ = stage.answer("erase", "Mop", "--yes")
    _ = stage.answer("restore", "Home")
    #expect(stage.answer("list", "todos") == "")
  }

  @Test func `Delete: the title of a hidden to-do does not match part of another title`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    _ = stage.answer("add", "todo", "Mop again")
    _ = stage.answer("delete", "Home")
    let refused = stage.run("delete", "Mop")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("todo 'Mop' is on the deleted list 'Home'."))
    #expect(stage.answer("list", "todos").contains("Mop again"))
  }

  private func shopping() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Milk", "--list", "Shopping")
    _ = stage.answer("add", "todo", "Eggs", "--list", "Shopping")
    return stage
  }

  @Test func `Delete: to-dos disappear and return with their list`() {
    let stage = shopping()
    _ = stage.answer("delete", "shopping")
    #expect(stage.answer("list", "todos").contains("Milk") == false)
    _ = stage.answer("restore", "shopping")
    #expect(stage.answer("list", "todos").contains("Milk"))
  }

  @Test func `Delete: --if-empty refuses a list that has to-dos`() {
    let stage = shopping()
    let refused = stage.run("delete", "shopping", "--if-empty")
    #expect(refused.code == .refused)
    #expect(
      refused.error
        == "daybook: the list still has 2 to-dos, so it was not deleted. Without --if-empty, deleting the list "
        + "also deletes them, and restoring the list brings them back.\n")
    _ = stage.answer("delete", "milk", "eggs")
    #expect(stage.answer("delete", "shopping", "--if-empty").hasPrefix("Deleted list "))
  }

  @Test func `Delete: --keep-todos keeps the to-dos, and an undo puts them back`() {
    let stage = shopping()
    #expect(stage.answer("delete", "shopping", "--keep-todos").contains("Deleted list "))
    let alone = stage.answer("list", "todos")
    #expect(alone.contains("Milk") && alone.contains("Eggs") && !alone.contains("Shopping"))
    _ = stage.answer("undo")
    #expect(stage.answer("list", "todos").contains("Shopping"))
  }

  @Test func `Delete: --keep-todos and --if-empty are refused for a question with choices`() {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup", "Rice")
    let refused = stage.run("delete", "lunch?", "--keep-todos")
    #expect(refused.code == .refused)
    #expect(
      refused.error
        == "daybook: the choices of a question cannot exist without it. Without --keep-todos, "
        + "deleting the question also deletes them, and restoring it brings them back.\n")
    #expect(stage.run("delete", "lunch?", "--if-empty").code == .refused)
    #expect(stage.answer("delete", "lunch?").hasPrefix("Deleted question "))
  }

  @Test func `Delete: --if-empty together with --keep-todos is refused`() {
    let stage = shopping()
    let outcome = stage.run("delete", "shopping", "--if-empty", "--keep-todos")
    #expect(outcome.code == .usage)
    #expect(
      outcome.error
        == "daybook: '--if-empty' and '--keep-todos' contradict each other. "
        + "Use only one of them.\n")
  }
}
