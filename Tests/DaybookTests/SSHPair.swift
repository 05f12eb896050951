import Crypto
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

@testable import Daybook

/// Machines of one book that reach the machine `one` with a simulated `ssh`.
final class SSHPair {
  static let address = SSHAddress("ssh://ada@desk")
  static let peer = address.map(PeerAddress.ssh)

  let office: Office
  let network = SimulatedNetwork()
  private let clock = SimulatedTimekeeper(now: Moment(milliseconds: 1_704_100_000_000))
  private let log = CommandLog()

  /// The programs that were run.
  private final class CommandLog: Sendable {
    let commands = Mutex<[[String]]>([])
  }

  init(seed: UInt64, _ others: String...) throws {
    office = Office(seed: seed)
    let first = try office.found("one")
    for name in others {
      _ = try first.replicator.sync(with: Office.directory)
      _ = try office.join(name).replicator.sync(with: Office.directory)
    }
    try office.exchange()
    serve("one")
  }

  /// A machine that reaches the others with `ssh` only.
  func machine(_ name: String) throws -> Machine {
    let place = try office.place(name)
    return Machine(
      disk: place.machine.disk, timekeeper: clock, dice: place.machine.dice, network: network)
  }

  /// The book of a machine.
  func book(_ name: String) throws -> Book {
    try Book(at: Office.folder, on: try machine(name), view: .memory)
  }

  /// Makes `ssh` connect to the book of a machine.
  func serve(_ name: String) {
    let machine = Result { try self.machine(name) }
    answer { line in RemoteDaybook(machine, line) }
  }

  /// Makes `ssh` a program with this behaviour.
  func answer(_ program: @escaping @Sendable (SimulatedLine) -> any SimulatedProgram) {
    network.install { [log] command, line in
      log.commands.withLock { $0.append(command) }
      return program(line)
    }
  }

  func takeCommands() -> [[String]] {
    log.commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }

  /// Lets time pass on all machines.
  func pass(milliseconds: Int64) { clock.advance(milliseconds: milliseconds) }
}

/// The program `daybook serve --stdio` on a simulated machine.
final class RemoteDaybook: SimulatedProgram {
  private let live: Mutex<LiveSync?>

  init(_ machine: Result<Machine, any Error>, _ line: SimulatedLine) {
    live = Mutex(try? Self.start(machine.get(), line))
  }

  private static func start(_ machine: Machine, _ line: SimulatedLine) throws -> LiveSync {
    let book = try Book(at: Office.folder, on: machine, view: .memory)
    let live = try LiveSync(book, admission: .never, letsIn: { _ in false }) { _ in }
    try live.serve(line)
    return live
  }

  func advance() -> ProgramEnd? {
    live.withLock { live in
      guard let running = live else { return .exit(code: 1) }
      for _ in 0..<4 {
        if (try? running.turn(patienceMilliseconds: 0)) == nil { return .exit(code: 1) }
      }
      guard !running.hasCalls else { return nil }
      running.stop()
      live = nil
      return .exit(code: 0)
    }
  }
}
