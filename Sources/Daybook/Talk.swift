import Bytes
import Platform
import Syncing

/// What was said between a book and a peer, whatever kind of peer it was.
struct Talk {
  /// Events of each log that went out.
  var sent: [UniqueID: UInt64] = [:]
  /// The logs of which something came.
  var received: Set<UniqueID> = []
  var problems: [SyncProblem] = []
  /// The book of the peer.
  var peerBook: UniqueID?
  /// The peer's own log, and how far it is known to hold each log.
  var peer: UniqueID?
  var peerFrontier = Frontier.nothing

  /// Takes what is in a bundle file.
  init(reading path: Path, into book: Book) throws(SyncError) {
    let report = try Bundle.read(path, into: book, on: book.machine)
    received = Set(report.received.keys)
    problems = report.problems
    peerBook = report.hello?.book
    peer = report.hello?.replica
    peerFrontier = report.hello?.frontier ?? .nothing
  }

  /// Takes what a directory has, and leaves there what it lacks.
  init(in folder: Path, with book: Book, joining chosen: UniqueID? = nil) throws(SyncError) {
    var directory = try DirectoryPeer(at: folder, on: book.machine)
    let ours = book.hello.book
    guard let theirs = ours ?? chosen else { throw .noBook }
    peerBook = theirs
    let pulled = try directory.pull(theirs, into: book)
    received = Set(pulled.received.keys)
    problems = pulled.problems
    // A book that is only about to join has nothing to leave yet.
    guard ours != nil else { return }
    let pushed = try directory.push(from: book)
    sent = pushed.sent
    problems += pushed.problems.filter { !pulled.problems.contains($0) }
  }

  /// Dials a peer.
  init(dialling host: String, _ port: UInt16, for book: Book) throws(SyncError) {
    let line: any Line
    do throws(NetworkError) {
      line = try book.machine.network.dial(
        host: host, port: port, patienceMilliseconds: Talk.patienceMilliseconds)
    } catch {
      throw .network(error)
    }
    try self.init(.dialler, over: line, for: book)
  }

  /// Answers a peer that has dialled.
  init(answering line: any Line, for book: Book) throws(SyncError) {
    try self.init(.listener, over: line, for: book)
  }

  private init(
    _ role: Session.Role, over line: any Line, for book: Book
  ) throws(SyncError) {
    var session = LinePeer(role, over: line, holder: book, timekeeper: book.machine.timekeeper)
    let report = try session.run()
    sent = report.sent
    received = Set(report.received.keys)
    problems = report.problems
    peerBook = report.peerHello?.book
    peer = report.peerHello?.replica
    peerFrontier = report.peerFrontier
  }

  /// How long a peer may take to answer the first time.
  private static let patienceMilliseconds = 10_000

  /// Counts another talk with the same peer to this one.
  mutating func add(_ other: Talk) {
    sent.merge(other.sent, uniquingKeysWith: +)
    received.formUnion(other.received)
    problems += other.problems.filter { !problems.contains($0) }
    peerFrontier = other.peerFrontier
  }
}
