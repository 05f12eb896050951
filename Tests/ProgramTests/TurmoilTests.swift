import Foundation
import PosixPlatform
import Testing

/// Three machines with servers, with random kills and network faults while commands run.
///
/// `DAYBOOK_COMMANDS` in the environment sets the number of commands, and `DAYBOOK_SEED` the random seed.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"),
  .timeLimit(.minutes(60)))
struct TurmoilTests {
  private static func number(_ name: String, else usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test func `Turmoil: three machines with failures converge and lose nothing`() throws {
    let clock = SystemTimekeeper()
    let start = clock.monotonicMilliseconds()
    let turmoil = try Turmoil(seed: UInt64(Self.number("DAYBOOK_SEED", else: 1)))
    try turmoil.rage(commands: Self.number("DAYBOOK_COMMANDS", else: 90))
    let raged = clock.monotonicMilliseconds()
    let rounds = try turmoil.settle()
    #expect(rounds != nil)
    print(
      turmoil.realm.hasWires
        ? "three network namespaces" : "no namespaces are allowed: three addresses of this machine",
      turmoil.havoc, turmoil.account, "acknowledged \(turmoil.residents.map(\.acknowledged))",
      "\(rounds ?? 0) rounds to converge, \(raged - start) ms and \(clock.monotonicMilliseconds() - raged) ms"
    )
    let logs = try turmoil.residents.map { try $0.log() }
    #expect(logs[0] == logs[1] && logs[1] == logs[2])
    for one in turmoil.residents {
      #expect(one.missing(in: logs[0]) == [])
      #expect(one.faults == [])
      #expect(try one.run("verify").code == 0)
      #expect(try one.problems() == [])
    }
    let undone = Set(logs[0].filter(\.isUndo).map { "\($0.replica) \($0.command)" })
    #expect(undone.count >= turmoil.residents.reduce(0) { $0 + $1.undone })
    #expect(turmoil.residents.allSatisfy { $0.acknowledged > 10 })
  }
}
