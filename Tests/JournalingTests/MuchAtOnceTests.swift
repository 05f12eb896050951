import Bytes
import Journaling
import Testing

/// Staged events are kept in memory, so they are limited.
struct MuchAtOnceTests {
  @Test func `Staging: unproven branches beyond the limit are refused`() throws {
    let receiver = try Bench(keySeed: 100)
    var journal = try receiver.begun()
    var trunk = try HandWrittenLog()
    try journal.receive(try trunk.frame([trunk.opening]), of: trunk.id, on: .logs)
    let end = trunk
    try journal.receive(
      try trunk.frame([HandWrittenLog.plain("trunk")]), of: trunk.id, on: .logs)
    _ = try journal.commit()
    var taken = 0
    #expect(throws: JournalError.tooManyBranches(trunk.id)) {
      for number in 1...70 {
        var branch = end
        let frame = try branch.frame([HandWrittenLog.plain("branch \(number)")], hasHead: false)
        try journal.receive(frame, of: trunk.id, on: .logs)
        taken += 1
      }
    }
    #expect(taken == 63)
  }

  @Test func `Staging: a branch that would add more logs than allowed is refused`() throws {
    var journal = try Bench(keySeed: 100).begun()
    var trunk = try HandWrittenLog()
    try journal.receive(try trunk.frame([trunk.opening]), of: trunk.id, on: .logs)
    let end = trunk
    func branch(_ title: String) throws -> [UInt8] {
      var branch = end
      return try branch.frame([HandWrittenLog.plain(title)])
    }
    let frame = try trunk.frame([HandWrittenLog.plain("trunk")])
    #expect(try journal.receive(frame, of: trunk.id, on: .logs, branchLimit: 0).branchCount == 0)
    // The first branch also makes the events after the fork a log. This is so even before anything is stored.
    for (title, added) in [("a", 2), ("b", 1), ("c", 1)] as [(String, UInt64)] {
      let frame = try branch(title)
      #expect(throws: JournalError.overQuota(trunk.id)) {
        try journal.receive(frame, of: trunk.id, on: .logs, branchLimit: added - 1)
      }
      let news = try journal.receive(frame, of: trunk.id, on: .logs, branchLimit: added)
      #expect(news.branchCount == added)
      if title == "b" { _ = try journal.commit() }
      #expect(try journal.receive(frame, of: trunk.id, on: .logs, branchLimit: 0).branchCount == 0)
    }
    _ = try journal.commit()
    #expect(journal.logs.keys.count { journal.lineage(of: $0).replica == trunk.id } == 5)
  }
}
