import Bytes
internal import Crypto
import Platform

/// The bytes of a bundle, divided into messages as they are read.
struct BundleStream: ~Copyable {
  static let magic = Array("daybook bundle 1\n".utf8)
  private static let digestCount = 32

  private let path: Path
  /// The offset at which the digest begins, if the file is complete.
  private let end: Int
  /// The offset of the next bytes.
  private var offset = Self.magic.count
  /// Whether a malformed message has ended the stream.
  private var isOver = false
  private var hasEnded = false
  private var messages = MessageReader(at: Self.magic.count)
  private var hasher = SHA256()
  private var trailer: [UInt8] = []

  /// Visits the messages of a bundle in order, up to the end or the first malformed message.
  ///
  /// A message that is malformed, or not allowed at this point, is recorded as a problem and ends the visit.
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
        try file.read(at: stream.offset, count: Portion.chunkBytes)
      }
      if bytes.isEmpty { break }
      try stream.take(bytes, &problems, visit)
    }
    stream.finish(&problems)
    return size
  }

  /// Whether all messages of a bundle are well-formed and the bundle matches its digest.
  static func isWhole(_ path: Path, on machine: Machine) throws(SyncError) -> Bool {
    var problems: [SyncProblem] = []
    _ = try forEachMessage(of: path, on: machine, &problems) { (_, _) throws(SyncError) in }
    return problems.isEmpty
  }

  private init(_ path: Path, size: Int) {
    (self.path, end) = (path, size - Self.digestCount)
    hasher.update(Self.magic)
  }

  private mutating func take(
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

  private consuming func finish(_ problems: inout [SyncProblem]) {
    guard !isOver else { return }
    guard hasEnded, messages.offset <= end else {
      return problems.append(.truncated(path, at: messages.offset))
    }
    if messages.offset != end || trailer != hasher.finish().bytes {
      problems.append(.wrongBundleDigest(path))
    }
  }
}
