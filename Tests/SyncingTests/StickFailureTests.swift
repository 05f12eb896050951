import Bytes
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Sticks that fail at any call: what was left on them stays, and is there when they work again.
struct StickFailureTests {
  private static func bert() -> MemoryHolder {
    MemoryHolder(.bert).write(["b1"], to: .bert).write((1...19).map { "a\($0)" }, to: .anna)
  }

  /// Looks at a stick, takes what is on it, and leaves there what it lacks.
  private static func exchange(
    _ holder: MemoryHolder, with disk: SimulatedDisk, of machine: SimulatedMachine
  ) throws {
    var peer = try DirectoryPeer(
      at: DirectoryTests.folder,
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: machine.dice, network: machine.network))
    _ = try peer.survey(.book)
    _ = try peer.pull(.book, into: holder)
    _ = try peer.push(from: holder)
  }

  /// Lets each call of an exchange fail, and sees that the next ones bring everything to everybody.
  private static func sweep(
    _ machine: SimulatedMachine, _ fault: DiskFault, visitor: () -> MemoryHolder
  ) throws {
    let expected = bert().frontier
    for number in 1... {
      let (disk, holder, newcomer) = (machine.disk.copy(), visitor(), MemoryHolder(.cleo))
      let before = disk.calls.all
      disk.failCall(number, of: .all, with: fault)
      do {
        try exchange(holder, with: disk, of: machine)
        if disk.calls.all - before < number { return }
      } catch SyncError.disk(let error) {
        #expect(error.reason == fault)
      }
      disk.clearWeather()
      for next in [bert(), holder, newcomer] { try exchange(next, with: disk, of: machine) }
      #expect([holder.frontier, newcomer.frontier] == [expected, expected], "call \(number)")
    }
  }

  @Test(arguments: [DiskFault.io, .notADirectory, .tooManyOpen])
  func `what is on a stick outlasts a failure of any call`(fault: DiskFault) throws {
    // Small files, which go in favour of a large one.
    try Self.sweep(try TidyTests.littered(17).tests.machine, fault, visitor: Self.bert)
  }

  @Test func `so does what waits there for what is before it`() throws {
    let (tests, anna) = (DirectoryTests(), MemoryHolder(.anna))
    for number in 1...4 { _ = try tests.push(anna.write(["a\(number)"], to: .anna)) }
    for path in tests.machine.disk.files.keys where path.name.contains("1-000000000001-") {
      try tests.machine.disk.remove(path)
    }
    #expect(tests.ranges(of: .anna) == [2...2, 3...3, 4...4])
    try Self.sweep(tests.machine, .tooManyOpen) { MemoryHolder(.anna) }
  }
}
