import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform

// New keys for devices, and what those show of what they wrote before.

extension World {
  /// Lets a machine take a new key, or another one take a key that was left out of the book.
  ///
  /// Whoever revokes may not have heard of all that was written under the key, nor of the one that followed it.
  func rekey(_ station: Station, or other: Station, _ dice: Seeded) throws {
    guard dice.chance(55) else { return try revokeFormerKey(by: other, dice) }
    let ending = try act(on: station, "takes a new key", dice) { book throws(DaybookError) in
      try book.rekey().isAdmitted ? "admitted" : "waiting"
    }
    if ending == .done { count(.rekeys) }
  }

  private func revokeFormerKey(by station: Station, _ dice: Seeded) throws {
    let ending = try act(on: station, "revokes a former key", dice) { book throws(DaybookError) in
      let former = try book.devices().filter {
        $0.isFormerKey && $0.branch == nil && ($0.standing == .admitted || $0.standing == .waiting)
      }
      guard let device = dice.pick(former) else { return "nothing, nobody" }
      _ = try book.revoke(device)
      return "revoked \(device.replica.hex.prefix(8))"
    }
    guard ending != .refused else { return }
    hasRevoked = true
    // What was erased by who is cut now may come back.
    for station in stations { station.erased = [] }
    if ending == .done { count(.rekeys) }
  }

  /// Sees that two that are admitted and have the same digest show the same, record by record.
  func expectSameContents(_ one: Station, _ other: Station, _ books: [Book]) throws {
    for book in books where try !book.status().isAdmitted { return }
    let shown = try books.map { try Set($0.view().contents()) }
    guard let first = shown[0].symmetricDifference(shown[1]).min() else { return }
    throw Failure(
      .agreement,
      "\(one.name) and \(other.name) have the same digest and do not show the same: \(first)",
      step: step)
  }
}

extension ReadModel {
  /// Tables that tell of logs and events, not of what is shown.
  private static let bookkeeping = ["log: ", "seen: ", "entity: "]

  /// What is shown of all records, the same wherever the same is shown.
  func contents() throws -> [String] {
    try rows().filter { row in !Self.bookkeeping.contains { row.hasPrefix($0) } }
  }
}
