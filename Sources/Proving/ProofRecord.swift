import Bytes

/// The record that a proof is about, with the records that were joined with it.
struct ProofRecord {
  private let logs: [ChainedLog]
  /// The chain hashes at the events that added the record's members.
  private var added: Set<Digest>
  /// The chain hashes at the events that joined them.
  private var joins: Set<Digest> = []
  /// The number of the record's kind; nil if the event that added it is erased.
  private(set) var kind: UInt64?
  private(set) var members: [UniqueID] = []
  private(set) var erased: [UniqueID] = []

  init(
    _ id: UniqueID, _ logs: [ChainedLog], _ bodies: [[UInt64: EventBody]]
  ) throws(ProofFault) {
    self.logs = logs
    let hashes = logs.lazy.flatMap(\.events.values).map(\.hash)
    guard let root = hashes.first(where: { Self.id(of: $0) == id }) else { throw .record }
    added = [root]
    try join(bodies)
    members = added.map(Self.id).sorted()
    var erasures: Set<UniqueID> = []
    for case .erase(let add?) in bodies.flatMap(\.values) { erasures.insert(add) }
    for (number, log) in logs.enumerated() {
      for event in log.ordered where added.contains(event.hash) {
        if case .add(let kind) = bodies[number][event.sequence] {
          if event.hash == root { self.kind = kind }
        } else if event.body == nil, erasures.contains(event.hash.prefix16) {
          erased.append(Self.id(of: event.hash))
        } else {
          throw .hiddenAdd(log: number, sequence: event.sequence)
        }
      }
    }
    erased = Set(erased).sorted()
  }

  /// Adds the records that the shown events join with the record.
  private mutating func join(_ bodies: [[UInt64: EventBody]]) throws(ProofFault) {
    var sides: [Digest: [(other: Digest, by: Digest)]] = [:]
    for (number, log) in logs.enumerated() {
      for (sequence, body) in bodies[number].sorted(by: { $0.key < $1.key }) {
        guard case .alias(let target, let other?) = body, let event = log.events[sequence],
          let first = try hash(at: target, in: number, by: sequence),
          let second = try hash(at: other, in: number, by: sequence)
        else { continue }
        sides[first, default: []].append((second, event.hash))
        sides[second, default: []].append((first, event.hash))
      }
    }
    var waiting = Array(added)
    while let side = waiting.popLast() {
      for (other, alias) in sides[side] ?? [] {
        joins.insert(alias)
        if added.insert(other).inserted { waiting.append(other) }
      }
    }
  }

  /// Whether an event is about the record.
  func has(
    _ body: EventBody, _ event: ChainedLog.Event, in log: Int
  ) throws(ProofFault) -> Bool {
    switch body {
    case .add: return added.contains(event.hash)
    case .alias: return joins.contains(event.hash)
    case .change(let target):
      guard let hash = try hash(at: target, in: log, by: event.sequence) else { return false }
      return added.contains(hash) || joins.contains(hash)
    default: return false
    }
  }

  /// The id of the member whose add has a chain hash that begins with these bytes.
  func member(addedAt hash: UniqueID) -> UniqueID? {
    added.first { $0.prefix16 == hash }.map(Self.id)
  }

  /// The chain hash at the event that a reference names; nil if the file does not contain the event.
  private func hash(
    at reference: EventBody.Reference, in log: Int, by sequence: UInt64
  ) throws(ProofFault) -> Digest? {
    guard let index = reference.index else { return logs[log].events[reference.sequence]?.hash }
    let table = logs[log].table
    guard index < UInt64(table.count), table[Int(index)].by <= sequence else {
      throw .index(log: log, sequence: sequence)
    }
    let id = table[Int(index)].log
    let named = logs.filter { $0.events[reference.sequence] != nil && $0.isCalled(id) }
    let hashes = Set(named.compactMap { $0.events[reference.sequence]?.hash })
    guard hashes.count < 2 else { throw .ambiguous(log: log, sequence: sequence) }
    return hashes.first
  }

  private static func id(of hash: Digest) -> UniqueID {
    let bytes = hash.prefix16
    return UniqueID(
      high: bytes.high & ~0xF000 | 0x8000, low: bytes.low & ~(0b11 << 62) | 0b10 << 62)
  }
}
