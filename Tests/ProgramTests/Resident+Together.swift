import TestDice
import Testing

/// The number of commands run and processes killed.
struct Havoc {
  var commands = 0
  var doomed = 0
  var serversKilled = 0
  var followersKilled = 0
}

extension Resident {
  /// Kills the server or follower, if it is running.
  func strike(server isServer: Bool, _ havoc: inout Havoc) {
    guard strike(server: isServer) else { return }
    if isServer { havoc.serversKilled += 1 } else { havoc.followersKilled += 1 }
  }
}

extension [Resident] {
  /// Makes the machines members of one book; each serves it and follows all others.
  func gather() throws {
    #expect(try self[0].run("add", "list", "Common").code == 0)
    try self[0].serve()
    for guest in dropFirst() {
      try guest.join(self[0])
      try guest.serve()
    }
    for one in self {
      for other in self where other.number != one.number {
        let address = "tcp://" + other.address(from: one.number)
        _ = try one.run("peer", "add", "machine \(other.number)", address)
      }
      try one.follow()
    }
  }

  /// Runs a command on each machine at the same time, and kills some of them.
  func carryOut(_ dice: inout Dice, _ havoc: inout Havoc) throws {
    for one in self {
      let isDoomed = dice.chance(2)
      havoc.commands += 1
      if isDoomed { havoc.doomed += 1 }
      one.foreignTodos = self[dice.number(count)].todos
      try one.beginCommand(isDoomed: isDoomed)
    }
    for one in self { try one.endCommand() }
  }
}
