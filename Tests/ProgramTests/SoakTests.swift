import Foundation
import Testing

/// Five machines with network faults: for seconds, or for `DAYBOOK_SOAK` minutes.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"),
  .timeLimit(.minutes(600)))
struct SoakTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test func `Soak: five machines with failures lose nothing and use bounded resources`() throws {
    let minutes = Self.number("DAYBOOK_SOAK")
    let seed = UInt64(Self.number("DAYBOOK_SEED") ?? 1)
    let soak = try Soak(machines: 5, seed: seed)
    try soak.rage(seconds: minutes.map { $0 * 60 } ?? 6)
    let rounds = try soak.settle()
    print(
      soak.havoc, "\(soak.checks) checks", soak.straits.wrecks.sorted { $0.key < $1.key },
      "acknowledged \(soak.residents.map(\.acknowledged))", "\(rounds ?? 0) rounds to converge",
      "most \(soak.most)")
    for place in stride(from: 0, to: soak.elders.count, by: max(1, soak.elders.count / 12)) {
      print("elders \(place): \(soak.elders[place])")
    }
    #expect(rounds != nil)
    let logs = try soak.residents.map { try $0.log() }
    #expect(logs.dropFirst().allSatisfy { $0 == logs[0] })
    for one in soak.residents {
      #expect(one.missing(in: logs[0]) == [])
      #expect(one.faults == [])
      #expect(try one.run("verify").code == 0)
      #expect(try one.problems() == [])
    }
    try expectFlat(soak, events: logs[0].count)
  }

  /// Expects long-lived processes to use few resources, and no more over time.
  private func expectFlat(_ soak: Soak, events: Int) throws {
    let (servers, followers) = (soak.elders.map(\.server), soak.elders.map(\.follower))
    for footprints in [servers, followers] {
      let early = Footprint.most(of: footprints.prefix(footprints.count / 2))
      let late = Footprint.most(of: footprints.suffix(footprints.count / 4))
      #expect(late.descriptors <= early.descriptors + 4)
      // The memory for the state of the logs grows by a few bytes for each event.
      #expect(late.residentBytes <= early.residentBytes + 8 << 20 + 100 * events)
    }
    let most = Footprint.most(of: servers + followers + [soak.most])
    #expect(most.descriptors <= 80)
    #expect(most.residentBytes <= 96 << 20)
  }
}
