import Bytes
import Crypto
import Journaling
import Platform
import Syncing

// What sessions come to.

extension LiveSync {
  func settled(_ call: Call) {
    guard let report = call.conversation?.report, let session = sessions[call.number] else {
      return
    }
    guard let told = session.told, session.welcomed == nil else {
      return tellNews(of: call, report, session)
    }
    let (hasGone, hasCome) = (report.sent != told.sent, report.received != told.received)
    if hasGone { tellSent(call, report, session) }
    guard hasGone || hasCome else { return }
    if session.due == nil { sessions[call.number]?.due = now + Self.longestDelay }
    guard hasCome else { return }
    // Others hear of it at once; so does the one it comes from, of what was committed here meanwhile.
    noteTold()
    board.announceNews()
  }

  /// How long it may take until what has come is looked at, however much is said meanwhile.
  private static let longestDelay: Int64 = 20
  /// How long it takes at least: a peer on this machine may need the processor to hear that it was stored.
  private static let shortestDelay: Int64 = 1

  /// Tells of what went, which has changed nothing here.
  private func tellSent(_ call: Call, _ report: SessionReport, _ session: Session) {
    let sent = report.sent.growth(since: session.told?.sent)
    sessions[call.number]?.told?.sent = report.sent
    let departed = session.guest.departures.first(sent, besides: session.departed)
    sessions[call.number]?.departed.merge(departed) { [ClosedRange<UInt64>](joining: $0 + $1) }
    do throws(DaybookError) {
      let went = try went(departed, session.guest.departedBranches)
      let syncOutcome = SyncOutcome(report, by: call.peerKey, from: session.guest, since: session)
      tell(
        .sent(
          session.peer, Receipt.shares(sent, try names(of: sent.keys)), went,
          untaken: try book.receipts.untaken(by: syncOutcome)))
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// When to look next at what has come; nil where nothing has.
  ///
  /// It is soon where something has come and both sides have said what they had to say.
  var nextConclusion: Int64? {
    sessions.compactMap { number, session in
      guard let due = session.due else { return nil }
      let isTalking = board.call(number)?.conversation?.state == .talking
      if isTalking || !isBringing(number) { return due }
      return due - Self.longestDelay + Self.shortestDelay
    }.min()
  }

  /// Looks at what has come and is due by a moment.
  func conclude(upTo moment: Int64 = .max) {
    for (number, session) in sessions.sorted(by: { $0.key < $1.key }) {
      guard let due = session.due, due <= moment, let call = board.call(number) else { continue }
      conclude(call, session)
    }
  }

  /// Looks at what has come over a call, or remembers at least what its peer holds.
  private func conclude(_ call: Call, _ session: Session) {
    sessions[call.number]?.due = nil
    guard let report = call.conversation?.report else { return }
    guard report.received == session.told?.received else {
      return tellNews(of: call, report, session)
    }
    do throws(DaybookError) {
      try book.contactBook.notePeer(
        SyncOutcome(report, by: call.peerKey, from: session.guest, since: session), hearing: [])
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// Tells what has come since it was last told, and of a first meeting what has gone as well.
  private func tellNews(of call: Call, _ report: SessionReport, _ session: Session) {
    if session.told == nil, let destination = call.destination { noteReached(destination) }
    sessions[call.number]?.due = nil
    sessions[call.number]?.told = report
    if let told = session.told {
      // What goes is told when all of it is there.
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

  /// Puts what has come where it belongs, lets in who is to be let in, and tells the others.
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
      let address = call.destination.flatMap { destinations[$0].contact.address }
      try book.contactBook.noteSync(with: syncOutcome, at: address)
    }
    // What others bring is told with the rest of theirs.
    let others = broughtByOthers(than: call)
    let now = try book.holdingsReader.holdings()
    let receipt = try book.receipts.receipt(
      syncOutcome, since: book.holdingsReader.holdings(before, with: now, of: others),
      admitted: admitted,
      couldNotAdmit: couldNotAdmit, digesting: session.told == nil,
      detailing: Self.detailedEvents)
    before = book.holdingsReader.holdings(now, with: before, of: others)
    try lookUpNames()
    if hasCome || welcomed != nil || !admitted.isEmpty {
      noteTold()
      // Whom it comes from, too: something else may have been committed meanwhile. It is sent nothing twice.
      board.announceNews()
    }
    return receipt
  }

  /// Of more events that went it is not told what they do: nobody else is attended to meanwhile.
  private static let detailedEvents: UInt64 = 10_000

  /// The replicas of whose events other sessions have brought some that were not told yet.
  private func broughtByOthers(than call: Call) -> Set<UniqueID> {
    var brought: Set<UniqueID> = []
    for (number, session) in sessions where number != call.number {
      guard let report = board.call(number)?.conversation?.report else { continue }
      brought.formUnion(report.received.growth(since: session.told?.received).keys)
    }
    return brought
  }

  /// Who it is, once it is known.
  private func named(_ peer: LivePeer, _ call: Call) throws(DaybookError) -> LivePeer {
    guard peer.name == nil, let key = call.peerKey else { return peer }
    let name = try book.deviceList.devices().first { $0.key == key.bytes }?.name
    return LivePeer(name: name, address: peer.address)
  }

  func ended(_ call: Call, because error: SyncError?) {
    questions?.forget(call.number)
    if let session = sessions[call.number], session.due != nil { conclude(call, session) }
    let session = sessions.removeValue(forKey: call.number)
    session?.guest.end()
    guard !isStopping else { return }
    if let destination = call.destination {
      return lost(destination, error.map(DaybookError.sync), after: session)
    }
    switch error {
    case nil:
      // Who does not stay was told of when it was through.
      let stays = call.conversation?.report.peerHello?.stays ?? false
      if let session, stays { tell(.left(session.peer)) }
    case .unwelcome?:
      if let error { tell(.turnedAway(call.peer, error)) }
    case let error?:
      guard let session else { return tell(.turnedAway(call.peer, error)) }
      tell(.lost(session.peer, .sync(error), retry: nil))
    }
  }

  func doorFailed(_ error: SyncError) { tell(.failed(nil, error.asDaybookError)) }
}

extension LiveSync {
  /// Remembers a device that was let in.
  private func meet(
    _ key: PublicKey, showing proof: Proof, from caller: String
  ) throws(DaybookError) {
    let name = try book.deviceList.devices().first { $0.key == key.bytes }?.name
    let host = Endpoint(caller)?.host
    let address = host.flatMap { host in proof.port.map { PeerAddress.tcp(host: host, port: $0) } }
    try book.contactBook.meet(key, called: name ?? proof.name, at: address)
  }
}

extension SyncOutcome {
  /// What a session came to, or what has come since it was last told of; what goes is told apart from then on.
  fileprivate init(
    _ report: SessionReport, by key: PublicKey?, from guest: BookReplica,
    since session: LiveSync.Session
  ) {
    self.init(report, by: key, from: guest)
    guard let told = session.told else { return }
    (sent, departures, departedBranches) = ([:], [:], [:])
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
  /// So many of the first events of each replica that are not among others.
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
