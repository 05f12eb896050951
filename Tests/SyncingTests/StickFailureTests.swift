import Bytes
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Sticks that fail at any call.
///
/// Their files survive, and are readable once the stick works again.
struct StickFailureTests {
  private static func bert() -> MemoryHolder {
    MemoryHolder(.bert).write(["b1"], to: .bert).write((1...19).map { "a\($0)" }, to: .anna)
  }

  /// Surveys a stick, pulls its events, and pushes the events that it lacks.
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

  /// Fails each call of an exchange in turn, and checks that the next exchanges bring all events to every holder.
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
  func `Failing stick: its files survive a failure of any call`(fault: DiskFault) throws {
    // Small files, which are removed in favour of a large file.
    try Self.sweep(try TidyTests.littered(17).tests.machine, fault, visitor: Self.bert)
  }

  @Test func `Failing stick: files after a gap survive a failure of any call`() throws {
    let (tests, anna) = (DirectoryTests(), MemoryHolder(.anna))
    for number in 1...4 { _ = try tests.push(anna.write(["a\(number)"], to: .anna)) }
    for path in tests.machine.disk.files.keys where path.name.contains("1-000000000001-") {
      try tests.machine.disk.remove(path)
    }
    #expect(tests.ranges(of: .anna) == [2...2, 3...3, 4...4])
    try Self.sweep(tests.machine, .tooManyOpen) { MemoryHolder(.anna) }
  }
}
