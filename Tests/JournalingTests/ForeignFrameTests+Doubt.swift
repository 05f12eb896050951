import Platform
import SimulatedPlatform
import Testing

@testable import Journaling

/// What is passed over only since others contradict it.
extension ForeignFrameTests {
  @Test func `what is behind frames that may be another log's stays as the beginning comes back`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    // Nothing says yet whose the two are, and the last one contradicts them.
    try bench.machine.disk.replace(ownTail, with: zeros + own[2] + own[3] + own[4])
    try bench.machine.disk.replace(
      guestTail, with: zeros + own[3] + own[4] + zeros + frames[2])
    var journal = try bench.journal()
    try journal.receive(frames[0], of: guest.log, on: .logs)
    _ = try journal.commit()
    #expect(try journal.contents(of: guest.log).events == [whole[0], whole[2]])
    try journal.receive(frames[1], of: guest.log, on: .logs)
    _ = try journal.commit()
    #expect(try bench.journal().contents(of: guest.log).events == Array(whole[..<3]))
  }

  @Test func `what is before frames that are proved to be another log's is the log's own again`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(ownTail, with: zeros + own[1] + own[2])
    try bench.machine.disk.replace(
      guestTail, with: zeros + frames[3] + zeros + own[1] + own[2])
    var journal = try bench.journal()
    for frame in frames[..<2] { try journal.receive(frame, of: guest.log, on: .logs) }
    _ = try journal.commit()
    let kept = [whole[0], whole[1], whole[3]]
    #expect(try journal.contents(of: guest.log).events == kept)
    #expect(try bench.journal().contents(of: guest.log).events == kept)
  }

  @Test(arguments: [false, true])
  func `what is in doubt is not cut off as what lies behind the last frame`(
    afterFailedFlush: Bool
  ) throws {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    let theirs = zeros + own[3] + own[4] + zeros + frames[2]
    try bench.machine.disk.replace(ownTail, with: zeros + own[2])
    try bench.machine.disk.replace(guestTail, with: theirs)
    if afterFailedFlush { try bench.machine.disk.replace(PoisonTests.mark, with: []) }
    var journal = try bench.journal()
    _ = try journal.recover()
    #expect(try bytes(of: guestTail) == theirs)
  }

  @Test func `what does not join the beginning that comes back is not the log's by its place`()
    throws
  {
    let own = try ownFrames()
    let zeros = [UInt8](repeating: 0, count: 40)
    try bench.machine.disk.replace(ownTail, with: own[0])
    try bench.machine.disk.replace(guestTail, with: zeros + own[1] + zeros + frames[2])
    var journal = try bench.journal()
    try journal.receive(frames[0], of: guest.log, on: .logs)
    _ = try journal.commit()
    let kept = [whole[0], whole[2]]
    #expect(try journal.contents(of: guest.log).events == kept)
    _ = try journal.recover()
    #expect(try bench.journal().contents(of: guest.log).events == kept)
  }
}
