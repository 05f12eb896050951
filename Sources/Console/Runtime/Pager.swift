import Platform
import Synchronization

/// Holds an answer back until it is known whether it needs a pager.
final class Pager: Sendable {
  private static let usual = "less -FIRX"
  private static let verbs: Set<String> = [
    "list", "log", "search", "help", "show", "why", "blame", "diff", "upcoming",
  ]

  private let text = Mutex("")
  private let command: String
  private let surroundings: Surroundings

  /// One for an invocation that may answer more than a terminal shows at once; nil for all others.
  init?(_ invocation: Invocation, in surroundings: Surroundings) {
    let verb = invocation.verb?.words.first ?? "help"
    let wantsHelp = invocation.globals.wantsHelp
    guard surroundings.isOutputTerminal, surroundings.size != nil, !invocation.globals.isPlain,
      !invocation.globals.isUnpaged, wantsHelp || Self.verbs.contains(verb),
      wantsHelp || invocation.verb != nil, !surroundings.isDumb
    else { return nil }
    let named = [Variable.pager, .commonPager].lazy
      .compactMap { surroundings[$0] }
    command = named.first ?? Self.usual
    if command.isEmpty || command == "cat" { return nil }
    self.surroundings = surroundings
  }

  /// The surroundings of a command whose answer is held back.
  var collecting: Surroundings {
    var collecting = surroundings
    collecting.write = { [self] words in text.withLock { $0 += words } }
    return collecting
  }

  /// Shows what was answered: at once, where it fits or nothing else can show it.
  func show() {
    let text = text.withLock { $0 }
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
    if lines >= surroundings.size?.lines ?? .max, surroundings.page(command, text) { return }
    surroundings.write(text)
  }
}
