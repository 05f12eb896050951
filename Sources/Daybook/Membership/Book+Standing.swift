import Bytes
import Crypto
import Journaling

/// How this device stands in the book.
package enum Standing: Hashable, Sendable {
  /// The event that began the book is missing here, so nothing tells who may write.
  case beginningMissing
  /// It has written nothing here yet, so there is nothing to admit.
  case unknown
  case admitted
  /// Nobody has admitted it.
  case waiting
  /// Its key was taken out of the book, for good.
  case revoked(Removal)

  /// Who took a device out of a book, and when by that one's clock.
  package struct Removal: Hashable, Sendable {
    package var author: String
    /// Nil where the event cannot be read any more.
    package var time: Int64?
    /// The events of the device's that do not count.
    package var cut: UInt64

    package init(author: String, time: Int64?, cut: UInt64) {
      (self.author, self.time, self.cut) = (author, time, cut)
    }
  }
}

extension Book {
  /// How this device stands in the book, and if it was taken out, by whom.
  package func standing() throws(DaybookError) -> Standing {
    let ledger = try remembered(by: try view()).ledger
    return try standing(by: try trust(by: ledger), ledger)
  }

  func standing(by trust: Trust, _ ledger: Ledger) throws(DaybookError) -> Standing {
    if lacksBeginning(trust) { return .beginningMissing }
    guard let own = try lastOwnLog, let key = trust.keys[own] else { return .unknown }
    guard trust.revokedKeys.contains(key) else {
      return trust.admitted[own] == .max ? .admitted : .waiting
    }
    let cut = try devices(by: Roster(trust, by: ledger)).filter { $0.key == key.bytes }.reduce(0) {
      $0 + $1.cut
    }
    var removals: [Standing.Removal] = []
    for event in ledger.trustEvents where trust.known.contains(event.log) {
      guard case .revoke(key, _) = event.verb else { continue }
      removals.append(
        Standing.Removal(
          author: trust.names[event.log] ?? event.log.hex,
          time: try time(of: event.log, at: event.sequence), cut: cut))
    }
    // Of several revokes the first was enough.
    let first = removals.min { ($0.time ?? .max, $0.author) < ($1.time ?? .max, $1.author) }
    guard let first else { preconditionFailure("a key that nobody known has revoked is revoked") }
    return .revoked(first)
  }

  /// Whether the event that began the book is missing: it is lost here or was never received, or the id in `book.json`
  /// is wrong.
  func lacksBeginning(_ trust: Trust) -> Bool { file.book != .none && trust.founder == nil }

  /// When an event was written, by its device's clock; nil where it cannot be read.
  private func time(of log: UniqueID, at sequence: UInt64) throws(DaybookError) -> Int64? {
    var time: Int64?
    try forEachFrame(of: log, from: sequence, upTo: sequence) { frame in
      time = frame.events.first { $0.sequence == sequence }?.time ?? time
    }
    return time
  }
}
