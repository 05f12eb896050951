import Bytes
import Crypto
import Journaling
import Platform
import Syncing

// The results of sessions.

extension LiveSync {
  /// Prepares the book for sessions, and reports the data that was removed by finishing an interrupted erasure.
  static func prepare(_ book: Book, _ tell: (LiveNews) -> Void) throws(DaybookError) {
    try book.settler.prepareToSync()
    let stripped = book.eraser.takeReport()
    if stripped != StripReport() { tell(.stripped(stripped)) }
  }

  func settled(_ call: Call) {
    guard let report = call.conversation?.report, let session = sessions[call.number] else {
      return
    }
    guard let told = session.told, session.welcomed == nil else {
      return tellNews(of: call, report, session)
    }
    let (hasGone, hasCome) = (report.sent != told.sent, report.received != told.received)
    if hasGone { tellSent(call, report, session) }
    guard hasGone || hasCome || report.problems != told.problems else { return }
    if session.due == nil { sessions[call.number]?.due = now + Self.longestDelay }
    guard hasCome else { return }
    // These calls send the new events to all other peers, and this machine's recent commits also to this peer.
    noteTold()
    board.announceNews()
  }

  /// The longest delay, in milliseconds, before received events are folded, even if more arrive.
  private static let longestDelay: Int64 = 20
  /// The shortest delay, in milliseconds.
  ///
  /// During this delay, a peer on this machine can use the processor to learn that its events were stored.
  private static let shortestDelay: Int64 = 1

