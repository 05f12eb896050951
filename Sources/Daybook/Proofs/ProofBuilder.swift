import Bytes
import Crypto
import Journaling
import Proving

/// Builds the logs of a proof from the events that it is to show.
struct ProofBuilder {
  let store: LogStore
  let localDevice: LocalDevice
  let tree: LogTree
  let trust: Trust
  let book: UniqueID
  let isUnbroken: Bool

  /// The number of events between two stretches up to which they are joined, so that the proof shows that no fork is
  /// between them.
  private static let joinedEvents: UInt64 = 64

  func logs(showing exhibit: ProofExhibit) throws(DaybookError) -> [ProofLog] {
    let held = Set(exhibit.shown.keys).union(exhibit.linked.keys)
    // A trunk is on the path to its branches.
    let trunks = Set(held.flatMap { tree.path(of: $0).dropLast() })
    var logs: [ProofLog] = []
    for end in held.subtracting(trunks).sorted() {
      logs.append(try log(at: end, showing: exhibit))
    }
    return logs
  }

  private func log(
    at end: UniqueID, showing exhibit: ProofExhibit
  ) throws(DaybookError) -> ProofLog {
    let path = tree.path(of: end)
    let reader = try reader(along: path)
    let first = reader.name(1).log
    guard case .open(let opening)? = try store.openEvent(of: first) else {
      throw .unprovable(.missing(device: reader.device.name, sequence: 1))
    }
    var shown: Set<UInt64> = []
    var linked: Set<UInt64> = []
    for log in path {
      shown.formUnion(exhibit.shown[log] ?? [])
      linked.formUnion(exhibit.linked[log] ?? [])
    }
    var needs = shown.union(linked).map { $0...$0 }
    if let last = try lastIntroduction(for: shown, reader) { needs.append(1...last) }
    // The id of a branch is derived from the end of its first command.
    for branch in path where tree.forks[branch] != nil {
      needs.append(try firstCommand(of: branch, reader))
    }
    return ProofLog(
      key: opening.publicKey.bytes, incarnation: opening.incarnation,
      stretches: try stretches(covering: needs, showing: shown, reader))
  }

  private func reader(along path: [UniqueID]) throws(DaybookError) -> StretchReader {
    let replica = tree.replica(of: path[0])
    // If the key cannot be read, the signatures in the log are used.
    let keys = try? localDevice.keys(of: replica)
    let device = StretchReader.Device(
      replica: replica, name: trust.names[path[0]] ?? trust.names[replica] ?? replica.hex,
      keys: keys, isFounder: trust.founder.map(path.contains) ?? false)
    return StretchReader(store: store, tree: tree, device: device, path: path)
  }

  private func firstCommand(
    of branch: UniqueID, _ reader: StretchReader
  ) throws(DaybookError) -> ClosedRange<UInt64> {
    let first = tree.lineage(of: branch).first
    let part = try reader.read(from: first, through: first)
    return first...(part.events.first { $0.endsCommand }?.name.sequence ?? first)
  }

  /// The event that added to the log's table the last log to which a shown event refers by index.
  private func lastIntroduction(
    for shown: Set<UInt64>, _ reader: StretchReader
  ) throws(DaybookError) -> UInt64? {
    var last: UInt64?
    for sequence in shown.sorted() {
      let part = try reader.read(from: sequence, through: sequence)
      guard let index = part.events.first?.content.flatMap({ Self.index(in: $0.body) }) else {
        continue
      }
      last = max(last ?? 0, index)
    }
    return try last.flatMap(reader.introduction)
  }

  /// The highest index by which a body names its target or the record to join; nil if it uses none.
  private static func index(in body: [UInt8]) -> UInt64? {
    var reader = CBORReader(body.span)
    guard let count = try? reader.arrayHeader(), count > 1, let verb = try? reader.unsigned(),
      (1...4).contains(verb)
    else { return nil }
    var indexes: [UInt64] = []
    for item in 1..<count {
      let isReference = item == 1 || (verb == 4 && item.isMultiple(of: 2) == false)
      var ahead = reader
      guard (try? reader.skip()) != nil else { break }
      guard isReference, (try? ahead.arrayHeader()) == 2, let index = try? ahead.unsigned() else {
        continue
      }
      indexes.append(index)
    }
    return indexes.max()
  }

  private func stretches(
    covering needs: [ClosedRange<UInt64>], showing shown: Set<UInt64>, _ reader: StretchReader
  ) throws(DaybookError) -> [ProofStretch] {
    var stretches: [ProofStretch] = []
    for need in needs.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    ) {
      let end = stretches.last.map { $0.first + UInt64($0.events.count) } ?? 0
      guard need.upperBound >= end else { continue }
      let isNear = need.lowerBound <= end || need.lowerBound - end <= Self.joinedEvents
      let continues = !stretches.isEmpty && (isNear || isUnbroken)
      let part = try reader.read(
        from: continues ? end : need.lowerBound, through: need.upperBound)
      let events = part.events.map { Self.event($0, isShown: shown.contains($0.name.sequence)) }
      if continues {
        stretches[stretches.count - 1].events += events
        stretches[stretches.count - 1].signature = part.signature
      } else {
        stretches.append(
          ProofStretch(
            first: need.lowerBound, time: UInt64(part.time), before: part.before,
            signature: part.signature, events: events))
      }
    }
    return stretches
  }

  private static func event(_ event: StretchReader.Event, isShown: Bool) -> ProofEvent {
    guard isShown, let content = event.content else {
      return ProofEvent(header: event.header, content: .hidden(event.salted))
    }
    return ProofEvent(
      header: event.header, content: .shown(salt: content.salt, body: content.body))
  }
}
