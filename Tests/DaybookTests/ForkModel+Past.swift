import Bytes
import Journaling

/// The logs of a machine that has the given commands, and the resulting past of each command.
extension ForkModel {
  /// A log or branch, with its own commands.
  struct Log: Hashable {
    var name: Name
    var replica: Replica
    var trunk: Name?
    /// The last event of the trunk before the branch.
    var before: UInt64
    /// The last event.
    var end: UInt64
    var commands: [Int]
    /// Whether branches follow it.
    var isForked = false
  }

  /// The logs of a machine; every machine has the first events of the three devices.
  func logs(in view: Set) -> [Log] {
    let held = commands(in: view)
    var logs: [Log] = []
    for replica in Replica.allCases {
      let own = held.filter { commands[$0].replica == replica }
      guard !replica.isAnew || !own.isEmpty else { continue }
      var waiting = [
        (Log(name: .replica(replica), replica: replica, before: 0, end: 1, commands: []), Int?.none)
      ]
      while var (log, last) = waiting.popLast() {
        while true {
          let following = own.filter { commands[$0].parent == last }
          if following.count == 1 {
            last = following[0]
            log.end = commands[following[0]].sequence
            log.commands.append(following[0])
            continue
          }
          log.isForked = !following.isEmpty
          for first in following {
            let branch = Log(
              name: .branch(commands[first].key), replica: replica, trunk: log.name,
              before: log.end, end: commands[first].sequence, commands: [first])
            waiting.append((branch, first))
          }
          break
        }
        logs.append(log)
      }
    }
    return logs
  }

  /// A command and all earlier commands of its log.
  func path(to command: Int) -> [Int] {
    var path = [command]
    while let parent = path.last.flatMap({ commands[$0].parent }) { path.append(parent) }
    return path.reversed()
  }

  /// The commands that a command has seen, for a machine that has `view`, by definition alone: the earlier commands in
  /// its log, and the commands that its entries and, in turn, their entries name.
  func past(of command: Int, in view: Set) -> Set {
    let path = path(to: command)
    let logs = logs(in: view)
    var past = Set(path)
    for seen in path.flatMap({ commands[$0].seen }) {
      past.formUnion(covered(by: seen, logs, in: view))
    }
    return past.intersection(view).subtracting(.only(command))
  }

  private func covered(by seen: Seen, _ logs: [Log], in view: Set) -> Set {
    guard let last = seen.last, let named = logs.first(where: { $0.name == seen.name }) else {
      return []
    }
    if view.has(last) { return Set(path(to: last)) }
    // For an event that is not held, only the events that all branches share are certain.
    let sequence = commands[last].sequence
    let before = named.commands.first.map(path) ?? []
    return Set((before + named.commands).filter { commands[$0].sequence <= sequence })
  }

  /// The entries that a command adds to what it has seen.
  func seen(by command: Command) -> [Seen] {
    let told = command.parent.map(path)?.flatMap { commands[$0].seen } ?? []
    let names = Swift.Set(told.map(\.name))
    let known = command.parent.map { past(of: $0, in: command.view).union(.only($0)) } ?? []
    return logs(in: command.view).compactMap { log in
      if log.replica == command.replica { return nil }
      let last = log.commands.last
      // A branch is named by its own name even if it has already been seen under another name.
      let isNamed = names.contains(log.name) || log.trunk == nil
      let isKnown = last.map(known.has) ?? names.contains(log.name)
      return isNamed && isKnown ? nil : Seen(name: log.name, last: last)
    }.sorted { order($0.name) < order($1.name) }
  }

  private func order(_ name: Name) -> (Int, UInt64) {
    switch name {
    case .replica(let replica): (replica.rawValue, 0)
    case .branch(let key): (Replica.allCases.count, key)
    }
  }
}

extension ForkModel.Set {
  init(_ commands: some Sequence<Int>) {
    self = commands.reduce(into: []) { $0.formUnion(.only($1)) }
  }
}
