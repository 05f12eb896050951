package import Bytes
internal import Crypto
package import Platform

extension Bundle {
  /// What reading a bundle came to.
  package struct Report: Hashable, Sendable {
    /// Who wrote it, and how far it was.
    package var hello: Hello?
    /// Events of each log that came and are on the disk.
    package var received: [UniqueID: UInt64]
    package var frontier: Frontier
    package var problems: [SyncProblem]

    package init(
      hello: Hello?, received: [UniqueID: UInt64], frontier: Frontier, problems: [SyncProblem]
    ) {
      (self.hello, self.received) = (hello, received)
      (self.frontier, self.problems) = (frontier, problems)
    }
  }

  /// Gives a holder what is in a bundle.
  ///
  /// Of a bundle that is cut off or damaged it takes the messages that are whole, and reports the
  /// place; each frame proves itself.
  package static func read(
    _ path: Path, into holder: any Holder, on machine: Machine
  ) throws(SyncError) -> Report {
    let file = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: machine.disk)
    }
    let size = try onDisk { () throws(DiskError) in try file.size() }
    let start = try onDisk { () throws(DiskError) in try file.read(at: 0, count: magic.count) }
    guard start == magic else { throw .notABundle(path) }
    var reading = BundleReading(path, size: size, holder)
    do throws(SyncError) {
      try reading.run { (offset) throws(SyncError) in
        try onDisk { () throws(DiskError) in
          try file.read(at: offset, count: Limit.chunkBytes)
        }
      }
    } catch {
      if case .journal = error { throw error }
      try reading.salvage()
      throw error
    }
    return try reading.finish()
  }

  /// Who wrote a bundle, or nil where it is cut off before that.
  package static func hello(
    of path: Path, on machine: Machine
  ) throws(SyncError) -> Hello? {
    let file = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: machine.disk)
    }
    // A hello is a message, and no message is longer.
    let bytes = try onDisk { () throws(DiskError) in
      try file.read(at: 0, count: magic.count + 4 + Limit.messageBytes)
    }
    guard bytes.starts(with: magic) else { throw .notABundle(path) }
    var reader = MessageReader(at: magic.count)
    reader.append(Array(bytes.dropFirst(magic.count)))
    guard case .hello(let hello)? = try reader.next() else { return nil }
    return hello
  }
}

/// A bundle on its way into a holder.
private struct BundleReading: ~Copyable {
  let path: Path
  let size: Int
  let holder: any Holder
  var intake: Intake
  var messages = MessageReader(at: Bundle.magic.count)
  var hasher = SHA256()
  var hello: Hello?
  var hasEnded = false
  var problems: [SyncProblem] = []

  init(_ path: Path, size: Int, _ holder: any Holder) {
    (self.path, self.size, self.holder) = (path, size, holder)
    intake = Intake(holder)
  }

  /// Takes the messages one by one until the end, or until there is no going on.
  mutating func run(
    _ read: (_ offset: Int) throws(SyncError) -> [UInt8]
  ) throws(SyncError) {
    hasher.update(Bundle.magic)
    var offset = Bundle.magic.count
    var trailer: [UInt8] = []
    while true {
      let bytes = try read(offset)
      guard !bytes.isEmpty else { break }
      let covered = min(bytes.count, max(0, size - Bundle.digestCount - offset))
      hasher.update(Array(bytes.prefix(covered)))
      trailer += bytes.dropFirst(covered)
      offset += bytes.count
      guard !hasEnded else { continue }
      messages.append(bytes)
      guard try takeWholeMessages() else { return }
    }
    guard hasEnded, messages.offset <= size - Bundle.digestCount else {
      return problems.append(.truncated(path, at: messages.offset))
    }
    if messages.offset != size - Bundle.digestCount || trailer != hasher.finish().bytes {
      problems.append(.wrongBundleDigest(path))
    }
  }

  /// False when a message makes no sense, and so whatever is behind it.
  private mutating func takeWholeMessages() throws(SyncError) -> Bool {
    while !hasEnded {
      let offset = messages.offset
      do throws(SyncError) {
        guard let message = try messages.next() else { return true }
        try take(message, at: offset)
      } catch {
        switch error {
        case .message, .unexpected:
          problems.append(.truncated(path, at: offset))
          return false
        default: throw error
        }
      }
    }
    return true
  }

  private mutating func take(_ message: Message, at offset: Int) throws(SyncError) {
    switch message {
    case .hello(let theirs) where hello == nil:
      try holder.hello.check(theirs)
      hello = theirs
      holder.hear(of: theirs.frontier)
    case .frame(let log, let frame) where hello != nil: try intake.take(frame, of: log)
    case .end where hello != nil: hasEnded = true
    default: throw .unexpected(at: offset)
    }
  }

  mutating func salvage() throws(SyncError) { try intake.salvage() }

  mutating func finish() throws(SyncError) -> Bundle.Report {
    try intake.commit()
    return Bundle.Report(
      hello: hello, received: intake.received, frontier: intake.frontier,
      problems: problems + intake.problems)
  }
}
