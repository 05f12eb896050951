import Bytes
import Domain
import Journaling
import ReadModel

/// Records in `book.json` the events that are known to have been here and are now missing.
///
/// The events are recorded because the evidence of a loss can itself disappear.
struct LossTracker {
  let store: LogStore

  /// Whether an event that is known to have been here is still here.
  ///
  /// If the event's hash is unknown, any event with its sequence or a later one is accepted.
  ///
  /// - Parameters:
  ///   - end: The event, whose log is a replica or a branch that currently has an id here.
  ///   - held: The last held events, computed once for all calls.
  ///   - tree: The forks of the logs. The tree remembers the frames that it last read, so one tree should serve all
  ///     calls.
  /// - Returns: Whether the event is here.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  func isHere(
    _ end: Landmark, by held: [UniqueID: UInt64], in tree: LogTree
  ) throws(DaybookError) -> Bool {
    guard end.sequence > 0 else { return true }
    guard (held[end.log] ?? 0) >= end.sequence else { return false }
    guard end.hash != .none, store.journal.end(of: end.log, on: .logs) != nil else { return true }
    if try tree.holder(of: end) != nil { return true }
    // An event that cannot be read is in a hole, and may be the requested one.
    return try tree.hasHole(at: end.sequence, in: end.log)
  }

  /// The given events, with the ids that their logs now have here.
  ///
  /// A branch has its own id only while other branches are here. When they are lost, its events are in the log that it
  /// branched from, but other logs still refer to the branch by its id.
  func placed(_ known: [Landmark]) throws(DaybookError) -> [Landmark] {
    let homes = try homes(of: known)
    return known.map { $0.placed(in: homes) }
  }

  /// The logs that contain the events of branches without an id here, by the ids of these branches.
  private func homes(of known: [Landmark]) throws(DaybookError) -> [UniqueID: UniqueID] {
    let held = store.heldEnds()
    let strange = Set(known.map(\.log).filter { held[$0] == nil })
    if strange.isEmpty { return [:] }
    var homes: [UniqueID: UniqueID] = [:]
    for log in store.journal.logs.keys.sorted() {
      try store.forEachFrame(of: log) { _, events in
        for event in events {
          let branch = UniqueID.branch(firstCommandHash: event.hash)
          if strange.contains(branch) { homes[branch] = log }
        }
      }
    }
    return homes
  }

  /// The last events that a read model contains, by the ids that their logs now have here.
  func ends(at positions: some Sequence<LogPosition>) -> [Landmark] {
    positions.filter { $0.sequence > 0 }.map { position in
      let isHere = store.journal.end(of: position.id, on: .logs) != nil
      return Landmark(
        log: isHere ? position.id : position.replica, sequence: position.sequence,
        hash: position.hash)
    }
  }

  /// The last events of other logs that this device's log has seen.
  ///
  /// What other logs have seen of this device's log counts only under the conditions stated in ``ClaimReader``.
  ///
  /// - Parameters:
  ///   - own: This device's log; nil if it has none.
  ///   - causality: The events that each log has seen.
  /// - Returns: The events, without their hashes.
  func seenEnds(by own: UniqueID?, _ causality: Causality) -> [Landmark] {
    guard let own, let number = causality.number(of: own) else { return [] }
    var ends: [UniqueID: UInt64] = [:]
    for (other, identity) in causality.logs.enumerated() where identity.id != own {
      ends.raise(identity.id, to: causality.lastSeen(of: UInt32(other), by: number))
    }
    return ends.map { Landmark(log: $0, sequence: $1, hash: .none) }
  }

  /// The last events that damaged logs show to have been here, without their hashes.
  ///
  /// These are events in damaged frames at the ends of other devices' logs, and events after holes that the logs now end
  /// before. In the log that this device writes, and in the log that it most recently abandoned, damaged bytes at the
  /// end are not counted, because they may be from a write that a crash interrupted, and the witness shows which events
  /// were acknowledged.
  func damagedEnds() throws(DaybookError) -> [Landmark] {
    let ends = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.damagedEnds()
    }
    let behind = store.journal.endsAfterHoles()
    if ends.isEmpty { return behind }
    let own = try store.folder.writtenLogs()
    return ends.filter { !own.contains(store.journal.lineage(of: $0.log).replica) } + behind
  }

  /// Durably records the events that damaged logs show to have been here, before the next recovery removes the evidence.
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
    let homes = try homes(of: known + losses.ends.values)
    let (held, tree) = (store.heldEnds(), store.logTree)
    // Sort the events by log, so that each frame is read only once.
    let placed = known.map { $0.placed(in: homes) }.sorted {
      ($0.log, $0.sequence) < ($1.log, $1.sequence)
    }
    return try losses.note(placed) { end throws(DaybookError) in
      try isHere(end.placed(in: homes), by: held, in: tree)
    }
  }
}

extension Landmark {
  fileprivate func placed(in homes: [UniqueID: UniqueID]) -> Landmark {
    var end = self
    end.log = homes[log] ?? log
    return end
  }
}

extension [UniqueID: UInt64] {
  mutating func raise(_ replica: UniqueID, to sequence: UInt64) {
    if sequence > self[replica] ?? 0 { self[replica] = sequence }
  }
}
