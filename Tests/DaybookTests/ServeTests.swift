import Daybook
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Testing

/// A network whose listener fails as specified, and then has no callers.
private final class FailingNetwork: Network, Listener, Poller {
  private let failures: Mutex<[NetworkError]>
  private let wanted = Mutex<[UInt64: Interest]>([:])
  private let clock: SimulatedTimekeeper
  /// The number of waits for a caller.
  let waits = Atomic(0)
  let port: UInt16 = 7

  init(_ failures: [NetworkError], _ clock: SimulatedTimekeeper) {
    self.failures = Mutex(failures)
    self.clock = clock
  }

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener { self }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line { throw .unreachable }

  func accept(patienceMilliseconds: Int) throws(NetworkError) -> (any Line)? {
    waits.add(1, ordering: .relaxed)
    let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let failure { throw failure }
    return nil
  }

  func close() {}

  // The poller always reports that a caller is waiting.

  func poller() throws(NetworkError) -> any Poller { self }

  func canWait(for subject: any Pollable) -> Bool { subject is FailingNetwork }

  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError) { wanted.withLock { $0[token] = interest } }

  func change(_ token: UInt64, to interest: Interest) throws(NetworkError) {
    wanted.withLock { $0[token] = interest }
  }

  func remove(_ token: UInt64) { wanted.withLock { $0[token] = nil } }

  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness] {
    let ready = wanted.withLock { wanted in
      wanted.sorted { $0.key < $1.key }.filter { $0.value.contains(.reading) }
        .map { Readiness(token: $0.key, interest: .reading) }
    }
    // Each poll takes a moment, because a server handles the last data only up to a deadline.
    clock.advance(milliseconds: ready.isEmpty ? Int64(patienceMilliseconds ?? 0) : 1)
    return ready
  }

  func wake() {}
}

struct ServeTests {
  /// Serves until the server has waited for callers `waits` times, and returns the failures that were reported.
  private func serve(_ failures: [NetworkError], waits: Int) throws -> [String] {
    let simulated = try Desk(seed: 701).simulated
    let network = FailingNetwork(failures, simulated.timekeeper)
    let machine = Machine(
      disk: simulated.disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: network)
    let book = try BookFactory.create(
      at: Desk.folder, on: machine, deviceName: "laptop", view: .memory)
    var told: [String] = []
    try LiveService(of: book).serve(
      host: "127.0.0.1", port: 0, ready: { #expect($0 == 7) },
      tell: { if case .failed(_, let error) = $0 { told.append("\(error)") } },
      until: { network.waits.load(ordering: .relaxed) >= waits })
    return told
  }

  @Test func `Server: a caller that cannot be accepted leaves it running`() throws {
    // Twice, no file descriptor is free for a caller. Then a caller hangs up before it is accepted.
    let failures: [NetworkError] = [.other(24), .other(24), .other(103)]
    #expect(try serve(failures, waits: 5) == ["network(Platform.NetworkError.other(24))"])
    #expect(try serve([], waits: 2) == [])
  }

  @Test func `Server: it ends when its listener is closed or keeps failing`() throws {
    #expect(throws: DaybookError.self) { try serve([.cut], waits: 5) }
    let endless = [NetworkError](repeating: .other(24), count: 4_000)
    #expect(throws: DaybookError.self) { try serve(endless, waits: 4_000) }
  }
}
