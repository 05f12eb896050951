package import Bytes
package import Crypto
import Journaling
package import Platform

/// The content of a bundle, and whether signatures prove it.
package struct BundleContents: Sendable {
  /// The events of one replica in the bundle.
  package struct Log: Sendable {
    package var replica: UniqueID
    /// The name of the device, from its first event; nil if that event is not in the bundle.
    package var name: String?
    /// The events, branch by branch.
    package var ranges: [ClosedRange<UInt64>] = []
    package var frames = 0
    package var bytes = 0
    /// The events whose signatures are in the bundle.
    package var heads: [UInt64] = []
    /// The number of events without bodies.
    package var stripped = 0
    /// The time at which the last event was written, according to the author's clock.
    package var lastWritten: Int64?
    /// Whether the replica's key is unknown, so that no signature could be checked.
    package var isKeyUnknown = false

    package var events: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }
  }

  package var byteCount: Int
  /// The writer's hello; nil if the bundle ends before the hello.
  package var hello: Hello?
  /// The founder's name when it founded the book; nil if the founder's first event is not in the bundle.
  package var founder: String?
  /// The founder's log; nil if its first event is not in the bundle.
  package var founderLog: UniqueID?
  package var logs: [Log] = []
  package var problems: [SyncProblem] = []

  package var events: UInt64 { logs.reduce(0) { $0 + $1.events } }
}

extension Bundle {
  /// Reads the content of a bundle without storing anything.
  ///
  /// Every frame is decoded, and its hashes are checked, including the one that links it to the previous frame.
  /// Signatures are checked with the keys in the first events of the logs, or with keys that the caller supplies.
  package static func inspect(
    _ path: Path, on machine: Machine,
    key: @escaping (UniqueID) -> PublicKey? = { _ in nil }
  ) throws(SyncError) -> BundleContents {
    var reading = Inspection(key: key)
    var problems: [SyncProblem] = []
    let size = try BundleStream.forEachMessage(of: path, on: machine, &problems) {
      (message, offset) throws(SyncError) in
      try reading.take(message, at: offset)
    }
    return reading.finish(size, problems)
  }
}

/// A bundle that is being inspected.
private struct Inspection: ~Copyable {
  /// The end of a run of frames of a log, each of which continues the one before it.
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

  /// Processes the next message.
  ///
  /// - Throws: ``SyncError/unexpected(at:)`` if the message is not allowed at this point.
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

  /// Reads the key and the name from the first event, and checks the signature of the frame.
  ///
  /// - Returns: Whether the frame ends in a signature that was not found to be wrong.
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
      (contents.founder, contents.founderLog) = (opening.name, replica)
    }
  }

  /// Links the given frame to an earlier frame of its log.
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
