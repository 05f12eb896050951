import Bytes
import Crypto
import Domain
import Journaling
import Platform
import SimulatedPlatform
import Testing

@testable import Daybook

/// The journals of a model's machines, each on a disk.
///
/// Written events depend only on the model's command, so machines that hold the same commands and received their
/// strands in the same order share a disk.
final class CopiedDevices {
  typealias Writer = ForkModel.Writer
  typealias Replica = ForkModel.Replica

  /// The way in which events travel from one machine to another.
  enum Way: CaseIterable {
    /// The receiver sends its frontier and its landmarks.
    case syncOutcome
    /// Everything is sent.
    case bundle
  }

  /// A disk, and the role of its machine.
  struct Holder {
    var disk: SimulatedDisk
    var writer: Writer
    /// Whether the machine has abandoned the log with which it was copied.
    var hasLeft: Bool
    var keys: [UInt64]
  }

  private struct Kind: Hashable {
    var writer: Writer
    var hasLeft: Bool
    var keys: [UInt64]
    var strands: [UniqueID]
  }

  private struct Transition: Hashable {
    var holder: Int
    var other: Int?
    var key: UInt64?
    var way: Way?
  }

  static let folder = Path("/book")
  private(set) var holders: [Holder] = []
  private(set) var transitionCount = 0
  private var known: [Kind: Int] = [:]
  private var transitions: [Transition: Int] = [:]
  /// The chain hash at the end of each command.
  private(set) var digests: [UInt64: Digest] = [:]
  private var keys: [Replica: DeviceKeys] = [:]
  private var ids: [Replica: UniqueID] = [:]
  private let machine = SimulatedMachine(seed: 1)

  init() throws {
    for replica in Replica.allCases {
      let seed: UInt8 = replica == .second ? 30 : replica == .third ? 50 : 10
      let own = try DeviceKeys(
        signingSeed: Array(repeating: seed, count: 32),
        agreementSeed: Array(repeating: seed + 1, count: 32))
      keys[replica] = own
      ids[replica] = .replica(
        publicKey: own.signing.publicKey, incarnation: Self.incarnation(of: replica))
    }
    try begin()
  }

  private static func incarnation(of replica: Replica) -> UniqueID {
    UniqueID(high: 7, low: UInt64(replica.rawValue))
  }

  private func begin() throws {
    let first: [(Writer, Replica)] = [(.original, .copied), (.second, .second), (.third, .third)]
    var disks: [(Writer, Replica, SimulatedDisk)] = []
    for (writer, replica) in first {
      let disk = SimulatedMachine(seed: UInt64(replica.rawValue) + 1).disk
      var journal = try journal(on: disk, seed: UInt64(replica.rawValue) + 50)
      try begin(replica, in: &journal)
      disks.append((writer, replica, disk))
    }
    for (writer, _, disk) in disks {
      for (other, _, source) in disks where other != writer {
        _ = try send(from: source, of: other, to: disk, by: .bundle)
      }
      _ = try add(Holder(disk: disk, writer: writer, hasLeft: false, keys: []))
    }
  }

  private func begin(_ replica: Replica, in journal: inout Journal) throws {
    _ = try journal.begin(
      try #require(keys[replica]), incarnation: Self.incarnation(of: replica), name: "desk", at: 1)
  }

  func journal(on disk: SimulatedDisk, seed: UInt64 = 1) throws -> Journal {
    try Journal(
      at: Self.folder,
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: Seeded(seed: seed),
        network: machine.network))
  }

