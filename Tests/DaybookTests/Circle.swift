import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// Devices of one book that stay connected, advanced in turns over a network without waiting.
final class Circle {
  let office: Office
  let clock = SimulatedTimekeeper(now: Moment(milliseconds: 1_704_100_000_000))
  let network = SimulatedNetwork()
  private(set) var members: [Member] = []

  /// One of the devices.
  final class Member {
    let name: String
    let machine: Machine
    /// The book as opened by another process on the machine.
    let book: Book
    private(set) var live: LiveSync?
    /// The machine as seen by the process that stays connected.
    var liveMachine: Machine
    private var listener: (any Listener)?
    /// The news that was reported, with receipts abbreviated.
    var told: [String] = []

    fileprivate init(_ name: String, _ machine: Machine) throws {
      (self.name, self.machine, liveMachine) = (name, machine, machine)
      book = try Book(at: Office.folder, on: machine, view: .memory)
    }

    private func begin(_ admission: Admission) throws -> LiveSync {
      let own = try Book(at: Office.folder, on: liveMachine, view: .memory)
      let live = try LiveSync(own, admission: admission, letsIn: { _ in false }) { [unowned self] in
        told.append(Circle.brief($0))
      }
      self.live = live
      return live
    }

    func serve(at port: UInt16, admission: Admission = .never) throws {
      let listener = try machine.network.listen(host: "here", port: port)
      self.listener = listener
      try begin(admission).listen(listener)
    }

    func follow(_ ports: [UInt16: String]) throws {
      let live = try begin(.never)
      for (port, name) in ports.sorted(by: { $0.key < $1.key }) {
        let address = PeerAddress.tcp(host: "here", port: port)
        live.follow(
          Contact(name: name, address: address), at: .tcp(Endpoint(host: "here", port: port)))
      }
    }

    func stop() {
      live?.stop()
      listener?.close()
      live = nil
    }

    func add(_ name: String) throws { try TrustingTests.add(name, to: book) }

    func names() throws -> [String] { try TrustingTests.names(book) }
  }

  init(_ office: Office, _ names: [String]) throws {
    self.office = office
    for name in names { try add(name) }
  }

  convenience init(_ names: String..., seed: UInt64) throws {
    let office = Office(seed: seed)
    let first = try office.found(names[0])
    for name in names.dropFirst() {
      _ = try first.replicator.sync(with: Office.directory)
      _ = try office.join(name).replicator.sync(with: Office.directory)
    }
    try office.exchange()
    try self.init(office, names)
  }

  private func add(_ name: String) throws {
    let place = try office.place(name)
    let machine = Machine(
      disk: place.machine.disk, timekeeper: clock, dice: place.machine.dice, network: network)
    members.append(try Member(name, machine))
  }

  subscript(_ place: Int) -> Member { members[place] }

  /// Gives each device `count` turns, a millisecond apart.
  func turn(_ count: Int = 16) throws {
    for _ in 0..<count {
      for member in members { try member.live?.turn(patienceMilliseconds: 0) }
      clock.advance(milliseconds: 1)
    }
  }

  /// Lets time pass in steps of `step` milliseconds.
  func pass(seconds: Int64, step: Int64 = 1_000) throws {
    for _ in 0..<(seconds * 1_000 / step) {
      clock.advance(milliseconds: step)
      try turn(2)
    }
    try turn()
  }

  private static func brief(_ news: LiveNews) -> String {
    func name(_ peer: LivePeer) -> String { peer.name ?? "somebody" }
    func count(_ shares: [Receipt.Share]) -> UInt64 { shares.reduce(0) { $0 + $1.events } }
    switch news {
    case .met(let peer, let receipt):
      return "met \(name(peer)), +\(count(receipt.received)) -\(count(receipt.sent))"
    case .letIn(let peer, let device, _): return "\(name(peer)) let in as \(device)"
    case .news(let peer, let receipt):
      return "\(name(peer)), +\(count(receipt.received)) -\(count(receipt.sent))"
    case .sent(let peer, let shares, _, _): return "\(name(peer)), +0 -\(count(shares))"
    case .left(let peer): return "left \(name(peer))"
    case .lost(let peer, let error, let retry):
      return "lost \(name(peer)), \(retry == nil ? "for good" : "for now"): \(error)"
    case .stripped(let report): return "stripped: \(report)"
    case .turnedAway(_, let error): return "turned away: \(error)"
    case .failed(_, let error): return "failed: \(error)"
    }
  }
}
