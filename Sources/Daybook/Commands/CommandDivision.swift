import Crypto
import Domain
import Journaling
import Platform

/// Divides the events of one step into commands that the journal accepts.
struct CommandDivision {
  /// The maximum number of events of a command.
  var mostEvents: Int
  /// The maximum size of the bodies of a command; it leaves space for the headers.
  var mostBytes = 256 << 10

  /// A request is one command if possible, because a crash leaves all of a command or nothing.
  static let ofRequests = CommandDivision(mostEvents: Limit.commandEvents)

  /// Returns the commands for drafts, in the same order; none if there are no drafts.
  ///
  /// If one of the drafts adds an entity, others may refer to it by its index, so all stay in one command.
  func commands(of drafts: [Draft]) -> [DecidedCommand] {
    if drafts.contains(where: { $0.body.verb == .add }) { return [DecidedCommand(drafts)] }
    var commands: [DecidedCommand] = []
    var bytes = 0
    for draft in drafts {
      let body = draft.resolved { EventKey(log: 0, sequence: UInt64($0) + 1) }
      let size = body.encode { _ in 0 }.count
      let isFull = bytes + size > mostBytes || commands.last?.drafts.count == mostEvents
      if commands.isEmpty || isFull {
        commands.append(DecidedCommand([]))
        bytes = 0
      }
      commands[commands.count - 1].drafts.append(draft)
      bytes += size
    }
    return commands
  }
}

extension Run {
  /// Marks commands as a separate step.
  ///
  /// - Parameters:
  ///   - name: The operation that writes the run; random bytes distinguish it from all other runs.
  ///   - commands: The commands of the run.
  ///   - link: The first event of the commands that it undoes.
  ///   - dice: The source of the random bytes.
  init(
    _ name: String, of commands: [DecidedCommand], undoing link: EventKey? = nil, dice: any Dice
  ) {
    self.init(
      source: SHA256.digest(of: Array(name.utf8) + dice.bytes(16)),
      done: 0..<UInt64(commands.count), link: link)
  }
}
