import Bytes
import Crypto
import Platform
import Syncing

/// The result of an exchange between a book and a peer of any kind, before anything is folded.
struct SyncOutcome {
  /// The number of sent events, by log.
  var sent: [UniqueID: UInt64] = [:]
  /// The logs with new events.
  var received: Set<UniqueID> = []
  /// The logs with new events, including logs that are set aside.
  var brought: Set<UniqueID> = []
  var problems: [SyncProblem] = []
  /// The book of the peer.
  var peerBook: UniqueID?
  /// The peer's own log.
  var peer: UniqueID?
  var peerFrontier = Frontier.nothing
  /// The events that the peer stated in its hello; none for files and folders.
  var told = Frontier.nothing
  /// The key that the peer has shown, if any.
  var peerKey: PublicKey?
  var departures = Departures()
  /// The number of events withheld because no head proves them to other devices, by replica.
  var withheld: [UniqueID: UInt64] = [:]
  /// What only a peer of this kind shows; nil for files and readable folders.
  private var specifics: Specifics?

  private enum Specifics {
    case line(LineUse)
    case store(knocks: [OpenedKnock])
  }

  /// The use of the line to the peer; nil for files, folders and stores.
  var lineUse: LineUse? {
    get { if case .line(let use)? = specifics { use } else { nil } }
    set { specifics = newValue.map(Specifics.line) }
  }

  /// The devices that ask, through a sealed store, to join by an invitation of this device.
  var knocks: [OpenedKnock] {
    get { if case .store(let knocks)? = specifics { knocks } else { [] } }
    set { specifics = .store(knocks: newValue) }
  }

  /// What is known of the line over which a session ran.
  struct LineUse {
    /// The bytes that were sent and received, and the number of round trips.
    var traffic: Traffic
    /// The address that was dialed, after the name of the host was looked up; nil for programs and callers.
    var reached: Endpoint?
  }

  init() {}

  /// Reads a bundle file.
  init(reading path: Path, into local: SyncReplica) throws(SyncError) {
    let guest = BookReplica(of: local, beside: local.store.machine.beside)
    defer { guest.end() }
    let report = try Bundle.read(path, into: guest, on: local.store.machine)
    (received, brought) = (Set(report.received.keys), guest.brought)
    problems = report.problems
    peerBook = report.hello?.book
    peer = report.hello?.replica
    peerFrontier = report.hello?.frontier ?? .nothing
  }

  /// Reads copies of logs.
  init(taking copies: LogCopies, into local: SyncReplica) throws(SyncError) {
    let guest = BookReplica(of: local, beside: local.store.machine.beside)
    defer { guest.end() }
    (received, withheld, problems) = try copies.pull(into: guest)
    brought = guest.brought
  }

  /// Syncs with a directory by reading its events and writing those that it lacks.
  init(in folder: Path, with local: SyncReplica, joining chosen: UniqueID? = nil) throws(SyncError)
  {
    var directory = try DirectoryPeer(
      at: folder, on: local.store.machine, remembering: local.store.layout.memory(of: folder))
    // If an exchange fails, the objects that were read until then need not be read again.
    defer { directory.saveMemory() }
    let guest = BookReplica(of: local, beside: local.store.machine.beside)
    defer { guest.end() }
    let ours = local.hello.book
    guard let theirs = ours ?? chosen else { throw .noBook }
    peerBook = theirs
    let pulled = try directory.pull(theirs, into: guest)
    (received, brought) = (Set(pulled.received.keys), guest.brought)
    problems = pulled.problems
    // While this device is joining a book, it has nothing to write.
    guard ours != nil else { return }
    takePush(try directory.push(from: guest), from: guest)
  }

  /// Adds the events that were written to a folder or store.
  mutating func takePush(_ pushed: DirectoryReport, from guest: BookReplica) {
    sent = pushed.sent
    departures = Departures(
      ranges: guest.departures.keeping(last: sent), inBranches: guest.departedBranches)
    withheld = guest.withheld
    problems += pushed.problems.filter { !problems.contains($0) }
  }

  /// Dials a peer, which must show a key that `admits` accepts, and sends the proof of an invitation, if there is
  /// one.
  ///
  /// `asked` is called when the user of the peer is asked whether to admit this device.
  init(
    dialling address: MachineAddress, for local: SyncReplica, as identity: TLSIdentity,
    proving proof: Proof? = nil, asked: () -> Void = {},
    admits: @escaping @Sendable (PublicKey) -> Bool
  ) throws(SyncError) {
    let clock = local.store.machine.timekeeper
    let line: any Line
    do throws(NetworkError) {
      line = try address.dial(over: local.store.machine.network)
    } catch {
      throw .network(error)
    }
    var start = clock.monotonicMilliseconds()
    let secure = try SecureLine.open(
      .client, over: line, as: identity, timekeeper: clock,
      withinMilliseconds: address.handshakeMilliseconds, admits: admits)
    // The time of a login is not included.
    if case .ssh = address { start = clock.monotonicMilliseconds() }
    try self.init(over: secure, for: local, since: start, proof: proof, asked: asked)
    if address.endpoint != nil { lineUse?.reached = Endpoint(line.peer) }
  }

