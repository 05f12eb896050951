import Daybook
import Foundation
import SimulatedPlatform
import TestDice
import Testing

/// Two books sync repeatedly over lines that are slow, break, and change bytes.
struct ChaosTests {
  /// The number of meetings; `DAYBOOK_CHAOS` sets more, and tries a cut after every byte.
  private static let asked =
    ProcessInfo.processInfo.environment["DAYBOOK_CHAOS"].flatMap { Int($0) }
  private static let meetings = 20
  private static let histories = max(1, (asked ?? 120) / meetings)
  private static let disks = Result { try ChaosPair.disks() }

  private static func pair(_ seed: UInt64) throws -> ChaosPair {
    try ChaosPair(try disks.get(), seed: seed)
  }

  @Test(arguments: Array(3_000..<3_000 + UInt64(histories)))
  func `Line faults: books stay valid, and become equal once the faults stop`(seed: UInt64) throws {
    let pair = try Self.pair(seed)
    var dice = Dice(seed: seed &+ 1 << 32)
    for number in 0..<Self.meetings {
      let comment: Comment = "seed \(seed), meeting \(number)"
      for side in pair.sides where dice.chance(70) { try side.write(&dice) }
      let road = dice.pick(ChaosPair.Road.allCases) ?? .plain
      if dice.chance(10) { for side in pair.sides { side.stop() } }
      let chaos = Chaos.drawn(from: &dice, length: road == .plain ? 2_000 : 4_000)
      try pair.tryOut(road, chaos, from: dice.number(2), comment)
    }
    let road = dice.pick(ChaosPair.Road.allCases) ?? .plain
    try pair.settle(road, "seed \(seed), at the end")
  }

  @Test(arguments: ChaosPair.Road.allCases)
  func `Line faults: every fault but a short pause is detected`(road: ChaosPair.Road) throws {
    let disks = try Self.small()
    let garbage = [UInt8](repeating: 7, count: 40)
    let deeds: [Mischief.Deed] =
      [.flip(4), .insert(garbage), .again(30), .drop(3), .rest(milliseconds: 700_000)]
      + Mischief.End.allCases.map { .end($0) }
    for deed in deeds + [.rest(milliseconds: 20)] {
      let pair = try ChaosPair(disks, seed: 2)
      let chaos = Chaos(there: Mischief(steps: [.init(offset: 300, deed: deed)]))
      let comment: Comment = "\(deed)"
      let outcome = try pair.tryOut(road, chaos, from: 0, comment)
      #expect(outcome.faults.isEmpty == (deed == .rest(milliseconds: 20)), comment)
    }
  }

  // MARK: Cut at any byte

  /// The disks of two devices that each have a few events for the other.
  private static func small() throws -> [SimulatedDisk] {
    let pair = try pair(1)
    for side in pair.sides { try TrustingTests.add("news", to: side.book) }
    return pair.sides.map(\.disk)
  }

  /// A kind of connection, and the direction that is cut.
  struct Way: CustomTestStringConvertible {
    let road: ChaosPair.Road
    let isThere: Bool

    var testDescription: String { "\(road), what the \(isThere ? "dialler" : "listener") says" }

    static let all = ChaosPair.Road.allCases.flatMap { road in
      [true, false].map { Way(road: road, isThere: $0) }
    }
  }

  @Test(arguments: Way.all)
  func `Line faults: after a cut at any byte, books are valid and the next sync completes`(
    way: Way
  ) throws {
    let disks = try Self.small()
    let whole = try ChaosPair(disks, seed: 2)
    try whole.settle(way.road, "uncut")
    let first = try ChaosPair(disks, seed: 2)
    let said = try first.meet(way.road, .none, from: 0).said
    let length = way.isThere ? said.there : said.back
    try #require(length > 500)
    // Cut after each of the first bytes, then at regular intervals unless every byte was requested.
    let stride = Self.asked == nil ? length / 10 : 1
    let counts = (0...length).filter { $0 < 6 || $0.isMultiple(of: stride) }
    for (number, count) in counts.enumerated() {
      // Use each kind of end in turn, so that each occurs in every part of a session.
      let end = Mischief.End.allCases[number % Mischief.End.allCases.count]
      try cut(way, after: count, end, disks)
    }
  }

  private func cut(
    _ way: Way, after count: Int, _ end: Mischief.End, _ disks: [SimulatedDisk]
  ) throws {
    let comment: Comment = "cut after \(count) bytes, \(end)"
    let pair = try ChaosPair(disks, seed: 2)
    let chaos = Chaos.cut(after: count, end, isThere: way.isThere)
    try pair.tryOut(way.road, chaos, from: 0, comment)
    try pair.settle(way.road, comment)
  }

  // MARK: In touch

  @Test(arguments: Array(4_000..<4_000 + UInt64(max(1, (asked ?? 0) / 40))))
  func `Line faults: followers that lose their connection repeatedly end with equal books`(
    seed: UInt64
  ) throws {
    let pair = try Self.pair(seed)
    let comment: Comment = "seed \(seed)"
    var (dice, drawing) = (Dice(seed: seed), Dice(seed: seed &+ 1 << 32))
    try pair.keepInTouch(4_000, &dice, comment) { Chaos.drawn(from: &drawing, length: 8_000) }
    #expect(pair.relay.count >= 4, comment)
    try pair.settle(.secure, comment)
  }
}
