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
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try Bundle.write(to: path, from: self, since: frontier, on: machine)
    }
  }

  /// How far a device is known to hold each log: as it has said itself, or written in its log.
  private func knownFrontier(_ name: String) throws(DaybookError) -> Frontier {
    let device = try device(called: name)
    var known = try peers().peers[device.replica]?.frontier ?? [:]
    let causality = try remembered(by: try view()).causality
    if let author = causality.number(of: device.replica) {
      for log in journal.logs.keys {
        guard let other = causality.number(of: log) else { continue }
        known[log] = max(known[log] ?? 0, causality.lastSeen(of: other, by: author))
      }
    }
    known[device.replica] = journal.logs[device.replica]?.sequence
    return Frontier(try places(known))
  }

  private func places(_ known: [UniqueID: UInt64]) throws(DaybookError) -> [Place] {
    var places: [Place] = []
    for (log, sequence) in known.sorted(by: { $0.key < $1.key }) where sequence > 0 {
      let hash = try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.hash(of: log, at: min(sequence, journal.logs[log]?.sequence ?? 0))
      }
      guard let hash else { continue }
      places.append(
        Place(log: log, sequence: min(sequence, journal.logs[log]?.sequence ?? 0), hash: hash))
    }
    return places
  }

  private func peers() throws(DaybookError) -> Peers {
    do throws(DiskError) {
      return Peers(parsing: try machine.disk.contents(of: layout.peers, limit: 1 << 22))
    } catch {
      // One that has grown too large is learnt anew.
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return Peers()
    }
  }

  /// Remembers how far a peer is known to hold each log.
  ///
  /// Only what concerns logs of the book is kept: a stranger can take any name, and tell of any log.
  func notePeer(_ talk: Talk) throws(DaybookError) {
    let places = talk.peerFrontier.places.filter { journal.logs[$0.log] != nil }
    guard let replica = talk.peer, journal.logs[replica] != nil, !places.isEmpty else { return }
    let name = try devices().first { $0.replica == replica }?.name ?? replica.hex
    var peers = try peers()
    var peer = peers.peers[replica] ?? Peers.Peer(name: name, frontier: [:])
    peer.name = name
    for place in places {
      peer.frontier[place.log] = max(peer.frontier[place.log] ?? 0, place.sequence)
    }
    peers.peers[replica] = peer
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.replace(layout.peers, with: peers.bytes)
    }
  }
}
