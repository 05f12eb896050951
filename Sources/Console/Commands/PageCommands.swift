import Daybook
import Domain
import Phrasing
import Platform
import Web

enum PageCommands {
  static let all = [page]

  private static let page = CommandSpec(
    "page", "Show the book in a browser on this machine, until stopped.",
    traits: [.runsLong, .hidesProgress, .passesOn],
    option("port", "N", "The port to listen on; any free port by default."),
    flag("open", "Open the page in the browser."),
    examples: ["daybook page", "daybook page --open", "daybook page --port 7777"]
  ) { context, port, opens in
    let number = try port.map { try context.reader.number($0, "the port", from: 0) } ?? 0
    guard let port = UInt16(exactly: number) else {
      throw ConsoleError.badValue("the port", "\(number)", "Use a number up to 65535.")
    }
    try ServePage(context: context).run(port, opens)
  }
}

/// Serves the web page of the book.
private struct ServePage {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ port: UInt16, _ opens: Bool) throws {
    let book = try context.opener.bookForAdding()
    try PageServer.serve(
      book, port: port, rule: context.preferences.leapRule,
      ready: { address in
        output.answer([address])
        output.note(
          "keep this address private, because it gives access to the book. Stop with Ctrl-C.")
        if opens, !context.environment.process.launch(["xdg-open", address]) {
          output.note("cannot start a browser; open the address above yourself.")
        }
        LossPresenter(context: context).noteLoss()
      }, until: context.environment.process.shouldStop)
    output.say("Stopped.")
  }
}
