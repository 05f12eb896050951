import Platform
import Synchronization

/// Holds an answer back until it is known whether it needs a pager.
final class Pager: Sendable {
  private static let usual = "less -FIRX"

  private let text = Mutex("")
  private let command: String
  private let environment: CommandEnvironment

  /// One for an invocation that may answer more than a terminal shows at once; nil for all others.
  init?(_ invocation: Invocation, in environment: CommandEnvironment) {
    let isPaged =
      invocation.globals.wantsHelp || invocation.command?.traits.contains(.isPaged) ?? false
    let streams = environment.streams
    guard isPaged, streams.isOutputTerminal, streams.size != nil, !environment.isDumb,
      !invocation.globals.isPlain, !invocation.globals.isUnpaged
    else { return nil }
    let named = [Variable.pager, .commonPager].lazy
      .compactMap { environment[$0] }
    command = named.first ?? Self.usual
    if command.isEmpty || command == "cat" { return nil }
    self.environment = environment
  }

  /// The environment of a command whose answer is held back.
  var collecting: CommandEnvironment {
    var collecting = environment
    collecting.streams.write = { [self] words in text.withLock { $0 += words } }
    return collecting
  }

  /// Shows what was answered: at once, where it fits or nothing else can show it.
  func show() {
    let text = text.withLock { $0 }
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
    let isLong = lines >= environment.streams.size?.lines ?? .max
    if isLong, environment.process.page(command, text) { return }
    environment.streams.write(text)
  }
}
