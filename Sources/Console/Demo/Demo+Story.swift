import Phrasing
import Platform

extension Demo {
  /// Plays the story, step by step.
  mutating func play() throws {
    try step("A book with birthdays, to-dos and a question", Demo.begin)
    try step("What is due today", Demo.lookAtToday)
    try step("A second machine joins through a bundle file", Demo.joinByBundle)
    try step("Both machines edit the same birthday, and then sync through a folder", Demo.editApart)
    try step("A sync over TCP, on this machine only", Demo.syncByTCP)
    try step("A deletion is undone", Demo.undoDelete)
    try step("A look at the past", Demo.lookBack)
    try step("The view is deleted and rebuilt", Demo.loseView)
    try step("Every byte is verified", Demo.verify)
    try step("A choice is drawn", Demo.draw)
  }

  private static func begin(_ demo: Demo) throws {
    try demo.command(.laptop, "add", "birthday", "Ada Lovelace", "1815-12-10")
    try demo.command(.laptop, "add", "birthday", "Frederic of Penzance", "1856-02-29")
    try demo.command(.laptop, "add", "birthday", "Grandma", "--12-01")
    try demo.command(
      .laptop, "add", "todo", "Buy Eggos", "--list", "Home", "--due", "2026-11-20", "--priority",
      "high")
    try demo.command(.laptop, "add", "todo", "Return the books", "--due", "2026-11-18")
    try demo.command(
      .laptop, "add", "question", "Lunch?", "Noodles:3", "Salad:2", "Toast:1")
    let list = try demo.command(.laptop, "list", "birthdays")
    try demo.check(list.split(separator: "\n").count == 3, "Expected three birthdays:\n\(list)")
  }

  private static func lookAtToday(_ demo: Demo) throws {
    let today = try demo.command(.laptop)
    try demo.check(
      today.contains("Overdue") && today.contains("Today") && today.contains("Grandma"),
      "Something is missing:\n\(today)")
    let upcoming = try demo.command(.laptop, "upcoming", "--days", "120")
    try demo.check(upcoming.contains("2027-02-28"), "Expected 28 February:\n\(upcoming)")
  }

  private static func joinByBundle(_ demo: Demo) throws {
    try demo.command(.laptop, "bundle", "first.bundle")
    try demo.command(.desktop, "join", "first.bundle")
    try demo.checkSame("list", "birthdays", "--json")
    try demo.command(.desktop, "bundle", "second.bundle")
    try demo.command(.laptop, "sync", "second.bundle", "--admit")
    try demo.command(.laptop, "bundle", "third.bundle")
    try demo.command(.desktop, "sync", "third.bundle")
    try demo.checkAgreement()
  }

  private static func editApart(_ demo: Demo) throws {
    try demo.context.machine.disk.makeDirectories(demo.folder / "shared")
    try demo.command(.laptop, "edit", "grandma", "--birthdate", "--12-02")
    try demo.command(.desktop, "edit", "grandma", "--birthdate", "--12-03")
    try demo.command(.laptop, "sync", "shared")
    try demo.command(.desktop, "sync", "shared")
    try demo.command(.laptop, "sync", "shared")
    try demo.checkAgreement()
    let shown = try demo.command(.laptop, "show", "grandma")
    // The desktop's value is the later one; neither device had seen the other's value.
    try demo.check(shown.contains("--12-03"), "Expected the later value:\n\(shown)")
  }

  private static func syncByTCP(_ demo: Demo) throws {
    try demo.command(.desktop, "add", "todo", "Water the plants", "--list", "Home")
    let server = DemoServer(demo.book(of: .laptop), on: demo.machine(of: .laptop))
    let port = try server.start(
      demo.context.environment.process.beside, patience: demo.context.machine.timekeeper)
    defer { server.stop(patience: demo.context.machine.timekeeper) }
    demo.context.output.say("laptop$ daybook serve --listen 127.0.0.1:7771")
    demo.context.output.say("desktop$ daybook sync tcp://127.0.0.1:7771")
    let answer = demo.ask(.desktop, "sync", "tcp://127.0.0.1:\(port)")
    server.stop(patience: demo.context.machine.timekeeper)
    try demo.check(answer.contains("Sent"), "The sync failed:\n\(answer)")
    try demo.checkAgreement()
    let list = try demo.command(.laptop, "list", "todos", "--open")
    try demo.check(list.contains("Water the plants"), "The to-do did not arrive:\n\(list)")
  }

  private static func undoDelete(_ demo: Demo) throws {
    try demo.command(.laptop, "delete", "eggos")
    try demo.command(.laptop, "show", "eggos", expecting: .refused)
    try demo.command(.laptop, "undo")
    try demo.command(.laptop, "show", "eggos")
  }

  private static func lookBack(_ demo: Demo) throws {
    let time = "2026-11-20T09:03:30Z"
    let list = try demo.command(.laptop, "at", time, "list", "birthdays")
    try demo.check(
      list.contains("--12-01") && !list.contains("--12-03"),
      "Expected the birthday as it was then:\n\(list)")
    let todos = try demo.command(.laptop, "at", time, "list", "todos")
    try demo.check(todos.isEmpty, "Expected no to-dos:\n\(todos)")
  }

  private static func loseView(_ demo: Demo) throws {
    let before = demo.ask(.laptop, "list", "todos", "--json")
    let view = demo.book(of: .laptop) / "view.sqlite"
    try demo.context.machine.disk.remove(view)
    demo.context.output.say("laptop$ rm view.sqlite")
    let after = demo.ask(.laptop, "list", "todos", "--json")
    try demo.check(before == after && !before.isEmpty, "The lists differ:\n\(before)\n\(after)")
    try demo.command(.laptop, "rebuild")
    let rebuilt = demo.ask(.laptop, "list", "todos", "--json")
    try demo.check(before == rebuilt, "The lists differ:\n\(before)\n\(rebuilt)")
  }

  private static func verify(_ demo: Demo) throws {
    let laptop = try demo.command(.laptop, "verify")
    let desktop = try demo.command(.desktop, "verify")
    try demo.check(
      laptop.contains("No faults found") && desktop.contains("No faults found"), laptop + desktop)
  }

  private static func draw(_ demo: Demo) throws {
    let drawn = try demo.command(.laptop, "pick", "lunch")
    try demo.check(drawn.contains("Drew"), drawn)
    try demo.command(.laptop, "log", "--limit", "3")
  }
}

extension Demo {
  /// Checks that a command prints the same on both machines.
  fileprivate func checkSame(_ words: String...) throws(ConsoleError) {
    let answers = [Actor.laptop, .desktop].map { actor in
      var console = environment(of: actor)
      console.streams.isOutputTerminal = false
      _ = context.host.run(words, console)
      return output.take()
    }
    try check(answers[0] == answers[1], answers.joined(separator: "\n"))
    context.output.say("  The command prints the same on both machines.")
  }

  /// Checks that both machines have the same digest.
  fileprivate func checkAgreement() throws(ConsoleError) {
    let digests = [ask(.laptop, "status"), ask(.desktop, "status")].map { status in
      status.split(separator: "\n").first { $0.hasPrefix("digest") } ?? ""
    }
    try check(digests[0] == digests[1] && !digests[0].isEmpty, digests.joined(separator: "\n"))
    context.output.say("  Both machines have the same digest.")
  }
}
