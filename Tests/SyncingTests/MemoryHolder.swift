import Bytes
import Crypto
import Journaling
import Syncing

/// A holder in memory, whose frames have a frame's label and, in the place of a signature, the
/// chain hash at their end.
final class MemoryHolder: Holder {
  struct Log: Hashable {
    var events: [[UInt8]] = []
    /// The chain hash before the first event, after it, and so on.
    var hashes: [Digest]

    init(_ id: UniqueID) { hashes = [SHA256.digest(of: id.bytes)] }

    mutating func append(_ event: [UInt8]) {
      hashes.append(Self.next(hashes[events.count], event))
      events.append(event)
    }

    static func next(_ hash: Digest, _ event: [UInt8]) -> Digest {
      SHA256.digest(of: hash.bytes + event)
    }
  }

  var book: UniqueID?
  var formerBooks: [UniqueID] = []
  let replica: UniqueID
  private(set) var logs: [UniqueID: Log] = [:]
  private var staged: [UniqueID: Log] = [:]
  var eventsPerFrame = 3
  private(set) var commits = 0
  /// What the next commit throws.
  var failure: JournalError?

  init(_ replica: UniqueID, book: UniqueID? = .book) { (self.replica, self.book) = (replica, book) }

  var hello: Hello {
    Hello(book: book, formerBooks: formerBooks, replica: replica, frontier: frontier)
  }

  var frontier: Frontier {
    Frontier(
      logs.map { id, log in
        Place(log: id, sequence: UInt64(log.events.count), hash: log.hashes[log.events.count])
      })
  }

  /// Writes events, as the device whose log it is.
  @discardableResult
  func write(_ events: [String], to log: UniqueID) -> MemoryHolder {
    for event in events { logs[log, default: Log(log)].append(Array(event.utf8)) }
    return self
  }

  func texts(of log: UniqueID) -> [String] {
    (logs[log]?.events ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  func forEachFrame(
    of log: UniqueID, after sequence: UInt64, _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError) {
    guard let held = logs[log] else { throw .journal(.unknownLog(log)) }
    var done = Int(sequence)
    while done < held.events.count {
      let end = min(done + eventsPerFrame, held.events.count)
      try visit(Self.frame(of: held, done..<end))
      done = end
    }
  }

  func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let held = logs[log], sequence < held.hashes.count else { return nil }
    return held.hashes[Int(sequence)]
  }

  func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    var held = staged[log] ?? logs[log] ?? Log(log)
    guard let (first, before, events, proof) = Self.open(frame) else {
      throw .refused(log, .envelope)
    }
    guard first <= held.events.count + 1 else {
      throw .gap(log, held: UInt64(held.events.count), received: UInt64(first))
    }
    guard held.hashes[first - 1] == before else {
      throw .forked(log, sequence: UInt64(first - 1))
    }
    var hash = before
    for (place, event) in events.enumerated() {
      let sequence = first + place
      hash = Log.next(hash, event)
      if sequence > held.events.count { held.append(event) }
      guard held.hashes[sequence] == hash else {
        throw .forked(log, sequence: UInt64(sequence))
      }
    }
    guard hash == proof else {
      throw .wrongHead(log, sequence: UInt64(first + events.count - 1))
    }
    staged[log] = held
  }

  func commit() throws(JournalError) -> Frontier {
    defer { staged = [:] }
    if let failure {
      self.failure = nil
      throw failure
    }
    commits += 1
    logs.merge(staged) { $1 }
    return frontier
  }
}

extension MemoryHolder {
  static func frame(of log: Log, _ range: Range<Int>) -> [UInt8] {
    var content = log.hashes[range.lowerBound].bytes
    for event in log.events[range] { content += [UInt8(event.count)] + event }
    content += log.hashes[range.upperBound].bytes
    return frame(content, first: UInt64(range.lowerBound + 1), count: UInt32(range.count))
  }

  /// A label as protocol.md section 6 has it, before any content.
  static func frame(_ content: [UInt8], first: UInt64, count: UInt32) -> [UInt8] {
    var bytes: [UInt8] = [0x1f, 0x8b, 8, 6, 0, 0, 0, 0, 0, 255, 21, 0, 0x44, 0x42, 17, 0, 0]
    bytes += little(UInt64(content.count + 35), 4) + little(first, 8) + little(UInt64(count), 4)
    return bytes + [0, 0] + content
  }

  private static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func open(
    _ frame: [UInt8]
  ) -> (first: Int, before: Digest, events: [[UInt8]], proof: Digest)? {
    guard frame.count >= 35 + 64, number(frame[17..<21]) == frame.count else { return nil }
    let (first, count) = (number(frame[21..<29]), number(frame[29..<33]))
    var rest = frame[67..<frame.count - 32]
    var events: [[UInt8]] = []
    while let length = rest.popFirst() {
      guard rest.count >= Int(length) else { return nil }
      events.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    guard first > 0, events.count == count else { return nil }
    return (first, Digest(frame[35..<67]), events, Digest(frame.suffix(32)))
  }
}

extension UniqueID {
  /// An id that begins with a byte, and is zero but for that.
  static func id(_ byte: UInt8) -> UniqueID { UniqueID([byte] + [UInt8](repeating: 0, count: 15)) }

  static let book = id(0xb0)
  static let anna = id(1)
  static let bert = id(2)
  static let cleo = id(3)
}
