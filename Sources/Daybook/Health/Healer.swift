import Bytes
import Crypto
package import Journaling
import Verifying

/// Fills the holes of a book from a peer, and compacts its files.
package struct Healer {
  let store: LogStore
  let localDevice: LocalDevice
  let projector: Projector
  let access: WriteAccess
  let deviceList: DeviceList
  let eraser: Eraser
  let verifier: LogVerifier
  let replicator: Replicator

  /// Verifies the book, gets missing events from a peer, and verifies again.
  package func heal(from peer: PeerAddress) throws(DaybookError) -> Healing {
    let before = try verifier.verify()
    // The peer may hold events or bodies that the user has accepted as lost.
    guard !before.isWhole || before.accepted > 0 || before.acceptedBodies > 0 else {
      return Healing(before: before, after: before, healed: [], left: [])
    }
    let receipt =
      if let copies = try copies(at: peer) { try replicator.take(copies) } else {
        try replicator.sync(with: peer)
      }
    if before.hasStrayBytes { try verifier.removeStrayBytes() }
    let after = try verifier.verify()
    let names = try deviceList.deviceNames()
    return Healing(
      before: before, after: after, receipt: receipt,
      healed: Self.gaps(in: before, without: after, names), left: Self.gaps(in: after, names))
  }

  /// The copies of logs at an address; nil for a network address, and for a path without such copies.
  private func copies(at peer: PeerAddress) throws(DaybookError) -> LogCopies? {
    switch peer {
    case .file(let path), .directory(let path):
      try LogCopies(at: path, for: replicator.exchange.replica)
    case .store, .tcp, .ssh: nil
    }
  }

  private static func gaps(
    in report: VerificationReport, without other: VerificationReport? = nil,
    _ names: [UniqueID: String]
  ) -> [Gap] {
    report.logs.flatMap { log in
      let still = other?.logs.first { $0.id == log.id && $0.replica == log.replica }
      // If an event lacked its body and is now itself missing, its body has not been healed.
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

  /// Finishes an interrupted erasure, seals every tail that can be sealed, and merges adjacent sealed files.
  ///
  /// - Returns: A report of the files before and after.
  package func compact() throws(DaybookError) -> Compaction {
    try access.withLock { () throws(DaybookError) in
      try eraser.finishErasureLeft()
      var keys: [UniqueID: DeviceKeys] = [:]
      for log in store.journal.logs.keys.sorted() { keys[log] = try localDevice.keys(of: log) }
      let compaction = try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.compact(keys: keys)
      }
      projector.keepEnds()
      return compaction
    }
  }
}
