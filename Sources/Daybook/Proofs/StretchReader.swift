import Bytes
import Crypto
import Journaling
import Proving

/// Reads events on the way to the end of a log or branch, each up to an event that the device signed.
struct StretchReader {
  /// The device, for messages.
  struct Device {
    var replica: UniqueID
    var name: String
    /// The keys, if this device writes the log.
    var keys: DeviceKeys?
    /// Whether the log's first event began the book.
    var isFounder: Bool
  }

  let store: LogStore
  let tree: LogTree
  let device: Device
  /// The logs from the trunk to the end.
  let path: [UniqueID]

  /// An event with everything that a proof may contain of it.
  struct Event {
    var name: EventName
    var header: [UInt8]
    var salted: Digest
    /// The salt and the body; nil if the body was erased.
    var content: (salt: UniqueID, body: [UInt8])?
    var hash: Digest
    var time: Int64
    var endsCommand: Bool
  }

  /// Events up to a signature.
  struct Part {
    /// The chain hash and the time before the first event.
    var before: Digest
    var time: Int64
    var events: [Event] = []
    var signature: [UInt8]?
  }

  /// Reads from one event through another, up to the next signature.
  ///
  /// The device itself can sign the end of any of its commands. It would make the same signature each time, because a
  /// signature depends only on the key and the events.
  func read(from first: UInt64, through last: UInt64) throws(DaybookError) -> Part {
    var part: Part?
    var next = first
    while true {
      guard let frame = try frame(holding: next) else {
        if part == nil || next <= last { throw missing(next) }
        throw .unprovable(.unsigned(device: device.name, sequence: last))
      }
      let end = min(frame.lastSequence, lastOnPath(from: next))
      var chain = Chain()
      var opened = part ?? Part(before: frame.information.hash, time: frame.information.time)
      for (index, event) in frame.events.enumerated() where event.sequence <= end {
        guard event.sequence >= next else {
          (opened.before, opened.time) = (event.hash, event.time)
          continue
        }
        let isLast = index + 1 == frame.events.count || frame.events[index + 1].isCommandStart
        opened.events.append(self.event(event, in: frame, endsCommand: isLast, &chain))
        if let signature = try signature(at: event, in: frame, through: last, isLast) {
          opened.signature = signature
          return opened
        }
        if event.sequence == 1, last == 1, device.isFounder { return opened }
      }
      part = opened
      next = end + 1
    }
  }

  private func signature(
    at event: EventRecord, in frame: Frame, through last: UInt64, _ endsCommand: Bool
  ) throws(DaybookError) -> [UInt8]? {
    guard event.sequence >= last, endsCommand else { return nil }
    if event.sequence == frame.lastSequence, let head = frame.head { return head.signature }
    guard let keys = device.keys else { return nil }
    let end = LogEnd(
      of: ReplicaPrefix(of: device.replica), sequence: event.sequence, time: event.time, when: 0,
      hash: event.hash, table: [])
    let head = try wrap({ DaybookError.journal(.signing($0)) }) { () throws(CryptoError) in
      try Head(of: device.replica, at: end, by: keys.signing)
    }
    return head.signature
  }

  private func event(
    _ event: EventRecord, in frame: Frame, endsCommand: Bool, _ chain: inout Chain
  ) -> Event {
    let content = frame.content.span
    var made = Event(
      name: name(event.sequence), header: Array(frame.content[event.header]),
      salted: event.hash, content: nil, hash: event.hash, time: event.time,
      endsCommand: endsCommand)
    if let salt = Self.salt(of: event.sequence, in: frame, &chain) {
      made.salted = chain.salted(content.extracting(event.body), salt: salt)
      made.content = (salt, Array(frame.content[event.body]))
    } else {
      var reader = CBORReader(content, at: event.body.lowerBound)
      // The frame has been decoded, so the stripped body is valid.
      if let stripped = try? StrippedBody.decode(&reader) { made.salted = stripped.digest }
    }
    return made
  }

  private static func salt(
    of sequence: UInt64, in frame: Frame, _ chain: inout Chain
  ) -> UniqueID? {
    let (block, first) = (Chain.block(of: sequence), frame.firstSequence)
    switch frame.information.blocks[Int(block - Chain.block(of: first))] {
    case .seed(let seed): return chain.salt(seed: seed, sequence: sequence)
    case .salts(let salts):
      return salts[Int(sequence - max(first, Chain.first(ofBlock: block)))]
    }
  }

  func name(_ sequence: UInt64) -> EventName {
    EventName(log: tree.log(holding: sequence, onPathTo: path[path.count - 1]), sequence: sequence)
  }

  /// The last event of the part of the path that contains an event; the log at the end of the path has no limit.
  private func lastOnPath(from sequence: UInt64) -> UInt64 {
    let log = name(sequence).log
    guard let place = path.firstIndex(of: log), place + 1 < path.count else { return .max }
    return tree.forks[path[place + 1]]?.lastShared ?? .max
  }

  private func frame(holding sequence: UInt64) throws(DaybookError) -> Frame? {
    var found: Frame?
    try store.forEachFrame(of: name(sequence).log, from: sequence, upTo: sequence) { frame, _ in
      if (frame.firstSequence...frame.lastSequence).contains(sequence) { found = frame }
    }
    return found
  }

  private func missing(_ sequence: UInt64) -> DaybookError {
    .unprovable(.missing(device: device.name, sequence: sequence))
  }

  /// Finds the event that added a log to the table at an index.
  func introduction(of index: UInt64) throws(DaybookError) -> UInt64? {
    var found: UInt64?
    for (place, log) in path.enumerated() {
      let last = place + 1 < path.count ? tree.forks[path[place + 1]]?.lastShared ?? .max : .max
      try store.forEachFrame(of: log, from: tree.lineage(of: log).first, upTo: last) { frame, _ in
        var count = frame.information.tableCount
        guard found == nil, index >= count, index < count + UInt64(frame.introduced.count) else {
          return
        }
        for event in frame.events where event.namesOthers {
          // The header has already been decoded, so this cannot fail.
          count += UInt64((try? frame.header(of: event))?.introduced.count ?? 0)
          if count > index {
            found = event.sequence
            return
          }
        }
      }
      if found != nil { return found }
    }
    return nil
  }
}
