import Bytes
import Crypto
import Journaling
import Platform
import Syncing

@testable import Daybook

/// One side of a session that advances step by step, with or without TLS.
final class ChaosSpeaker {
  let guest: CountingGuest
  private let side: ChaosSide
  private let clock: any Timekeeper
  private let secure: SecureLine?
  private let start: Int64
  private var peer: LinePeer?
  private let before: Holdings
  private(set) var fault: SyncError?
  private(set) var isOver = false

  /// Begins a session without TLS.
  init(_ role: Session.Role, for side: ChaosSide, over line: any Line) throws {
    (self.side, clock) = (side, side.machine.timekeeper)
    (secure, start) = (nil, clock.monotonicMilliseconds())
    try side.book.settler.prepareToSync()
    before = try side.book.holdingsReader.holdings()
    guest = CountingGuest(BookReplica(of: side.book.replica))
    peer = LinePeer(role, over: line, holder: guest, timekeeper: clock)
  }

  /// Calls a peer whose key is known, as for a single sync.
  init(visiting side: ChaosSide, over line: any Line) throws {
    (self.side, clock) = (side, side.machine.timekeeper)
    start = clock.monotonicMilliseconds()
    try side.book.settler.prepareToSync()
    before = try side.book.holdingsReader.holdings()
    let allowedPeers = try side.book.peerAllowList.allowedPeers()
    secure = try SecureLine(
      .client, over: line, as: try side.book.core.localDevice.identity, timekeeper: clock
    ) { allowedPeers.admits($0, pinned: nil) }
    guest = CountingGuest(BookReplica(of: side.book.replica))
  }

  /// The report so far.
  var report: SessionReport {
    peer?.report
      ?? SessionReport(
        sent: [:], received: [:], peerHello: nil, peerFrontier: .nothing, frontier: .nothing,
        problems: [])
  }

  /// Does what is possible without waiting.
  func advance() {
    guard !isOver else { return }
    do throws(SyncError) {
      if peer == nil { try shakeHands() }
      isOver = try peer?.advance(patienceMilliseconds: 0) == .finished
    } catch {
      // The line has the exact reason for a broken connection.
      let isCut = error == .network(.cut)
      fault = isCut ? secure?.fault.map { .tls($0) } ?? error : error
      isOver = true
    }
  }

  private func shakeHands() throws(SyncError) {
    guard let secure else { return }
    guard try secure.shakeHands(patienceMilliseconds: 0) else {
      guard clock.monotonicMilliseconds() - start <= Syncing.Limit.helloMilliseconds else {
        secure.close()
        throw .tooSlow
      }
      return
    }
    guest.guest = BookReplica(of: side.book.replica, with: secure.peerKey)
    peer = LinePeer(
      .dialler, over: secure, holder: guest, timekeeper: clock, peerKey: secure.peerKey,
      since: start)
  }

  /// Settles what was received, and notes the sync if it succeeded.
  func end(isNoted: Bool) throws {
    guest.guest.end()
    let book = side.book
    try book.settler.settleAfterSync()
    guard isNoted, fault == nil else { return }
    let syncOutcome = SyncOutcome(report, by: secure?.peerKey, from: guest.guest)
    try book.contactBook.noteSync(with: syncOutcome, at: nil)
    _ = try book.receipts.receipt(syncOutcome, since: before)
  }
}

/// A book in a sync, with the events that it receives.
final class CountingGuest: Holder {
  var guest: BookReplica
  /// The received events of each replica, new or not.
  private(set) var arrivals: [UniqueID: [ClosedRange<UInt64>]] = [:]

  init(_ guest: BookReplica) { self.guest = guest }

  var hello: Hello { guest.hello }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try guest.landmarks(for: other)
  }

  func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream {
    try guest.frames(of: replica, lackedBy: places)
  }

  func checkPeer() throws(SyncError) { try guest.checkPeer() }

  func hear(of other: Frontier) { guest.hear(of: other) }

  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {
    if let label = FrameLabel(frame.span, at: 0) {
      arrivals[replica, default: []].append(label.events)
    }
    try guest.stage(frame, of: replica)
  }

  func commit() throws(JournalError) -> Frontier { try guest.commit() }

  func hasErased(from replica: UniqueID) -> Bool { guest.hasErased(from: replica) }

  func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict {
    guest.verdict(on: frame, of: replica)
  }

  func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool {
    guest.hasBodiesBeyond(frame, of: replica)
  }
}
