import Bytes
import Domain
import Journaling

/// Records in `book.json` the events that are known to have been here and are missing now.
///
/// They are stored because the evidence of a loss can also disappear.
struct LossTracker {
  let store: LogStore

  /// Whether an event that is known to have been here is still here.
  ///
  /// If its hash is not known, any event with its sequence or a later one counts.
  ///
  /// - Parameters:
  ///   - end: The event.
  ///   - held: The held events of each log, computed once for all calls.
  /// - Returns: Whether the event is here.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  func isHere(
    _ end: Landmark, by held: [UniqueID: UInt64]
  ) throws(DaybookError) -> Bool {
    guard end.sequence > 0 else { return true }
    guard (held[end.log] ?? 0) >= end.sequence else { return false }
    guard end.hash != .none, store.journal.end(of: end.log, on: .logs) != nil else { return true }
    let tree = store.logTree
    if try tree.holder(of: end) != nil { return true }
    // An event that cannot be read is in a hole, and may be the requested one.
    return try !tree.holdsAny(end.log, end.sequence)
  }

  /// The last events of other logs that this device's logs have seen, and of this device's logs that other logs have
  /// seen.
  ///
  /// - Parameters:
  ///   - own: This device's logs.
  ///   - causality: The events that each log has seen.
  /// - Returns: The events, without their hashes.
  func seenEnds(_ own: [UniqueID], _ causality: Causality) -> [Landmark] {
    var ends: [UniqueID: UInt64] = [:]
    for number in own.compactMap({ causality.number(of: $0) }) {
      for other in causality.logs {
        guard let otherNumber = causality.number(of: other.id), otherNumber != number else {
          continue
        }
        ends.raise(other.replica, to: causality.lastSeen(of: otherNumber, by: number))
        if let identity = causality.identity(of: number) {
          ends.raise(identity.replica, to: causality.lastSeen(of: number, by: otherNumber))
        }
      }
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) }
  }

  /// The last events of other devices' logs that are here only in damaged frames, without their hashes.
  ///
  /// The log that this device writes, and the log that it abandoned last, are omitted: bytes at the end may be a write
  /// that a crash interrupted, and the witness shows which events were acknowledged.
  func damagedEnds() throws(DaybookError) -> [Landmark] {
    let ends = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.damagedEnds()
    }
    if ends.isEmpty { return [] }
    let own = try store.folder.writtenLogs()
    return ends.filter { !own.contains($0.log) }
  }

  /// Durably records the events in damaged frames before the next recovery cuts the frames off.
  func noteDamagedEnds() throws(DaybookError) {
    let ends = try damagedEnds()
    if !ends.isEmpty { try noteLosses(ends) }
  }

  /// Durably records which logs end before events that are known to have been here.
  ///
  /// - Throws: ``DaybookError`` if the record cannot be written. The caller must then keep the evidence of the events.
  func noteLosses(_ known: [Landmark]) throws(DaybookError) {
    var losses = store.file.losses
    guard try note(known, in: &losses) else { return }
    try store.changingFile { file throws(DaybookError) in try note(known, in: &file.losses) }
  }

  /// Records events that are known to have been here.
  ///
  /// The caller saves `book.json`.
  ///
  /// - Returns: Whether anything changed.
  @discardableResult
  func note(
    _ known: [Landmark], in losses: inout LossRecord
  ) throws(DaybookError) -> Bool {
    let held = store.heldEnds()
    return try losses.note(known) { end throws(DaybookError) in try isHere(end, by: held) }
  }
}

extension [UniqueID: UInt64] {
  mutating func raise(_ replica: UniqueID, to sequence: UInt64) {
    if sequence > self[replica] ?? 0 { self[replica] = sequence }
  }
}
