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
}
