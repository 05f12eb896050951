import Bytes
import Syncing
package import Verifying

/// What came of filling a book's holes from a peer.
package struct Healing: Sendable {
  package var before: VerificationReport
  package var after: VerificationReport
  /// Nil where nothing was missing, so that nobody was asked.
  package var receipt: Receipt?
  package var healed: [Gap]
  package var left: [Gap]

  package var isWhole: Bool { after.isWhole }
}

extension Book {
  /// Verifies the book, takes from a peer what is missing, and verifies again.
  package func heal(from peer: PeerAddress) throws(DaybookError) -> Healing {
    let before = try verify()
    // What was accepted as lost may be there after all.
    guard !before.isWhole || before.accepted > 0 else {
      return Healing(before: before, after: before, healed: [], left: [])
    }
    let receipt =
      if let copies = try copies(at: peer) { try take(copies) } else { try sync(with: peer) }
    let after = try verify()
    let names = try deviceNames()
    return Healing(
      before: before, after: after, receipt: receipt,
      healed: Self.gaps(in: before, without: after, names), left: Self.gaps(in: after, names))
  }

  /// The copies of logs at an address; nil where a bundle, a folder to sync with or a machine is there.
  private func copies(at peer: PeerAddress) throws(DaybookError) -> LogCopies? {
    switch peer {
    case .file(let path), .directory(let path): try LogCopies(at: path, for: self)
    case .tcp: nil
    }
  }

  private func take(_ copies: LogCopies) throws(DaybookError) -> Receipt {
    try prepareToSync()
    let before = try holdings()
    countsSince = before.counted
    defer { (countsSince, foldedNews) = (nil, [:]) }
    let talk = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Talk(taking: copies, into: self)
    }
    try settleAfterSync()
    return try receipt(talk, since: before)
  }

  private static func gaps(
    in report: VerificationReport, without other: VerificationReport? = nil,
    _ names: [UniqueID: String]
  ) -> [Gap] {
    report.logs.flatMap { log in
      let still = other?.logs.first { $0.id == log.id && $0.replica == log.replica }
      // A body that is missing because its event is has not come back.
      let lost = (still?.missing ?? []) + (still?.bodiless ?? [])
      let missing = log.missing.without(lost).map { ($0, false) }
      let bodiless = log.bodiless.without(lost).map { ($0, true) }
      return (missing + bodiless).map { range, isBodiless in
        Gap(
          device: names[log.replica] ?? log.replica.hex, log: log.id, range: range,
          isBodiless: isBodiless)
      }
    }
  }
}