  func id(of replica: Replica) throws -> UniqueID { try #require(ids[replica]) }

  func id(of name: ForkModel.Name) throws -> UniqueID {
    switch name {
    case .replica(let replica): try id(of: replica)
    case .branch(let key): .branch(firstCommandHash: try #require(digests[key]))
    }
  }

  /// The same disk in another machine.
  func copy(_ holder: Int, as writer: Writer) throws -> Int {
    var copy = holders[holder]
    copy.writer = writer
    return try add(copy)
  }

  private func add(_ holder: Holder) throws -> Int {
    let folder = Self.folder / "logs" / (try id(of: .copied)).hex
    let kind = Kind(
      writer: holder.writer, hasLeft: holder.hasLeft, keys: holder.keys,
      strands: try holder.disk.list(folder).compactMap { UniqueID(hex: $0) }.sorted())
    if let known = known[kind] { return known }
    holders.append(holder)
    known[kind] = holders.count - 1
    return holders.count - 1
  }

  private func once(
    _ transition: Transition, _ perform: () throws -> Holder
  ) throws -> Int {
    if let known = transitions[transition] { return known }
    transitionCount += 1
    let holder = try add(try perform())
    transitions[transition] = holder
    return holder
  }
}

extension CopiedDevices {
  /// Writes a command of the model on a machine.
  func write(_ command: ForkModel.Command, of model: ForkModel, on holder: Int) throws -> Int {
    try once(Transition(holder: holder, key: command.key)) {
      var next = holders[holder]
      next.disk = next.disk.copy()
      var journal = try journal(on: next.disk, seed: command.key)
      let copied = try id(of: .copied)
      // The rule of incarnations: a machine does not continue a log to which another machine has written.
      let mustLeave = next.hasLeft || journal.isForked(copied)
      if ForkModel.copies.contains(next.writer) { #expect(mustLeave == command.replica.isAnew) }
      let log = try id(of: command.replica)
      if journal.logs[log] == nil { try begin(command.replica, in: &journal) }
      let end = try #require(journal.logs[log])
      let isForked = journal.isForked(log)
      #expect(!isForked)
      if let parent = command.parent { #expect(end.hash == digests[model.commands[parent].key]) }
      let events = try events(of: command, in: model, table: end.table, journal)
      let appended = try journal.append(
        [Journaling.Command(time: Int64(command.sequence) * 1_000, events: events)], to: log,
        keys: try #require(keys[command.replica]))
      #expect(appended.last?.sequence == command.sequence)
      let hash = try #require(appended.last?.hash)
      #expect(digests[command.key] ?? hash == hash)
      digests[command.key] = hash
      next.keys = (next.keys + [command.key]).sorted()
      return next
    }
  }

  private func events(
    of command: ForkModel.Command, in model: ForkModel, table: [UniqueID],
    _ journal: borrowing Journal
  ) throws -> [NewEvent] {
    let seen = try command.seen.map { seen in
      let log = try id(of: seen.name)
      let last = seen.last.map { model.commands[$0] }
      let hash = try last.flatMap { digests[$0.key] } ?? journal.hash(of: log, at: 1)
      return Seen(
        log: table.firstIndex(of: log).map { .index(UInt64($0)) } ?? .introduced(log),
        sequence: last?.sequence ?? 1, hash: try #require(hash).prefix16)
    }
    let body = { (number: UInt64) -> [UInt8] in
      var writer = CBORWriter()
      writer.arrayHeader(4)
      writer.unsigned(0)
      writer.unsigned(2)
      writer.unsigned(number)
      writer.unsigned(command.key)
      return writer.bytes
    }
    return [NewEvent(seen: seen, body: body(1)), NewEvent(body: body(2))]
  }

  /// Sends all events of one machine to another.
  func sync(_ receiver: Int, from sender: Int, by way: Way) throws -> Int {
    try once(Transition(holder: receiver, other: sender, way: way)) {
      var next = holders[receiver]
      next.disk = next.disk.copy()
      let hasNews = try send(
        from: holders[sender].disk, of: holders[sender].writer, to: next.disk, by: way)
      if hasNews, ForkModel.copies.contains(next.writer) { next.hasLeft = true }
      next.keys = Set(next.keys).union(holders[sender].keys).sorted()
      return next
    }
  }

  /// - Returns: Whether the copied log had new events.
  private func send(
    from: SimulatedDisk, of writer: Writer, to: SimulatedDisk, by way: Way
  ) throws -> Bool {
    let sender = try journal(on: from)
    var receiver = try journal(on: to)
    var told: [Place] = []
    if way == .syncOutcome {
      told = try receiver.places() + receiver.landmarks(for: try sender.places())
    }
    let copied = try id(of: .copied)
    let held = try Set(places(in: receiver, of: copied))
    var hasNews = false
    for replica in Set(sender.logs.keys.map { sender.lineage(of: $0).replica }).sorted() {
      var export = try sender.export(
        of: replica, lackedBy: told, keys: try signer(of: replica, for: writer))
      while let frame = try export.next() {
        if replica == copied {
          var chain = Chain()
          let last = try Frame.decode(frame.span, at: 0, &chain).events.last?.hash
          if let last, !held.contains(last) { hasNews = true }
        }
        try receiver.receive(frame, of: replica, on: .logs)
      }
    }
    _ = try receiver.commit()
    return hasNews
  }

  private func signer(of replica: UniqueID, for writer: Writer) throws -> DeviceKeys? {
    let own: [Replica] =
      switch writer {
      case .original: [.copied]
      case .left: [.copied, .leftAnew]
      case .right: [.copied, .rightAnew]
      case .second: [.second]
      case .third: [.third]
      }
    return try own.first { try id(of: $0) == replica }.flatMap { keys[$0] }
  }

  /// The chain hashes of all events of a replica.
  private func places(in journal: borrowing Journal, of replica: UniqueID) throws -> [Digest] {
    var hashes: [Digest] = []
    for log in journal.logs.keys where journal.lineage(of: log).replica == replica {
      var reader = try journal.reader(of: log)
      while let read = try reader.read() { hashes += read.frame.events.map(\.hash) }
    }
    return hashes
  }
}

extension CopiedDevices {
  /// A log or branch as a journal shows it.
  struct Shown: Hashable {
    var fork: Fork?
    var end: UInt64
    /// The chain hashes of its own events.
    var hashes: [Digest]
  }

  /// Expects that a disk matches the model.
  func check(_ holder: Int, against model: ForkModel, holding view: ForkModel.Set) throws {
    let journal = try journal(on: holders[holder].disk)
    let logs = model.logs(in: view)
    var expected: [UniqueID: Shown] = [:]
    for log in logs {
      let fork = try log.trunk.map { Fork(trunk: try id(of: $0), lastShared: log.before) }
      expected[try id(of: log.name)] = Shown(
        fork: fork, end: log.end,
        hashes: log.commands.compactMap { digests[model.commands[$0].key] })
    }
    var (found, hashes): ([UniqueID: Shown], [UniqueID: [UInt64: Digest]]) = ([:], [:])
    for (log, end) in journal.logs {
      let first = journal.lineage(of: log).first
      var own: [UInt64: Digest] = [:]
      var reader = try journal.reader(of: log)
      while let frame = try reader.read()?.frame, frame.firstSequence <= end.sequence {
        for event in frame.events where (first...end.sequence).contains(event.sequence) {
          own[event.sequence] = event.hash
        }
      }
      #expect(own.count == Int(end.sequence - first) + 1)
      let ends = own.filter { $0.key > 1 && $0.key % 2 == 1 }.sorted { $0.key < $1.key }
      found[log] = Shown(
        fork: journal.lineage(of: log).fork, end: end.sequence, hashes: ends.map(\.value))
      hashes[log] = own
    }
    #expect(found == expected)
    guard found == expected else { return }
    try checkPasts(journal, hashes, against: model, holding: view)
  }

  private func checkPasts(
    _ journal: borrowing Journal, _ hashes: [UniqueID: [UInt64: Digest]],
    against model: ForkModel, holding view: ForkModel.Set
  ) throws {
    let logs = model.logs(in: view)
    var shown: [UniqueID: (lineage: Lineage, end: UInt64)] = [:]
    for (log, end) in journal.logs { shown[log] = (journal.lineage(of: log), end.sequence) }
    let isForked = logs.contains(where: \.isForked)
    let tree = LogTree(isForked ? shown : [:]) { log, sequence in hashes[log]?[sequence]?.prefix16 }
    var posting = Posting(causality: Causality(), ledger: Ledger())
    for id in tree.ordered(shown.keys) {
      let end = try #require(journal.logs[id])
      let own = journal.lineage(of: id).first...end.sequence
      posting.begin(id, in: tree)
      var reader = try journal.reader(of: id)
      while let frame = try reader.read()?.frame, frame.firstSequence <= own.upperBound {
        try posting.post(frame, of: id, own, table: end.table, in: tree) { _ in }
      }
    }
    var keys: [Int: EventKey] = [:]
    for log in logs {
      let number = try #require(posting.causality.number(of: try id(of: log.name)))
      for command in log.commands {
        keys[command] = EventKey(log: number, sequence: model.commands[command].sequence)
      }
    }
    for (command, key) in keys {
      let past = keys.filter { posting.causality.past(of: key, includes: $0.value) }.keys
      #expect(ForkModel.Set(past) == model.past(of: command, in: view))
    }
  }
}
