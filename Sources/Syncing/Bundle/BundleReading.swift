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
  /// place; each frame proves itself. A refused frame ends what it takes of that log only.
  package static func read(
    _ path: Path, into holder: any Holder, on machine: Machine
  ) throws(SyncError) -> Report {
    do throws(SyncError) {
      return try read(path, by: BundleReading(holder), on: machine)
    } catch {
      _ = try error.blamed()
      return try read(path, by: BundleReading(holder, frameByFrame: true), on: machine)
    }
  }

  private static func read(
    _ path: Path, by reading: consuming BundleReading, on machine: Machine
  ) throws(SyncError) -> Report {
    var problems: [SyncProblem] = []
    do throws(SyncError) {
      _ = try forEachMessage(of: path, on: machine, &problems) {
        (message, offset) throws(SyncError) in
        try reading.take(message, at: offset)
      }
    } catch {
      if case .journal = error { throw error }
      try reading.salvage()
      throw error
    }
    return try reading.finish(problems)
  }

  /// Visits the messages of a bundle one by one, until the end or until there is no going on.
  ///
  /// A message that makes no sense, or is not as agreed for its place, is a problem, and ends it.
  ///
  /// - Returns: How many bytes the file holds.
  static func forEachMessage(
    of path: Path, on machine: Machine, _ problems: inout [SyncProblem],
    _ visit: (Message, _ offset: Int) throws(SyncError) -> Void
  ) throws(SyncError) -> Int {
    let file = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: machine.disk)
    }
    let size = try onDisk { () throws(DiskError) in try file.size() }
    let start = try onDisk { () throws(DiskError) in try file.read(at: 0, count: magic.count) }
    guard start == magic else { throw .notABundle(path) }
    var stream = BundleStream(path, size: size)
    while !stream.isOver {
      let bytes = try onDisk { () throws(DiskError) in
        try file.read(at: stream.offset, count: Limit.chunkBytes)
      }
      if bytes.isEmpty { break }
      try stream.take(bytes, &problems, visit)
    }
    stream.finish(&problems)
    return size
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

/// The bytes of a bundle, taken apart as they are read.
private struct BundleStream: ~Copyable {
  private let path: Path
  /// Where the digest begins, if the file is whole.
  private let end: Int
  /// Where the next bytes begin.
  private(set) var offset = Bundle.magic.count
  /// Whether a message made no sense, and so whatever is behind it.
  private(set) var isOver = false
  private var hasEnded = false
  private var messages = MessageReader(at: Bundle.magic.count)
  private var hasher = SHA256()
  private var trailer: [UInt8] = []

  init(_ path: Path, size: Int) {
    (self.path, end) = (path, size - Bundle.digestCount)
    hasher.update(Bundle.magic)
  }

  mutating func take(
    _ bytes: [UInt8], _ problems: inout [SyncProblem],
    _ visit: (Message, Int) throws(SyncError) -> Void
  ) throws(SyncError) {
    let covered = min(bytes.count, max(0, end - offset))
    hasher.update(Array(bytes.prefix(covered)))
    trailer += bytes.dropFirst(covered)
    offset += bytes.count
    guard !hasEnded else { return }
    messages.append(bytes)
    while !hasEnded {
      let start = messages.offset
      do throws(SyncError) {
        guard let message = try messages.next() else { return }
        if case .end = message { hasEnded = true }
        try visit(message, start)
      } catch {
        switch error {
        case .message, .unexpected:
          problems.append(.truncated(path, at: start))
          isOver = true
          return
        default: throw error
        }
      }
    }
  }

  consuming func finish(_ problems: inout [SyncProblem]) {
    guard !isOver else { return }
    guard hasEnded, messages.offset <= end else {
      return problems.append(.truncated(path, at: messages.offset))
    }
    if messages.offset != end || trailer != hasher.finish().bytes {
      problems.append(.wrongBundleDigest(path))
    }
  }
}

/// A bundle on its way into a holder.
private struct BundleReading: ~Copyable {
  private let holder: any Holder
  /// Whether each frame is stored before the next is read, so that a refused one loses no other.
  private let isFrameByFrame: Bool
  private var intake: Intake
  private var hello: Hello?

  init(_ holder: any Holder, frameByFrame: Bool = false) {
    (self.holder, isFrameByFrame) = (holder, frameByFrame)
    intake = Intake(holder)
  }

  mutating func take(_ message: Message, at offset: Int) throws(SyncError) {
    switch message {
    case .hello(let theirs) where hello == nil:
      try holder.hello.check(theirs)
      hello = theirs
      holder.hear(of: theirs.frontier)
    case .frame(let log, let frame) where hello != nil && isFrameByFrame:
      try intake.takeAlone(frame, of: log)
    case .frame(let log, let frame) where hello != nil: try intake.take(frame, of: log)
    case .end where hello != nil: break
    default: throw .unexpected(at: offset)
    }
  }

  mutating func salvage() throws(SyncError) { try intake.salvage() }

  mutating func finish(_ problems: [SyncProblem]) throws(SyncError) -> Bundle.Report {
    try intake.commit()
    return Bundle.Report(
      hello: hello, received: intake.received, frontier: intake.frontier,
      problems: problems + intake.problems)
  }
}
