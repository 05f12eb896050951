import Daybook
import Domain
import Phrasing
import Platform
import Web

extension Verb {
  static let paging = [page]

  private static let page = Verb(
    "page", "Show the book in a browser on this machine, until it is stopped.",
    option("port", "N", "Where to listen; any free port, if nothing is said."),
    flag("open", "Open it in the browser at once."),
    examples: ["daybook page", "daybook page --open", "daybook page --port 7777"]
  ) { context, port, opens in
    let number = try port.map { try context.number($0, "the port", from: 0) } ?? 0
    guard let port = UInt16(exactly: number) else {
      throw ConsoleError.badValue("the port", "\(number)", "Say a number up to 65535.")
    }
    try context.servePage(port, opens)
  }
}

extension Context {
  fileprivate func servePage(_ port: UInt16, _ opens: Bool) throws {
    let book = try bookForAdding()
    try PageSite.serve(
      book, port: port, rule: preferences.leapRule,
      ready: { address in
        answer([address])
        note("only who has this address can see the book. Stop with Ctrl-C.")
        if opens, !surroundings.launch(["xdg-open", address]) {
          note("no browser could be opened; open the address above.")
        }
        noteLoss()
      }, until: surroundings.shouldStop)
    say("Stopped.")
  }
}
