package import Bytes
package import Journaling

/// What came of filling a book's holes from a peer.
package struct Healing: Sendable {
  /// Neighbouring events of a device of which something is missing.
  package struct Gap: Hashable, Sendable {
    package var device: String
    /// The log or strand they belong to.
    package var log: UniqueID
    package var range: ClosedRange<UInt64>
    /// Whether the events are there and only their bodies are missing.
    package var isBodiless: Bool

    package init(device: String, log: UniqueID, range: ClosedRange<UInt64>, isBodiless: Bool) {
      (self.device, self.log, self.range) = (device, log, range)
      self.isBodiless = isBodiless
    }
  }

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
    guard !before.isWhole else {
      return Healing(before: before, after: before, healed: [], left: [])
    }
    let receipt = try sync(with: peer)
    let after = try verify()
    let names = Dictionary(try devices().map { ($0.replica, $0.name) }) { first, _ in first }
    return Healing(
      before: before, after: after, receipt: receipt,
      healed: Self.gaps(in: before, without: after, names), left: Self.gaps(in: after, names))
  }

  private static func gaps(
    in report: VerificationReport, without other: VerificationReport? = nil,
    _ names: [UniqueID: String]
  ) -> [Healing.Gap] {
    report.logs.flatMap { log in
      let still = other?.logs.first { $0.id == log.id && $0.replica == log.replica }
      // A body that is missing because its event is has not come back.
      let lost = (still?.missing ?? []) + (still?.bodiless ?? [])
      let missing = log.missing.without(lost).map { ($0, false) }
      let bodiless = log.bodiless.without(lost).map { ($0, true) }
      return (missing + bodiless).map { range, isBodiless in
        Healing.Gap(
          device: names[log.replica] ?? log.replica.hex, log: log.id, range: range,
          isBodiless: isBodiless)
      }
    }
  }
}