  private init(
    over line: SecureLine, for local: SyncReplica, since start: Int64, proof: Proof?,
    asked: () -> Void
  ) throws(SyncError) {
    let guest = BookReplica(of: local, with: line.peerKey, beside: local.store.machine.beside)
    defer { guest.end() }
    var session = LinePeer(
      .dialler, over: line, holder: guest, timekeeper: local.store.machine.timekeeper,
      peerKey: line.peerKey, since: start, proof: proof)
    defer { local.store.folder.progress.onProgress?(nil) }
    let report: SessionReport
    var hasTold = false
    do throws(SyncError) {
      report = try session.run { progress in
        guard !progress.awaitsUser else {
          if !hasTold { asked() }
          hasTold = true
          return
        }
        local.store.folder.progress.onProgress?(
          Progress(.sync, done: progress.done, total: progress.total))
      }
    } catch {
      // The line holds the exact reason.
      guard error == .network(.cut), let fault = line.fault else { throw error }
      throw .tls(fault)
    }
    self.init(report, by: line.peerKey, from: guest)
  }

  /// The result of a session with a peer that has shown a key.
  init(_ report: SessionReport, by key: PublicKey?, from guest: BookReplica) {
    sent = report.sent
    (received, brought) = (Set(report.received.keys), guest.brought)
    problems = report.problems
    peerBook = report.peerHello?.book
    peer = report.peerHello?.replica
    told = report.peerHello?.frontier ?? .nothing
    peerFrontier = report.peerFrontier
    peerKey = key
    departures = Departures(ranges: guest.departures, inBranches: guest.departedBranches)
    withheld = guest.withheld
    lineUse = LineUse(traffic: report.traffic)
  }

  /// The number of sent events that, according to its last statement, the peer has not stored, by log.
  ///
  /// Logs with branches are omitted, because it is unknown which branch is missing.
  var untaken: [UniqueID: UInt64] {
    guard lineUse != nil else { return [:] }
    var untaken: [UniqueID: UInt64] = [:]
    for (replica, ranges) in departures.ranges where departures.inBranches[replica] == nil {
      guard peerFrontier.places(of: replica).count < 2 else { continue }
      let left = ranges.without(peerFrontier.events(of: replica))
        .reduce(0) { $0 + UInt64($1.count) }
      if left > 0 { untaken[replica] = left }
    }
    return untaken
  }

  /// Whether the peer could be given all events that it lacks.
  var hasLeftAll: Bool { withheld.isEmpty && !wasRefused }

  /// Whether something could not be written to the peer.
  var wasRefused: Bool {
    problems.contains { problem in
      switch problem {
      case .notLeft, .notSealed: true
      default: false
      }
    }
  }

  /// The number of objects of a sealed store that waited for a key; nil if they could not be counted.
  var waitingCount: Int? {
    var count = 0
    for problem in problems {
      switch problem {
      case .waiting(_, let objects): count = objects
      case .tooManyFiles: return nil
      default: continue
      }
    }
    return count
  }

  /// Adds a second exchange with the same peer.
  mutating func add(_ other: SyncOutcome) {
    sent.merge(other.sent, uniquingKeysWith: +)
    received.formUnion(other.received)
    brought.formUnion(other.brought)
    problems += other.problems.filter { !problems.contains($0) }
    peerFrontier = other.peerFrontier
    withheld.merge(other.withheld, uniquingKeysWith: max)
    departures.add(other.departures)
    if let more = other.lineUse {
      lineUse = LineUse(traffic: (lineUse?.traffic ?? Traffic()) + more.traffic)
    }
  }
}

/// The events that were sent in an exchange.
struct Departures {
  /// The sent events, by replica.
  var ranges: [UniqueID: [ClosedRange<UInt64>]] = [:]
  /// The sent events of replicas that have forked, by log.
  var inBranches: [UniqueID: [ClosedRange<UInt64>]] = [:]

  fileprivate mutating func add(_ other: Departures) {
    ranges.merge(other.ranges) { [ClosedRange<UInt64>](joining: $0 + $1) }
    inBranches.merge(other.inBranches) { [ClosedRange<UInt64>](joining: $0 + $1) }
  }
}

extension [UniqueID: [ClosedRange<UInt64>]] {
  /// For each replica, its last events, up to the given number.
  ///
  /// A folder may not have accepted all events, or may already have had some of them.
  fileprivate func keeping(last counts: [UniqueID: UInt64]) -> Self {
    var kept: Self = [:]
    for (replica, ranges) in self {
      var left = counts[replica] ?? 0
      for range in ranges.reversed() where left > 0 {
        let count = Swift.min(left, UInt64(range.count))
        kept[replica, default: []].insert(
          range.upperBound - (count - 1)...range.upperBound, at: 0)
        left -= count
      }
    }
    return kept
  }
}
