import Bytes
import Journaling
import Platform
import SimulatedPlatform
import TestDice
import Testing

@testable import Syncing

/// Frontiers that no honest peer would send.
struct HostileFrontierTests {
  private static let farthest: UInt64 = 1 << 62 - 1

  private static func place(_ log: UInt64, _ sequence: UInt64, _ hash: UInt8 = 1) -> Place {
    Place(
      log: UniqueID(high: 7, low: log), sequence: sequence,
      hash: Digest([UInt8](repeating: hash, count: 32)))
  }

  @Test(arguments: [
    (1...5).map { place($0, farthest) }, (1...5).map { place(1, farthest, $0) },
  ])
  func `Hostile frontier: an event count that overflows is capped`(places: [Place]) {
    #expect(Frontier(places).growth(since: .nothing).values.allSatisfy { $0 >= Self.farthest })
    let frontier = Frontier(places)
    var hello = SessionTests.anna().hello
    hello.frontier = frontier
    for role in [Session.Role.dialler, .listener] {
      var talker = Talker(role, SessionTests.bert())
      _ = talker.takeOutgoing()
      talker.hear(Message.hello(hello).encoded)
      _ = talker.takeOutgoing()
      #expect(talker.state == .talking)
      #expect(talker.conversation.progress.total == .max)
    }
  }

  /// Counts the lookups of landmarks.
  private final class CountingHolder: Holder {
    let holder: MemoryHolder
    private(set) var looks = 0

    init(_ holder: MemoryHolder) { self.holder = holder }

    var hello: Hello { holder.hello }

    func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
      looks += 1
      return try holder.landmarks(for: other)
    }

    func frames(
      of replica: UniqueID, lackedBy places: [Place]
    ) throws(SyncError) -> FrameStream { try holder.frames(of: replica, lackedBy: places) }

    func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {
      try holder.stage(frame, of: replica)
    }

    func commit() throws(JournalError) -> Frontier { try holder.commit() }
  }

  @Test func `Hostile frontier: lookups are limited beyond one for each log`() throws {
    let holder = CountingHolder(SessionTests.bert())
    let own = holder.hello.frontier
    let each = Frontier((1...300).map { Self.place($0, 1) })
    #expect(try holder.answer(to: each, beyond: own, room: 1_000) == (.nothing, false))
    #expect(holder.looks == 300)
    let many = Frontier((1...4_000).map { Self.place(1, $0) })
    #expect(try holder.answer(to: many, beyond: own, room: 5_000) == (.nothing, false))
    #expect(holder.looks == 300 + 1 + Portion.looks)
  }

  /// The growth of a frontier, computed directly from its description.
  private static func plainGrowth(_ later: Frontier, _ earlier: Frontier) -> [UniqueID: UInt64] {
    var growth: [UniqueID: UInt64] = [:]
    for place in later.places where !earlier.places.contains(where: { $0.rank == place.rank }) {
      let before = earlier.places.filter { $0.log == place.log }
      let left = before.filter { old in !later.places.contains { $0.rank == old.rank } }
      if let grown = left.last(where: { $0.sequence < place.sequence }) {
        growth[place.log, default: 0] += place.sequence - grown.sequence
      } else {
        let highest = before.last?.sequence ?? 0
        growth[place.log, default: 0] += place.sequence - min(highest, max(place.sequence, 1) - 1)
      }
    }
    return growth.filter { $0.value > 0 }
  }

  @Test(arguments: 0..<500 as Range<UInt64>)
  func `Hostile frontier: growth agrees with a plain implementation of its description`(
    seed: UInt64
  ) {
    var dice = TestDice::Dice(seed: seed)
    func draw() -> Frontier {
      let places = (0..<dice.number(12)).map { _ in
        Self.place(UInt64(dice.number(3)), UInt64(dice.number(6)), UInt8(dice.number(3)))
      }
      return Frontier(places)
    }
    let (earlier, later) = (draw(), draw())
    #expect(later.growth(since: earlier) == Self.plainGrowth(later, earlier))
    for place in earlier.places + later.places {
      let tells = later.places.contains { $0.rank == place.rank }
      #expect(later.tells(of: place) == tells)
    }
  }
}
