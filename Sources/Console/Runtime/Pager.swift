import Platform
import Synchronization

/// Buffers output until its length is known, and then shows it in a pager if it is long.
final class Pager: Sendable {
  private static let usual = "less -FIRX"

  private let text = Mutex("")
  private let command: String
  private let environment: CommandEnvironment

  /// Creates a pager for help, and for commands with long output; nil for others, and if no pager is wanted.
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

  /// A copy of the environment whose standard output is buffered here.
  var collecting: CommandEnvironment {
    var collecting = environment
    collecting.streams.write = { [self] words in text.withLock { $0 += words } }
    return collecting
  }

  /// Shows the buffered output: in the pager if it is long and the pager runs, otherwise directly.
  func show() {
    let text = text.withLock { $0 }
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
    let isLong = lines >= environment.streams.size?.lines ?? .max
    if isLong, environment.process.page(command, text) { return }
    environment.streams.write(text)
  }
}
