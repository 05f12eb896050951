import Foundation
import PosixPlatform
import TestDice
import Testing

/// Machines that run commands for a given time while processes are killed and network faults occur, with the invariants
/// checked throughout.
final class Soak {
  let straits: Straits
  let residents: [Resident]
  private(set) var havoc = Havoc()
  private(set) var checks = 0
  /// The resources of a server and a follower that are never killed, over time.
  private(set) var elders: [(server: Footprint, follower: Footprint)] = []
  /// The peak resources of all other processes.
  private(set) var most = Footprint.most(of: [])
  private var dice: Dice
  private let clock = SystemTimekeeper()

  init(machines count: Int, seed: UInt64) throws {
    let straits = try Straits(count, seed: seed)
    self.straits = straits
    dice = Dice(seed: seed)
    residents = try straits.machines.map { try Resident($0, in: straits, seed: seed) }
    try residents.gather()
  }

  /// Runs with network faults for the given time.
  func rage(seconds: Int) throws {
    straits.setStorm(true)
    let start = clock.monotonicMilliseconds()
    let end = start + Int64(seconds) * 1_000
    var (nextKill, nextCheck, nextLook) = (start + 1_000, start + 2_000, start)
    while clock.monotonicMilliseconds() < end {
      try giveCommands()
      let now = clock.monotonicMilliseconds()
      if now >= nextKill {
        try killOne()
        nextKill = now + 500 + Int64(dice.number(4_000))
      }
      if now >= nextLook {
        look()
        nextLook = now + 1_000
      }
      if now >= nextCheck {
        try check(residents[dice.number(residents.count)])
        // Checks take longer as the logs grow, so they are limited to about a tenth of the time.
        let took = clock.monotonicMilliseconds() - now
        nextCheck = now + max(2_000, 10 * took)
      }
    }
    straits.setStorm(false)
  }

  private func giveCommands() throws {
    try residents.carryOut(&dice, &havoc)
    for one in residents {
      try one.serve()
      try one.follow()
    }
  }

  /// Kills a server or follower of any machine but the first.
  private func killOne() throws {
    let one = residents[1 + dice.number(residents.count - 1)]
    one.strike(server: dice.chance(60), &havoc)
  }

  private func look() {
    if let server = Footprint(of: residents[0].serving),
      let follower = Footprint(of: residents[0].following)
    {
      elders.append((server, follower))
    }
    let others = residents.dropFirst().flatMap { [$0.serving, $0.following] }
    most = Footprint.most(of: [most] + others.compactMap { Footprint(of: $0) })
  }

  /// Checks that the files of a machine are valid and contain its acknowledged changes.
  private func check(_ one: Resident) throws {
    checks += 1
    #expect(one.missing(in: try one.log()) == [], "machine \(one.number)")
    #expect(one.faults == [], "machine \(one.number)")
    #expect(try one.run("verify").code == 0, "machine \(one.number)")
  }

  /// Syncs all machines without faults until their states are equal.
  ///
  /// - Returns: The number of rounds.
  func settle() throws -> Int? {
    for one in residents {
      _ = one.strike(server: false)
      try one.serve()
    }
    for round in 1...10 {
      for one in residents { _ = try one.run("sync") }
      let standings = try residents.map { try $0.standing() }
      if Set(standings).count == 1 { return round }
    }
    return nil
  }
}
