import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Syncing
import TestDice

/// The server and the relay, which run while a caller waits for its line.
struct ChaosWorld {
  private let server: ChaosSide
  private let relay: ChaosRelay
  private let clock: SimulatedTimekeeper
  private var dice: TestDice.Dice
  private var idle = 0
  private var steps = 0
  private var failures: [String] = []
  private(set) var said = (there: 0, back: 0)

  init(
    _ disk: SimulatedDisk, on network: SimulatedNetwork, _ clock: SimulatedTimekeeper,
    _ chaos: Chaos, seed: UInt64
  ) throws {
    server = try ChaosSide(disk, on: network, clock, port: 1, seed: seed)
    relay = try ChaosRelay(on: network, dice: TestDice.Dice(seed: seed &+ 1))
    (self.clock, dice) = (clock, TestDice.Dice(seed: seed &+ 2))
    relay.next = { chaos }
    relay.target = 1
    try server.serve()
  }

  /// Whether all sessions and lines have ended.
  var isQuiet: Bool { relay.isIdle && !server.isTalking }

  /// Advances everything by one step; false after too many steps or a failure.
  mutating func turn() -> Bool {
    steps += 1
    do {
      _ = try server.turn()
      idle = try relay.step(at: clock.monotonicMilliseconds()) ? 0 : idle + 1
      said = relay.said
    } catch {
      failures.append("\(error)")
    }
    // After a few idle steps, let time pass.
    if idle >= 4 { clock.advance(milliseconds: 1 + Int64(dice.number(300))) }
    return steps < ChaosPair.patience && failures.isEmpty
  }

  /// Stops the server, and returns its faults and failures.
  mutating func end() -> (faults: [SyncError], failures: [String]) {
    let told = server.takeFaults()
    server.stop()
    return (told.faults, failures + told.failures)
  }
}

/// The network of a caller that blocks, as programs do; each wait advances the world.
final class WaitingNetwork: Network {
  private let network: SimulatedNetwork
  fileprivate let clock: SimulatedTimekeeper
  private let world: Mutex<ChaosWorld>

  init(
    to disk: SimulatedDisk, over network: SimulatedNetwork, _ clock: SimulatedTimekeeper,
    _ chaos: Chaos, seed: UInt64
  ) throws {
    (self.network, self.clock) = (network, clock)
    world = Mutex(try ChaosWorld(disk, on: network, clock, chaos, seed: seed))
  }

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    throw .notPermitted
  }

  func poller() throws(NetworkError) -> any Poller { throw .notPermitted }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    WaitingLine(try network.dial(host: host, port: port, patienceMilliseconds: 0), self)
  }

  /// Advances the world by one step.
  fileprivate func turn() -> Bool { world.withLock { $0.turn() } }

  /// Runs the world until it is quiet, and returns the outcome.
  func end() -> ChaosPair.Outcome {
    world.withLock { world in
      var isGoing = true
      while isGoing, !world.isQuiet { isGoing = world.turn() }
      let (faults, failures) = world.end()
      return ChaosPair.Outcome(
        faults: faults, failures: failures + (isGoing ? [] : ["no end"]), said: world.said)
    }
  }
}

/// A line whose owner blocks until data arrives.
private final class WaitingLine: Line {
  private let line: any Line
  private let network: WaitingNetwork

  init(_ line: any Line, _ network: WaitingNetwork) {
    (self.line, self.network) = (line, network)
  }

  var peer: String { line.peer }

  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8] {
    let deadline = network.clock.monotonicMilliseconds() + Int64(patienceMilliseconds)
    while true {
      do throws(NetworkError) {
        return try line.receive(upTo: count, patienceMilliseconds: 0)
      } catch {
        guard error == .timedOut, network.clock.monotonicMilliseconds() < deadline else {
          throw error
        }
      }
      // No real line throws this error, so the test can distinguish it from all others.
      guard network.turn() else { throw .notPermitted }
    }
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try line.send(bytes, patienceMilliseconds: patienceMilliseconds)
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int { try line.offer(bytes) }

  func close() { line.close() }
}
