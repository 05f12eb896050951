package import Bytes
internal import Crypto
package import Platform

extension Bundle {
  /// The result of reading a bundle.
  package struct Report: Hashable, Sendable {
    /// The hello of the writer.
    package var hello: Hello?
    /// The number of events received and stored, by log.
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

  /// Stores the events of a bundle.
  ///
  /// If a bundle is incomplete or damaged, its complete messages are used, and the offset of the damage is reported. A
  /// refused frame stops only its own log.
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

  /// Visits the messages of a bundle in order, up to the end or the first malformed message.
  ///
  /// A message that is malformed, or not allowed at this point, counts as a problem and ends the visit.
  ///
  /// - Returns: The number of bytes in the file.
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

  /// The hello of the writer, or nil if the bundle ends before it.
  package static func hello(
    of path: Path, on machine: Machine
  ) throws(SyncError) -> Hello? {
    let file = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: machine.disk)
    }
    // The hello is one message, so this many bytes are enough.
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

/// The bytes of a bundle, divided into messages as they are read.
private struct BundleStream: ~Copyable {
  private let path: Path
  /// The offset at which the digest begins, if the file is complete.
  private let end: Int
  /// The offset of the next bytes.
  private(set) var offset = Bundle.magic.count
  /// Whether a malformed message has ended the stream.
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

/// A bundle that is being read into a store.
private struct BundleReading: ~Copyable {
  private let holder: any Holder
  /// Whether each frame is stored before the next one is read; if so, a refused frame does not affect others.
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
