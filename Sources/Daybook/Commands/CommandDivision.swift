import Crypto
import Domain
import Journaling
import Platform

/// Divides the events of one step into commands that the journal accepts.
struct CommandDivision {
  /// The maximum number of events in a command.
  var mostEvents: Int
  /// The maximum total size of a command's bodies, which leaves space for the headers.
  var mostBytes = 256 << 10

  /// A request becomes one command if possible, because a crash leaves either a whole command or nothing.
  static let ofRequests = CommandDivision(mostEvents: Limit.commandEvents)

  /// Returns the commands for drafts, in the order of the drafts; none if there are no drafts.
  ///
  /// If a draft adds an entity, other drafts may refer to that entity by its index, so all drafts stay in one command.
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
  ///   - name: The operation that writes the run; random bytes distinguish the run from all others.
  ///   - commands: The commands of the run.
  ///   - link: The first event of the commands that the run undoes.
  ///   - dice: The source of the random bytes.
  init(
    _ name: String, of commands: [DecidedCommand], undoing link: EventKey? = nil, dice: any Dice
  ) {
    self.init(
      source: SHA256.digest(of: Array(name.utf8) + dice.bytes(16)),
      done: 0..<UInt64(commands.count), link: link)
  }
}
