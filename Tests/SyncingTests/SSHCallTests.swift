import Platform
import SimulatedPlatform
import Synchronization
import Testing

@testable import Syncing

/// Calls of a sync server that the program `ssh` connects.
struct SSHCallTests {
  private static let address = SSHAddress("ssh://desk")

  /// A simulated `ssh`, whose end of the line the test serves.
  private final class Logins: Sendable {
    private let lines = Mutex<[SimulatedLine]>([])
    private let ending = Mutex<ProgramEnd?>(nil)

    func install(on network: SimulatedNetwork) {
      network.install { [self] _, line in
        lines.withLock { $0.append(line) }
        return Program(logins: self)
      }
    }

    /// Ends all programs, also those that start later.
    func end(_ end: ProgramEnd) { ending.withLock { $0 = end } }

    func take() -> [SimulatedLine] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }

    private struct Program: SimulatedProgram {
      let logins: Logins

      func advance() -> ProgramEnd? { logins.ending.withLock { $0 } }
    }
  }

  private var exchanges = Exchanges()
  private let logins = Logins()
  private let bert: Exchange

  init() throws {
    bert = try exchanges.add(.bert, 2)
    logins.install(on: exchanges.simulated.network)
  }

  private func dial() throws {
    bert.board.dial(.ssh(try #require(Self.address)), as: 7)
    try exchanges.turn()
  }

  @Test mutating func `SSH call: a login may take two minutes, and the session then begins`() throws
  {
    let anna = try exchanges.add(.anna, 1)
    anna.holder.write(["a1"], to: .anna)
    try dial()
    let line = try #require(logins.take().first)
    try exchanges.pass(seconds: 120, steps: 60)
    #expect(bert.ends == [] && bert.board.count == 1)
    try anna.board.serve(line)
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna) == ["a1"])
    #expect(bert.ends == [] && anna.ends == [])
  }

  @Test func `SSH call: a login that takes longer is given up`() throws {
    try dial()
    try exchanges.pass(seconds: 160, steps: 80)
    #expect(bert.ends == [.tooSlow])
    #expect(bert.board.count == 0)
  }

  @Test func `SSH call: the end of the program explains a failed call`() throws {
    logins.end(.exit(code: 127))
    try dial()
    #expect(bert.ends == [.ssh(.noDaybook, at: "ssh://desk")])
    logins.end(.exit(code: 255))
    try dial()
    #expect(bert.ends.last == .ssh(.login, at: "ssh://desk"))
  }

  @Test func `SSH call: the end of the program does not explain a call that this side ends`() throws
  {
    try dial()
    // Ctrl-C, for example, also ends the program.
    logins.end(.killed)
    bert.board.stop()
    #expect(bert.ends == [.cut])
  }

  @Test mutating func `SSH call: after the handshake, a cut line is a cut line`() throws {
    let anna = try exchanges.add(.anna, 1)
    try dial()
    try anna.board.serve(try #require(logins.take().first))
    try exchanges.turn()
    #expect(bert.settled.count == 1)
    exchanges.simulated.network.cutLines()
    try exchanges.turn()
    #expect(bert.ends == [.network(.cut)])
  }
}
