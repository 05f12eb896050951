import Bytes
import Domain
import Journaling
import Syncing

/// Reads what other devices claim about the logs that this machine writes.
///
/// A claim names an event beyond the end of the log that is held here. It can reveal that an old copy has replaced the
/// book, or that the end of the log is lost. Only the event itself would prove this, because a device can write any
/// sequence and hash into a *seen* entry, and can claim to hold any events in a sync.
struct ClaimReader {
  /// An event of this machine that another device claims to have.
  struct Claim: Hashable {
    /// The log of the device.
    var author: UniqueID
    /// The event, without its hash.
    var end: Landmark
  }

  let store: LogStore
  let localDevice: LocalDevice
  let peerNotes: PeerNotes
  let trustReader: TrustReader

  /// The claims that count as evidence of a loss.
  ///
  /// - Parameter posting: The posting of all events; nil if nothing can be folded, in which case no claim counts.
  /// - Returns: The claimed events of the log that this machine writes, and of the log that it most recently left.
  /// - Throws: ``DaybookError`` if the folder cannot be read.
  func evidence(in posting: Posting?) throws(DaybookError) -> [Landmark] {
    var ends: [Landmark] = []
    for log in try store.folder.writtenLogs() where !isWholeByWitness(log) {
      ends += try claims(about: log, in: posting).map(\.end)
    }
    return ends
  }

  /// Whether claims show that a log of this machine has lost its end.
  func areEvidence(against log: UniqueID, in posting: Posting?) throws(DaybookError) -> Bool {
    guard !isWholeByWitness(log) else { return false }
    return try !claims(about: log, in: posting).isEmpty
  }

  /// The claims that the witness disproves.
  ///
  /// These claims are true only if an old copy has replaced the book together with the witness.
  func disproved(in posting: Posting?) throws(DaybookError) -> [Claim] {
    var claims: [Claim] = []
    for log in try store.folder.writtenLogs() where isWholeByWitness(log) {
      claims += try self.claims(about: log, in: posting)
    }
    return claims
  }

  /// Whether the log ends with the event that the witness names as the last one.
  private func isWholeByWitness(_ log: UniqueID) -> Bool {
    guard let end = store.journal.end(of: log, on: .logs),
      let witnessed = localDevice.witnessed(of: log)
    else { return false }
    return witnessed.sequence == end.sequence && witnessed.hash == end.hash
  }

  /// The claims about events that a log lacks, by admitted devices that are not revoked.
  private func claims(
    about log: UniqueID, in posting: Posting?
  ) throws(DaybookError) -> [Claim] {
    guard let posting else { return [] }
    let end = store.journal.end(of: log, on: .logs)?.sequence ?? 0
    let beyond = try (reports(about: log) + sights(of: log, in: posting)).filter {
      $0.end.sequence > end
    }
    // Usually there are no such claims, and solving the trust takes time.
    if beyond.isEmpty { return [] }
    let admitted = try trustReader.trust(by: posting.ledger).admitted
    return beyond.filter { admitted[$0.author] == .max }
  }

  /// The last events of a log that peers have reported holding.
  private func reports(about log: UniqueID) throws(DaybookError) -> [Claim] {
    try peerNotes.peers().peers.flatMap { peer, told in
      told.frontier.places(of: log).map { place in
        claim(by: peer, to: log, place.islands.last?.upperBound ?? place.sequence)
      }
    }
  }

  /// The last events of a log that other logs have seen.
  private func sights(of log: UniqueID, in posting: Posting) -> [Claim] {
    let causality = posting.causality
    guard let number = causality.number(of: log) else { return [] }
    return causality.logs.enumerated().compactMap { other, identity in
      let last = causality.lastSeen(of: number, by: UInt32(other))
      return identity.id == log || last == 0 ? nil : claim(by: identity.id, to: log, last)
    }
  }

  private func claim(by author: UniqueID, to log: UniqueID, _ sequence: UInt64) -> Claim {
    Claim(author: author, end: Landmark(log: log, sequence: sequence, hash: .none))
  }
}
