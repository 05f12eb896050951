import Bytes
import Crypto
import Platform
import Syncing

// What sessions come to.

extension LiveSync {
  func settled(_ call: Call) {
    guard let report = call.conversation?.report, let session = sessions[call.number] else {
      return
    }
    let hasCome = report.received != session.told?.received ?? [:]
    let isNew = session.told == nil || hasCome || report.sent != session.told?.sent
    guard isNew else { return }
    sessions[call.number]?.told = report
    sessions[call.number]?.departures = session.guest.departures
    if session.told == nil, let destination = call.destination { noteReached(destination) }
    do throws(DaybookError) {
      let talk = Talk(report, by: call.peerKey, from: session.guest, since: session)
      if session.told != nil, !hasCome, session.welcomed == nil {
        // Nothing here is other than it was, so that there is little to tell, however many are told.
        try book.notePeer(talk, hearing: [])
        return tell(.sent(session.peer, book.shares(talk.sent, try names())))
      }
      let receipt = try conclude(talk, session, call, hasCome: hasCome)
      let peer = try named(session.peer, call)
      sessions[call.number]?.peer = peer
      tell(session.told == nil ? .met(peer, receipt) : .news(peer, receipt))
    } catch {
      tell(.failed(call.peer, error))
    }
  }

  /// Puts what has come where it belongs, lets in who is to be let in, and tells the others.
  private func conclude(
    _ talk: Talk, _ session: Session, _ call: Call, hasCome: Bool
  ) throws(DaybookError) -> Receipt {
    let welcomed = session.welcomed
    sessions[call.number]?.welcomed = nil
    if hasCome || welcomed != nil {
      try book.settleAfterSync()
      forgetGuests()
    }
    var admitted: [Device] = []
    var couldNotAdmit = false
    if let (key, proof) = welcomed {
      try book.finishWelcome(of: key)
      try book.meet(key, showing: proof, from: call.peer)
      admitted = try book.devices().filter { $0.key == key.bytes && $0.branch == nil }
    } else {
      let chosen = try book.uncut(try book.waitingDevices().filter(admission.admits))
      let mayAdmit = try book.isAdmitted()
      if mayAdmit { try book.admit(chosen) }
      (admitted, couldNotAdmit) = (mayAdmit ? chosen : [], !mayAdmit && !chosen.isEmpty)
      let address = call.destination.flatMap { destinations[$0].contact.address }
      try book.noteSync(with: talk, at: address)
    }
    let receipt = try book.receipt(
      talk, since: before, admitted: admitted, couldNotAdmit: couldNotAdmit,
      digesting: session.told == nil)
    before = try book.holdings()
    if hasCome || !admitted.isEmpty {
      noteTold()
      // Whom it comes from, too: something else may have been committed meanwhile. It is sent nothing twice.
      board.announceNews()
    }
    return receipt
  }

  /// Who it is, once it is known.
  private func named(_ peer: LivePeer, _ call: Call) throws(DaybookError) -> LivePeer {
    guard peer.name == nil, let key = call.peerKey else { return peer }
    let name = try book.devices().first { $0.key == key.bytes }?.name
    return LivePeer(name: name, address: peer.address)
  }

  func ended(_ call: Call, because error: SyncError?) {
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

extension Book {
  /// Remembers a device that was let in.
  func meet(
    _ key: PublicKey, showing proof: Proof, from caller: String
  ) throws(DaybookError) {
    let name = try devices().first { $0.key == key.bytes }?.name
    let host = Endpoint(caller)?.host
    let address = host.flatMap { host in proof.port.map { PeerAddress.tcp(host: host, port: $0) } }
    try meet(key, called: name ?? proof.name, at: address)
  }
}

extension Talk {
  /// What a session came to since it was last told of.
  fileprivate init(
    _ report: SessionReport, by key: PublicKey?, from guest: BookGuest,
    since told: LiveSync.Session
  ) {
    self.init(report, by: key, from: guest)
    sent = report.sent.growth(since: told.told?.sent)
    received = Set(report.received.growth(since: told.told?.received).keys)
    problems.removeAll { (told.told?.problems ?? []).contains($0) }
    for (replica, ranges) in departures {
      departures[replica] = ranges.without(told.departures[replica] ?? [])
    }
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
