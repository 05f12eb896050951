import Bytes
import Platform
import SimulatedPlatform
import Syncing
import TestDice
import Testing

/// Random trees of one log, distributed over three holders that sync in any order.
struct ConvergenceTests {
  /// Three holders with parts of one log, each without holes.
  static func holders(_ dice: inout TestDice.Dice) -> [MemoryHolder] {
    let all = MemoryHolder(.cleo).write(["start"], to: .cleo)
    for number in 0..<(1 + dice.number(6)) {
      let hashes = (all.logs[.cleo]?.events.keys).map { $0.sorted() } ?? []
      let texts = (0...dice.number(9)).map { "\(number).\($0)" }
      all.write(texts, to: .cleo, behind: dice.pick(hashes))
    }
    let tree = all.logs[.cleo] ?? Tree(.cleo)
    let hashes = tree.events.keys.sorted()
    return [UniqueID.anna, .bert, .cleo].map { id in
      let holder = MemoryHolder(id)
      holder.eventsPerFrame = 1 + dice.number(4)
      for _ in 0..<dice.number(4) {
        for hash in tree.path(to: dice.pick(hashes) ?? tree.root) {
          guard let event = tree.events[hash], let text = event.text else { continue }
          holder.write([text], to: .cleo, behind: event.before)
        }
      }
      return holder
    }
  }

  @Test(arguments: 0..<150)
  func `Convergence: two rounds of sessions give every holder the same tree`(seed: UInt64) {
    var dice = TestDice.Dice(seed: seed)
    let holders = Self.holders(&dice)
    let union = ForkTests.union(holders)
    for _ in 0..<2 {
      for (left, right) in [(0, 1), (1, 2), (0, 2)].shuffled(using: &dice) {
        let isTurned = dice.chance(50)
        let one = holders[isTurned ? right : left]
        let other = holders[isTurned ? left : right]
        let both = ForkTests.union([one, other])
        let (dialler, listener) = ForkTests.sync(one, other)
        #expect(dialler.report.problems + listener.report.problems == [])
        // For two holders, one session is enough.
        #expect(one.logs == both)
        #expect(other.logs == both)
      }
    }
    for holder in holders { #expect(holder.logs == union) }
  }

  @Test(arguments: 0..<60)
  func `Convergence: two rounds over a directory give every holder the same tree`(
    seed: UInt64
  ) throws {
    var dice = TestDice.Dice(seed: 1_000 + seed)
    let holders = Self.holders(&dice)
    let union = ForkTests.union(holders)
    let machine = SimulatedMachine(seed: seed)
    for _ in 0..<2 {
      for holder in holders.shuffled(using: &dice) {
        var directory = try DirectoryTests.peer(on: machine)
        #expect(try directory.pull(.book, into: holder).problems == [])
        #expect(try directory.push(from: holder).problems == [])
      }
    }
    for holder in holders { #expect(holder.logs == union) }
    let before = machine.disk.files
    for holder in holders {
      var directory = try DirectoryTests.peer(on: machine)
      #expect(try directory.pull(.book, into: holder) == DirectoryReport())
      #expect(try directory.push(from: holder) == DirectoryReport())
    }
    #expect(machine.disk.files == before)
  }

  @Test(arguments: 0..<40)
  func `Convergence: two rounds of bundles give every holder the same tree`(seed: UInt64) throws {
    var dice = TestDice.Dice(seed: 2_000 + seed)
    let holders = Self.holders(&dice)
    let union = ForkTests.union(holders)
    let machine = SimulatedMachine(seed: seed)
    let path = Path("/stick/bundle")
    try machine.disk.makeDirectories(path.parent)
    for _ in 0..<2 {
      for giver in holders.shuffled(using: &dice) {
        for taker in holders where taker !== giver {
          _ = try Bundle.write(
            to: path, from: giver, since: taker.frontier, on: machine.machine)
          #expect(try Bundle.read(path, into: taker, on: machine.machine).problems == [])
        }
      }
    }
    for holder in holders { #expect(holder.logs == union) }
  }
}
