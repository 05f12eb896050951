import TestDice
import Testing

// What all that live in one place do together.

extension [Resident] {
  /// Makes one book of theirs: each serves it, knows how to reach each other one, and follows it.
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

  /// Has each carry out a command, all of them at once, and kills some on the way.
  ///
  /// - Returns: How many were killed.
  func carryOut(_ dice: inout Dice) throws -> Int {
    var doomed = 0
    for one in self {
      let isDoomed = dice.chance(2)
      if isDoomed { doomed += 1 }
      one.foreignTodos = self[dice.number(count)].todos
      try one.beginCommand(isDoomed: isDoomed)
    }
    for one in self { try one.endCommand() }
    return doomed
  }
}
