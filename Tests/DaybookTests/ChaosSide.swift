import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import TestDice
import Testing

@testable import Daybook

/// One of two devices that are connected by faulty lines.
final class ChaosSide {
  let disk: SimulatedDisk
  let machine: Machine
  /// The book of the process that writes and dials.
  let book: Book
  /// The log that the device writes.
  let log: UniqueID
  /// The port at which the device is called.
  let port: UInt16
  /// The process that serves the book or follows the other side, if one runs.
  private(set) var live: LiveSync?
  private var listener: (any Listener)?
  private var deeds: Deeds
  /// The events up to which each log must remain held, because they were acknowledged to a peer.
  private(set) var promised: [UniqueID: UInt64] = [:]
  /// Whether files were rewritten; if so, frames have different boundaries.
  private(set) var hasRepacked = false
  /// The errors of that process's sessions.
  private var faults: [SyncError] = []
  /// The failures of that process itself.
  private var failures: [String] = []

  init(
    _ disk: SimulatedDisk, on network: SimulatedNetwork, _ clock: SimulatedTimekeeper,
    port: UInt16, seed: UInt64
  ) throws {
    (self.disk, self.port) = (disk, port)
    machine = Machine(
      disk: disk, timekeeper: clock, dice: Seeded(seed: seed), network: network)
    book = try Book(at: Office.folder, on: machine, view: .memory)
    log = book.replica.hello.replica
    deeds = Deeds(seed: seed)
    promiseOwn()
  }

  /// Runs a few random commands, and sometimes erases or compacts.
  func write(_ dice: inout TestDice.Dice) throws {
    for _ in 0..<dice.number(4) { try deeds.perform(on: book) }
    if dice.chance(4), let id = dice.pick(try book.view().todos.todos().map(\.head.id)) {
      _ = try book.eraser.erase(id)
      hasRepacked = true
    }
    if dice.chance(10) {
      _ = try book.healer.compact()
      hasRepacked = true
    }
    promiseOwn()
  }

  /// Records the event up to which a log must be held from now on.
  func promise(_ log: UniqueID, upTo sequence: UInt64) {
    promised[log] = max(promised[log] ?? 0, sequence)
  }

  private func promiseOwn() { promise(log, upTo: book.core.store.journal.logs[log]?.sequence ?? 0) }

  // MARK: The process that keeps in touch

  private func begin() throws -> LiveSync {
    let own = try Book(at: Office.folder, on: machine, view: .memory)
    let live = try LiveSync(own, admission: .never, letsIn: { _ in false }) { [unowned self] in
      hear($0)
    }
    self.live = live
    return live
  }

  func serve() throws {
    guard live == nil else { return }
    let listener = try machine.network.listen(host: "here", port: port)
    self.listener = listener
    try begin().listen(listener)
  }

  func follow(_ endpoint: Endpoint) throws {
    let address = PeerAddress.tcp(host: endpoint.host, port: endpoint.port)
    try begin().follow(Contact(name: "other", address: address), at: .tcp(endpoint))
  }

  func stop() {
    live?.stop()
    listener?.close()
    (live, listener) = (nil, nil)
  }

  /// Advances the process, and returns the places that its peers reported.
  func turn() throws -> [Place] {
    guard let live else { return [] }
    try live.turn(patienceMilliseconds: 0)
    return live.sessions.keys.sorted().flatMap { number in
      live.board.call(number)?.conversation?.report.peerFrontier.places ?? []
    }
  }

  var isTalking: Bool { live.map { $0.board.count > 0 } ?? false }

  /// Whether all its sessions have settled.
  var isSettled: Bool {
    guard let live else { return true }
    return live.sessions.keys.allSatisfy {
      live.board.call($0)?.conversation?.state == .settled
    }
  }

  private func hear(_ news: LiveNews) {
    switch news {
    case .met, .letIn, .news, .sent, .left, .stripped: break
    case .lost(_, .sync(let error), retry: _), .turnedAway(_, let error): faults.append(error)
    case .lost(_, .network(let error), retry: _): faults.append(.network(error))
    case .lost(_, let error, retry: _), .failed(_, let error): failures.append("\(error)")
    }
  }

  func takeFaults() -> (faults: [SyncError], failures: [String]) {
    defer { (faults, failures) = ([], []) }
    return (faults, failures)
  }
}
