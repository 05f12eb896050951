import Bytes
import Domain
import Journaling
package import Platform
package import Syncing

extension Book {
  /// Writes the book's events into a file that others can sync from.
  ///
  /// What the peer, a device by its name, its id or the first words of its fingerprint, is known to hold is left out.
  package func writeBundle(
    to path: Path, since peer: String? = nil
  ) throws(DaybookError) -> Bundle.Receipt {
    try prepareToSync()
    let frontier = try peer.map(knownFrontier) ?? .nothing
    let guest = BookGuest(of: self)
    var receipt = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Bundle.write(to: path, from: guest, since: frontier, on: machine)
    }
    receipt.withheld = guest.withheld
    return receipt
  }

  /// What a device is known to hold: as it said when it was last met, or has written in its log.
  private func knownFrontier(_ name: String) throws(DaybookError) -> Frontier {
    let device = try device(called: name)
    if let met = try peers().peers[device.replica] { return met.frontier }
    return Frontier(try placesSeen(by: device.replica))
  }

  /// What the log of a device tells that it has seen, and the log itself.
  private func placesSeen(by device: UniqueID) throws(DaybookError) -> [Place] {
    var seen: [UniqueID: UInt64] = [:]
    let causality = try remembered(by: try view()).causality
    if let author = causality.number(of: device) {
      for log in journal.logs.keys {
        guard let other = causality.number(of: log) else { continue }
        seen[log] = causality.lastSeen(of: other, by: author)
      }
    }
    seen[device] = journal.end(of: device, on: .logs)?.sequence
    var places: [Place] = []
    for (log, sequence) in seen.sorted(by: { $0.key < $1.key }) where sequence > 0 {
      let last = min(sequence, journal.end(of: log, on: .logs)?.sequence ?? 0)
      let hash = try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.hash(of: log, at: last)
      }
      guard let hash else { continue }
      places.append(Place(log: journal.lineage(of: log).replica, sequence: last, hash: hash))
    }
    return places
  }

  func peers() throws(DaybookError) -> Peers {
    do throws(DiskError) {
      return Peers(parsing: try machine.disk.contents(of: layout.peers, limit: 1 << 22))
    } catch {
      // One that has grown too large is learnt anew.
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return Peers()
    }
  }

  /// Remembers what a peer last said that it holds.
  ///
  /// Only what concerns logs of the book is kept: a stranger can take any name, and tell of any log. It replaces
  /// what was remembered, also by less: a peer may have been restored from a backup.
  ///
  /// The devices are those of which something has come.
  func notePeer(_ talk: Talk, hearing heard: [UniqueID]) throws(DaybookError) {
    let places = talk.peerFrontier.places.filter { journal.end(of: $0.log, on: .logs) != nil }
    let peer = talk.peer.flatMap {
      journal.end(of: $0, on: .logs) != nil && !places.isEmpty ? $0 : nil
    }
    let heard = heard.compactMap { replica in
      journal.end(of: replica, on: .logs).map { (replica, $0.time) }
    }
    guard peer != nil || !heard.isEmpty else { return }
    let name = try peer.flatMap { peer throws(DaybookError) in
      try devices().first { $0.replica == peer }?.name
    }
    let now = now
    try noteWhereRoom(in: layout.peers) { () throws(DaybookError) in
      try changePeers { peers in
        if let peer {
          peers.peers[peer] = Peers.Peer(name: name ?? peer.hex, frontier: Frontier(places))
        }
        for (replica, time) in heard {
          let (lead, isTooFar) = time.subtractingReportingOverflow(now)
          peers.heard[replica] = Peers.Heard(
            time: now, lead: isTooFar ? (time < 0 ? .min : .max) : lead)
        }
      }
    }
  }

  /// Saves something about a peer; a full disk becomes a problem in the receipt, because the sync itself succeeded.
  func noteWhereRoom(
    in path: Path, _ note: () throws(DaybookError) -> Void
  ) throws(DaybookError) {
    do throws(DaybookError) { try note() } catch {
      guard error.isRefusalOfTheDisk, let fault = error.diskFault else { throw error }
      let problem = SyncProblem.notNoted(path, fault.reason)
      if !unnoted.contains(problem) { unnoted.append(problem) }
    }
  }

  /// Returns the problems of saving peers since the last call.
  func takeUnnoted() -> [SyncProblem] {
    defer { unnoted = [] }
    return unnoted
  }

  /// Changes what is remembered of peers, of which several are often met at once.
  private func changePeers(_ change: (inout Peers) -> Void) throws(DaybookError) {
    let lock: HeldLock?
    do throws(DaybookError) {
      lock = isLocked || syncLock != nil ? nil : try takeLock()
    } catch {
      // It saves a little the next time, for which a sync that was done is not to fail.
      guard case .busy = error else { throw error }
      return
    }
    defer { if let lock { releaseUnused(lock) } }
    var peers = try peers()
    change(&peers)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.replace(layout.peers, with: peers.bytes)
    }
  }
}