  /// Reports sent events, which do not change this book.
  private func tellSent(_ call: Call, _ report: SessionReport, _ session: Session) {
    let sent = report.sent.growth(since: session.told?.sent)
    sessions[call.number]?.told?.sent = report.sent
    let departed = session.guest.departures.first(sent, besides: session.departed)
    sessions[call.number]?.departed.merge(departed) { [ClosedRange<UInt64>](joining: $0 + $1) }
    do throws(DaybookError) {
      let went = try sentEvents.changes(
        by: departed, inBranches: session.guest.departedBranches)
      // The peer's statement covers all events of the session, so events sent before the statement are also included.
      let syncOutcome = SyncOutcome(report, by: call.peerKey, from: session.guest)
      let untaken = try book.receipts.untaken(by: syncOutcome)
      tell(
        .sent(
          session.peer, Receipt.shares(sent, try sentEvents.names(of: sent.keys)), went,
          untaken: untaken))
      book.receipts.noteUntaken(untaken, by: call.peerKey)
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// The time at which to fold received events next; nil if there are none.
  ///
  /// The delay is short if events were received and neither side has more to send.
  var nextConclusion: Int64? {
    sessions.compactMap { number, session in
      guard let due = session.due else { return nil }
      let isTalking = board.call(number)?.conversation?.state == .talking
      if isTalking || !isBringing(number) { return due }
      return due - Self.longestDelay + Self.shortestDelay
    }.min()
  }

  /// Folds received events that are due by the given time.
  func conclude(upTo moment: Int64 = .max) {
    for (number, session) in sessions.sorted(by: { $0.key < $1.key }) {
      guard let due = session.due, due <= moment, let call = board.call(number) else { continue }
      conclude(call, session)
    }
  }

  /// Folds the events received over a call, and reports them and the problems.
  ///
  /// If there are none, this function only records what the peer holds.
  private func conclude(_ call: Call, _ session: Session) {
    sessions[call.number]?.due = nil
    guard let report = call.conversation?.report else { return }
    guard report.received == session.told?.received, report.problems == session.told?.problems
    else {
      return tellNews(of: call, report, session)
    }
    do throws(DaybookError) {
      try book.contactBook.notePeer(
        SyncOutcome(report, by: call.peerKey, from: session.guest, since: session), hearing: [])
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// Reports events received since the last report, and at the first meeting also those sent.
  private func tellNews(of call: Call, _ report: SessionReport, _ session: Session) {
    if session.told == nil, let destination = call.destination {
      dials.noteReached(destination)
      noteRejection(false, by: destination)
    }
    sessions[call.number]?.due = nil
    sessions[call.number]?.told = report
    if let told = session.told {
      // Sent events are reported separately, once the peer has stored them.
      sessions[call.number]?.told?.sent = told.sent
    } else {
      sessions[call.number]?.departed = session.guest.departures
    }
    do throws(DaybookError) {
      let syncOutcome = SyncOutcome(report, by: call.peerKey, from: session.guest, since: session)
      let hasCome = report.received != session.told?.received ?? [:]
      let receipt = try conclude(syncOutcome, session, call, hasCome: hasCome)
      let peer = try named(session.peer, call)
      sessions[call.number]?.peer = peer
      tell(session.told == nil ? .met(peer, receipt) : .news(peer, receipt))
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// Folds received events, admits devices, and announces the news to all peers.
  private func conclude(
    _ syncOutcome: SyncOutcome, _ session: Session, _ call: Call, hasCome: Bool
  ) throws(DaybookError) -> Receipt {
    let welcomed = session.welcomed
    sessions[call.number]?.welcomed = nil
    if hasCome || welcomed != nil {
      try book.settler.settleAfterSync()
      forgetGuests()
    }
    var admitted: [Device] = []
    var couldNotAdmit = false
    if let (key, proof) = welcomed {
      try book.invitations.finishWelcome(of: key)
      try meet(key, showing: proof, from: call.peer)
    } else {
      let chosen = try book.shelves.uncut(
        try book.deviceList.waitingDevices().filter(admission.admits))
      let mayAdmit = try book.deviceList.isAdmitted()
      if mayAdmit {
        try book.admin.admit(chosen, by: .machine(call.peer.asRouteName), ifWaiting: true)
      }
      (admitted, couldNotAdmit) = (mayAdmit ? chosen : [], !mayAdmit && !chosen.isEmpty)
      let address = call.destination.flatMap { dials.contact($0).address }
      try book.contactBook.noteSync(with: syncOutcome, at: address)
    }
    // Events that other sessions have received are reported by those sessions.
    let others = broughtByOthers(than: call)
    let now = try book.holdingsReader.holdings()
    let receipt = try book.receipts.receipt(
      syncOutcome,
      since: book.holdingsReader.holdings(before, with: now, of: others),
      admitted: admitted,
      couldNotAdmit: couldNotAdmit, digesting: session.told == nil,
      detailing: Self.detailedEvents)
    before = book.holdingsReader.holdings(now, with: before, of: others)
    try sentEvents.lookUpNames()
    if hasCome || welcomed != nil || !admitted.isEmpty {
      noteTold()
      // The peer that sent the events is included, because other events may have been committed in the meantime. No
      // event is sent to a peer twice.
      board.announceNews()
    }
    return receipt
  }

  /// The maximum number of sent events whose effects are reported; reporting them blocks all other sessions.
  private static let detailedEvents: UInt64 = 10_000

  /// The replicas whose events other sessions have received but not yet reported.
  private func broughtByOthers(than call: Call) -> Set<UniqueID> {
    var brought: Set<UniqueID> = []
    for (number, session) in sessions where number != call.number {
      guard let report = board.call(number)?.conversation?.report else { continue }
      brought.formUnion(report.received.growth(since: session.told?.received).keys)
    }
    return brought
  }

  /// The peer, with its name if that is known.
  private func named(_ peer: LivePeer, _ call: Call) throws(DaybookError) -> LivePeer {
    guard peer.name == nil, let key = call.peerKey else { return peer }
    let name = try book.deviceList.devicesWithoutClocks().first { $0.key == key.bytes }?.name
    return LivePeer(name: name, address: peer.address)
  }

  func ended(_ call: Call, because error: SyncError?) {
    questions?.forget(call.number)
    if let session = sessions[call.number], session.due != nil { conclude(call, session) }
    let session = sessions.removeValue(forKey: call.number)
    session?.guest.end()
    guard phase != .stopped else { return }
    if let destination = call.destination {
      return noteLost(destination, error.map(DaybookError.sync), after: session)
    }
    switch error {
    case nil:
      // A peer that does not stay connected was reported when it finished.
      let stays = call.conversation?.report.peerHello?.stays ?? false
      if let session, stays { tell(.left(session.peer)) }
    case .unwelcome?:
      if let error { tell(.turnedAway(call.peer, error)) }
    case let error?:
      guard let session else { return tell(.turnedAway(call.peer, error)) }
      tell(.lost(session.peer, .sync(error), retry: nil))
    }
  }

  func missed(_ destination: Int, because error: SyncError) {
    noteLost(destination, error.asDaybookError, after: nil)
  }

  private func noteLost(_ destination: Int, _ error: DaybookError?, after session: Session?) {
    guard phase == .running else { return }
    if error?.isRejectionOfKey == true { noteRejection(true, by: destination) }
    let address = dials.contact(destination).address
    let explained = error.map { book.contactBook.explainingRevocation($0, at: address) }
    if let news = dials.noteLost(destination, explained, peer: session?.peer) { tell(news) }
  }

  /// Notes whether a called peer has rejected the key of this device.
  private func noteRejection(_ isRejecting: Bool, by destination: Int) {
    guard let peer = dials.contact(destination).address else { return }
    let notes = RejectionNotes(
      localDevice: book.core.localDevice, projector: book.core.projector)
    // If the note cannot be stored, only a report is missing.
    try? notes.note(isRejecting, by: peer, of: book.contactBook)
  }

  func doorFailed(_ error: SyncError) { tell(.failed(nil, error.asDaybookError)) }
}

extension LiveSync {
  /// Remembers a device that was admitted.
  private func meet(
    _ key: PublicKey, showing proof: Proof, from caller: String
  ) throws(DaybookError) {
    let name = try book.deviceList.devicesWithoutClocks().first { $0.key == key.bytes }?.name
    let host = Endpoint(caller)?.host
    let address = host.flatMap { host in proof.port.map { PeerAddress.tcp(host: host, port: $0) } }
    try book.contactBook.meet(key, called: name ?? proof.name, at: address)
  }
}

extension SyncOutcome {
  /// The result of a session, excluding events that earlier reports have covered.
  ///
  /// Sent events are reported separately after the first report.
  fileprivate init(
    _ report: SessionReport, by key: PublicKey?, from guest: BookReplica,
    since session: LiveSync.Session
  ) {
    self.init(report, by: key, from: guest)
    guard let told = session.told else { return }
    (sent, departures) = ([:], Departures())
    received = Set(report.received.growth(since: told.received).keys)
    problems.removeAll { told.problems.contains($0) }
  }
}

extension [UniqueID: UInt64] {
  fileprivate func growth(since earlier: Self?) -> Self {
    var growth: Self = [:]
    for (replica, count) in self {
      let before = earlier?[replica] ?? 0
      if count > before { growth[replica] = count - before }
    }
    return growth
  }
}

extension [UniqueID: [ClosedRange<UInt64>]] {
  /// For each replica, the first of its events that are not among `others`, up to the given number.
  fileprivate func first(_ counts: [UniqueID: UInt64], besides others: Self) -> Self {
    var first: Self = [:]
    for (replica, count) in counts {
      var left = count
      for range in (self[replica] ?? []).without(others[replica] ?? []) where left > 0 {
        let taken = Swift.min(left, UInt64(range.count))
        first[replica, default: []].append(range.lowerBound...range.lowerBound + (taken - 1))
        left -= taken
      }
    }
    return first
  }
}
