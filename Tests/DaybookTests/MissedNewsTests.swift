import Daybook
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

/// News that arrives at inconvenient times.
struct MissedNewsTests {
  /// A clock that runs an action after it has been read a given number of times.
  private final class Trap: Timekeeper {
    private let clock: any Timekeeper
    private let left = Mutex<Int?>(nil)
    private let sprung = Mutex(0)
    private let spring: @Sendable (Int) -> Void

    init(_ clock: any Timekeeper, _ spring: @escaping @Sendable (Int) -> Void) {
      (self.clock, self.spring) = (clock, spring)
    }

    func set(after count: Int) { left.withLock { $0 = count } }

    var isSet: Bool { left.withLock { $0 != nil } }

    func now() -> Moment {
      let isDue = left.withLock { left in
        guard let count = left else { return false }
        left = count > 0 ? count - 1 : nil
        return count == 0
      }
      if isDue {
        spring(
          sprung.withLock { count in
            count += 1
            return count
          })
      }
      return clock.now()
    }

    func monotonicMilliseconds() -> Int64 { clock.monotonicMilliseconds() }
    func localOffsetSeconds(at moment: Moment) -> Int { clock.localOffsetSeconds(at: moment) }
    func pause(microseconds: Int64) { clock.pause(microseconds: microseconds) }
  }

  @Test func `Live sync: a commit made while news is received reaches its sender too`() throws {
    let circle = try Circle("one", "two", seed: 2201)
    let machine = circle[0].machine
    let trap = Trap(circle.clock) { number in
      // This has no effect while another process holds the lock.
      let other = try? Book(at: Office.folder, on: machine, view: .memory)
      _ = try? other?.commands.perform(.addList(name: "meanwhile \(number)", colour: nil))
    }
    circle[0].liveMachine = Machine(
      disk: machine.disk, timekeeper: trap, dice: machine.dice, network: machine.network)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    var count = 0
    repeat {
      trap.set(after: count)
      try circle[1].add("of two \(count)")
      try circle.turn()
      #expect(try circle[1].names() == circle[0].names(), "after \(count)")
      count += 1
    } while !trap.isSet
    #expect(count > 2)
    #expect(try circle[0].names().contains("meanwhile 1"))
  }

  @Test func `Live sync: news that could not be read is sent a moment later`() throws {
    let circle = try Circle("one", "two", seed: 2202)
    let disk = try circle.office.place("one").simulated.disk
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    for number in 1...20 {
      try circle[0].add("list \(number)")
      disk.failCall(number, of: .all, with: .tooManyOpen)
      try circle.turn()
      disk.clearWeather()
      try circle.pass(seconds: 3)
      #expect(try circle[1].names() == circle[0].names(), "call \(number)")
    }
    #expect(circle[0].told.contains { $0.hasPrefix("failed") })
  }
}
