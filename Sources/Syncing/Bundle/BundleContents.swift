package import Bytes
package import Crypto
import Journaling
package import Platform

/// What a bundle says that it holds, and whether that proves itself.
package struct BundleContents: Sendable {
  /// The log of one replica, as far as it is there.
  package struct Log: Sendable {
    package var replica: UniqueID
    /// What the device calls itself in its first event; nil where that is not there.
    package var name: String?
    /// The events that are there, branch by branch.
    package var ranges: [ClosedRange<UInt64>] = []
    package var frames = 0
    package var bytes = 0
    /// The events whose signatures are there.
    package var heads: [UInt64] = []
    /// Events whose bodies are gone.
    package var stripped = 0
    /// When the last of the events was written, by its author's clock.
    package var lastWritten: Int64?
    /// Whether nobody was asked for the key, so that no signature of it could be checked.
    package var isKeyUnknown = false

    package var events: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }
  }

  package var byteCount: Int
  /// Who wrote it, and how far it was; nil where it is cut off before that.
  package var hello: Hello?
  /// What the device calls itself that founded the book; nil where its first event is not there.
  package var founder: String?
  package var logs: [Log] = []
  package var problems: [SyncProblem] = []

  package var events: UInt64 { logs.reduce(0) { $0 + $1.events } }
}

extension Bundle {
  /// Reads a bundle for what it holds, and gives it to nobody.
  ///
  /// Each frame is unpacked, joined to the one before and checked by its hashes; signatures are
  /// checked by the keys that the logs' first events give, or else by those that are known.
  package static func inspect(
    _ path: Path, on machine: Machine,
    key: @escaping (UniqueID) -> PublicKey? = { _ in nil }
  ) throws(SyncError) -> BundleContents {
    var reading = Inspection(key: key)
    var problems: [SyncProblem] = []
    let size = try forEachMessage(of: path, on: machine, &problems) {
      (message, offset) throws(SyncError) in
      try reading.take(message, at: offset)
    }
    return reading.finish(size, problems)
  }
}

/// A bundle that is being looked at.
private struct Inspection: ~Copyable {
  /// Where the frames of a log have led to.
  private struct End {
    var sequence: UInt64
    var hash: Digest
    var range: Int
    var isProved: Bool
  }

  var contents = BundleContents(byteCount: 0)
  private var logs: [UniqueID: BundleContents.Log] = [:]
  private var ends: [UniqueID: [End]] = [:]
  private var keys: [UniqueID: PublicKey] = [:]
  private var chain = Chain()
  private let known: (UniqueID) -> PublicKey?

  init(key: @escaping (UniqueID) -> PublicKey?) { known = key }

  /// Takes a message in its turn; false when nothing may follow.
  mutating func take(_ message: Message, at offset: Int) throws(SyncError) {
    switch message {
    case .hello(let hello) where contents.hello == nil: contents.hello = hello
    case .frame(let log, let frame) where contents.hello != nil: take(frame, of: log)
    case .end where contents.hello != nil: break
    default: throw .unexpected(at: offset)
    }
  }

  private mutating func take(_ bytes: [UInt8], of replica: UniqueID) {
    var log = logs.removeValue(forKey: replica) ?? BundleContents.Log(replica: replica)
    defer { logs[replica] = log }
    log.frames += 1
    log.bytes += bytes.count
    do throws(FrameError) {
      let frame = try Frame.decode(bytes.span, at: 0, &chain)
      guard frame.length == bytes.count else { throw .trailing }
      guard frame.replica == ReplicaPrefix(of: replica) else { throw .foreign }
      let isProved = prove(frame, of: replica, &log)
      join(frame, of: replica, isProved, &log)
      log.stripped += frame.events.count { $0.isStripped }
      log.lastWritten = max(log.lastWritten ?? .min, frame.events.last?.time ?? .min)
    } catch {
      contents.problems.append(.log(.refused(replica, error)))
    }
  }

  /// Looks whose log it is and what is signed; true where the frame ends in a signature that is not wrong.
  private mutating func prove(
    _ frame: Frame, of replica: UniqueID, _ log: inout BundleContents.Log
  ) -> Bool {
    if frame.firstSequence == 1 { readOpening(of: frame, of: replica, &log) }
    guard let head = frame.head, let last = frame.events.last else { return false }
    log.heads.append(last.sequence)
    guard let key = keys[replica] ?? known(replica) else {
      log.isKeyUnknown = true
      return true
    }
    guard !head.proves(replica, upTo: last, by: key) else { return true }
    contents.problems.append(.log(.wrongHead(replica, sequence: last.sequence)))
    return false
  }

  private mutating func readOpening(
    of frame: Frame, of replica: UniqueID, _ log: inout BundleContents.Log
  ) {
    guard let opening = frame.opening, let event = frame.events.first,
      replica == .replica(publicKey: opening.publicKey, incarnation: opening.incarnation)
    else { return contents.problems.append(.log(.wrongOpening(replica))) }
    keys[replica] = opening.publicKey
    log.name = opening.name
    if UniqueID.book(firstHash: event.hash) == contents.hello?.book {
      contents.founder = opening.name
    }
  }

  /// Finds the frame's place behind those before it.
  private mutating func join(
    _ frame: Frame, of replica: UniqueID, _ isProved: Bool, _ log: inout BundleContents.Log
  ) {
    let (start, before) = (frame.firstSequence - 1, frame.information.hash)
    guard let hash = frame.events.last?.hash else { return }
    var end = End(sequence: frame.lastSequence, hash: hash, range: 0, isProved: isProved)
    if let place = ends[replica, default: []].firstIndex(where: {
      $0.sequence == start && $0.hash == before
    }) {
      end.range = ends[replica]?[place].range ?? 0
      log.ranges[end.range] = log.ranges[end.range].lowerBound...frame.lastSequence
      ends[replica]?[place] = end
    } else {
      end.range = log.ranges.count
      log.ranges.append(frame.firstSequence...frame.lastSequence)
      ends[replica, default: []].append(end)
    }
  }

  consuming func finish(_ size: Int, _ problems: [SyncProblem]) -> BundleContents {
    contents.byteCount = size
    contents.problems = problems + contents.problems
    for (replica, ends) in ends.sorted(by: { $0.key < $1.key }) {
      for end in ends where !end.isProved {
        let problem = SyncProblem.log(.unproved(replica, sequence: end.sequence))
        let isKnown = contents.problems.contains(
          .log(.wrongHead(replica, sequence: end.sequence)))
        if !isKnown { contents.problems.append(problem) }
      }
    }
    contents.logs = logs.values.sorted { $0.replica < $1.replica }
    return contents
  }
}
