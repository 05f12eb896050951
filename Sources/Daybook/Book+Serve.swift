package import Crypto
import Journaling
import Platform
package import Syncing

extension Book {
  /// One visit of a peer: what it came to, or why it failed.
  package enum Visit: Sendable {
    case done(Receipt)
    case failed(DaybookError)
    /// A caller at an address was not let in.
    case turnedAway(String, SyncError)
  }

  /// How often a server looks up from waiting.
  private static let patienceMilliseconds = 200

  /// How often in a row no caller could be taken, for want of memory or files, before a server gives up.
  private static let failures = 3_000

  /// Lets peers that dial sync with this book, one after the other, until it is told to stop.
  ///
  /// It says on which port it is ready, and of each peer what its visit came to. Whoever shows the key of a device of
  /// the book is let in; others where all are to be admitted, or as `letsIn` says, or if they prove that they were
  /// invited. No revoked key is.
  package func serve(
    host: String, port: UInt16, admission: Admission = .never,
    letsIn: @escaping @Sendable (PublicKey) -> Bool = { _ in false }, ready: (UInt16) -> Void,
    visited: (Visit) -> Void, until isOver: () -> Bool
  ) throws(DaybookError) {
    let listener = try wrap(DaybookError.network) { () throws(NetworkError) in
      try machine.network.listen(host: host, port: port)
    }
    defer { listener.close() }
    let announcement = try announce(Endpoint(host: host, port: listener.port))
    defer { withdraw(announcement) }
    ready(listener.port)
    var failures = 0
    while !isOver() {
      let line: (any Line)?
      do throws(NetworkError) {
        line = try listener.accept(patienceMilliseconds: Self.patienceMilliseconds)
        failures = 0
      } catch {
        // A caller who has gone again, or a machine out of files, says nothing of the next caller.
        failures += 1
        guard error != .cut, failures < Self.failures else { throw .network(error) }
        if failures == 1 { visited(.failed(.network(error))) }
        machine.timekeeper.pause(milliseconds: Int64(Self.patienceMilliseconds))
        continue
      }
      guard let line else { continue }
      visited(visit(line, admission) { [isForAll = admission.isForAll] in isForAll || letsIn($0) })
    }
  }

  private func visit(
    _ line: any Line, _ admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool
  ) -> Visit {
    do throws(DaybookError) {
      let start = machine.timekeeper.monotonicMilliseconds()
      // Another process may have joined another book since.
      try reloadFile()
      let (identity, guests) = (try identity, try guests())
      let hasInvited = try expectsGuests()
      let secure: SecureLine
      do throws(SyncError) {
        secure = try SecureLine.open(
          .server, over: line, as: identity, timekeeper: machine.timekeeper
        ) { key in guests.admits(key) { hasInvited || letsIn($0) } }
      } catch {
        return .turnedAway(line.peer, error)
      }
      let isKnown = secure.peerKey.map { guests.admits($0, orElse: letsIn) } ?? false
      return .done(try receive(secure, admission, asksForProof: !isKnown, since: start))
    } catch {
      line.close()
      if case .sync(.unwelcome(let code)) = error {
        return .turnedAway(line.peer, .unwelcome(code))
      }
      return .failed(error)
    }
  }

  private func receive(
    _ line: SecureLine, _ admission: Admission, asksForProof: Bool, since start: Int64
  ) throws(DaybookError) -> Receipt {
    try prepareToSync()
    let before = try holdings()
    var welcomed: (key: PublicKey, proof: Proof)?
    let gate = Gate(asksForProof: asksForProof) { proof throws(SyncError) in
      guard let key = line.peerKey else { throw .unwelcome(.wrongProof) }
      try self.welcome(proof, of: key)
      welcomed = (key, proof)
    }
    let talk = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Talk(answering: line, for: self, gate: gate, since: start)
    }
    try settleAfterSync()
    if let (key, proof) = welcomed {
      try finishWelcome(of: key)
      try meet(key, showing: proof, from: line.peer)
      let admitted = try devices().filter { $0.key == key.bytes && $0.branch == nil }
      return try receipt(talk, since: before, admitted: admitted)
    }
    let chosen = try uncut(try waitingDevices().filter(admission.admits))
    let mayAdmit = try isAdmitted()
    // Those who were admitted hear of it when they come next.
    if mayAdmit { try admit(chosen) }
    try noteSync(with: talk, at: nil)
    return try receipt(
      talk, since: before, admitted: mayAdmit ? chosen : [],
      couldNotAdmit: !mayAdmit && !chosen.isEmpty)
  }

  /// Remembers a device that was let in.
  private func meet(
    _ key: PublicKey, showing proof: Proof, from caller: String
  ) throws(DaybookError) {
    let name = try devices().first { $0.key == key.bytes }?.name
    let host = Endpoint(caller)?.host
    let address = host.flatMap { host in proof.port.map { PeerAddress.tcp(host: host, port: $0) } }
    try meet(key, called: name ?? proof.name, at: address)
  }
}
