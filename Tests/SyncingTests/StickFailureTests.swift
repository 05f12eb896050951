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

  @Test(arguments: [DiskFault.io, .notADirectory, .tooManyOpen])
  func `what is on a stick outlasts a failure of any call`(fault: DiskFault) throws {
    // Small files, which go in favour of a large one.
    let machine = try TidyTests.littered(17).tests.machine
    let expected = Self.bert().frontier
    for number in 1... {
      let (disk, bert, cleo) = (machine.disk.copy(), Self.bert(), MemoryHolder(.cleo))
      let before = disk.calls.all
      disk.failCall(number, of: .all, with: fault)
      do {
        try Self.exchange(bert, with: disk, of: machine)
        if disk.calls.all - before < number { return }
      } catch SyncError.disk(let error) {
        #expect(error.reason == fault)
      }
      disk.clearWeather()
      for holder in [bert, cleo] { try Self.exchange(holder, with: disk, of: machine) }
      #expect([bert.frontier, cleo.frontier] == [expected, expected], "call \(number)")
    }
  }
}
