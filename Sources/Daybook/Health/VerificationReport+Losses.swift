import Bytes
import Journaling
package import Verifying

// Adds events that were once here and are now missing to a verification report, and removes accepted losses from it.

extension VerificationReport {
  /// Adds the events that belong to no log to the missing events of their strands.
  ///
  /// These events are stored, but they are shown only once the events before them are recovered.
  ///
  /// - Parameter unplaced: The events of each strand in the book that belong to no log, with the lost events between
  ///   them.
  mutating func tellUnplaced(_ unplaced: [UniqueID: ClosedRange<UInt64>]) {
    for index in logs.indices where !logs[index].isAside {
      let log = logs[index]
      guard let range = unplaced[log.id] else { continue }
      // The frames are unrooted only because no other file holds the event before them.
      faults.removeAll { $0.kind == .unrooted && $0.isInFile(of: log) }
      faults += [range].without(log.missing).map { stored in
        Fault(file: log.folder, offset: 0, kind: .unplaced(stored))
      }
      logs[index].missing = [ClosedRange<UInt64>](joining: log.missing + [range])
    }
  }

  /// Adds faults for events that were once held: those after the current ends of logs, and those that were replaced by
  /// other events.
  ///
  /// - Parameters:
  ///   - known: Events that are known to have been here.
  ///   - held: The last held event of each replica and branch.
  ///   - replica: Returns the replica of a log or branch.
  ///   - isHere: Returns whether one of the known events is still here.
  /// - Throws: Any error that `isHere` throws.
  mutating func tellLost(
    _ known: [Landmark], held: [UniqueID: UInt64], replica: (UniqueID) -> UniqueID,
    isHere: (Landmark) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    let ends = Dictionary(grouping: known, by: \.log)
    let logs = ends.keys.sorted()
    // An event that is reported with its branch is not reported again with its replica.
    for branch in logs.filter({ replica($0) != $0 }) {
      let strand = strand(of: branch, replica(branch))
      try tellLost(ends[branch] ?? [], in: [strand], reaching: held[branch] ?? 0, isHere)
    }
    for log in logs.filter({ replica($0) == $0 }) {
      let strands = self.logs.filter { $0.replica == log }
      let reached = strands.map(\.last).max() ?? 0
      try tellLost(
        ends[log] ?? [], in: strands.isEmpty ? [strand(of: log, log)] : strands, reaching: reached,
        isHere)
    }
    faults.sort { ($0.file, $0.offset) < ($1.file, $1.offset) }
  }

  /// The strand with the last events of a log or branch.
  private func strand(of log: UniqueID, _ replica: UniqueID) -> VerifiedLog {
    // One of the branches is in the folder of the replica.
    logs.first { $0.id == log } ?? logs.first { $0.id == replica }
      ?? VerifiedLog(id: replica, isAside: false)
  }

  /// Adds faults for the lost events of one log or branch, which are reported for the first of its strands.
  private mutating func tellLost(
    _ ends: [Landmark], in strands: [VerifiedLog], reaching last: UInt64,
    _ isHere: (Landmark) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    let missing = strands.flatMap(\.missing)
    let held = max(last, missing.map(\.upperBound).max() ?? 0)
    let known = ends.map(\.sequence).max() ?? 0
    if held < known {
      tell(.shortened(held: held, known: known), held + 1...known, of: strands[0])
    }
    // An event that cannot be read has already been reported as missing, and may be the one that was known.
    let legible = Set(ends).filter { end in
      end.sequence <= held && !missing.contains { $0.contains(end.sequence) }
    }
    for end in legible.sorted(by: { $0.sequence < $1.sequence }) where try !isHere(end) {
      tell(.replaced(end.sequence), end.sequence...end.sequence, of: strands[0])
    }
  }

  private mutating func tell(
    _ kind: Fault.Kind, _ missing: ClosedRange<UInt64>, of log: VerifiedLog
  ) {
    faults.append(Fault(file: log.folder, offset: 0, kind: kind))
    note(missing, of: log.id)
  }

  /// Removes the losses that the user has accepted, and counts the missing events and the lost bodies among them.
  mutating func setAside(_ losses: LossRecord) {
    guard !losses.accepted.isEmpty else { return }
    let missing = missingByReplica
    // If all missing events of a replica are accepted, its unreadable bytes are considered their remains.
    let settled = Set(
      missing.filter { losses.unaccepted($0.value, of: $0.key).isEmpty }.keys.map(\.hex))
    faults.removeAll { fault in
      let folders = fault.file.split(separator: "/")
      guard folders.count > 1, let replica = UniqueID(hex: String(folders[1])) else { return false }
      guard let range = fault.kind.missing else {
        return fault.kind.isUnreadable && settled.contains(replica.hex)
      }
      return losses.unaccepted([range], of: replica).isEmpty
    }
    for place in logs.indices {
      let lost = logs[place].bodiless
      logs[place].bodiless = losses.unaccepted(lost, of: logs[place].replica)
      acceptedBodies += lost.eventCount - logs[place].bodiless.eventCount
    }
    accepted = missing.reduce(0) { count, ranges in
      let open = losses.unaccepted(ranges.value, of: ranges.key)
      return count + ranges.value.eventCount - open.eventCount
    }
  }

  /// Adds events to the missing events of a log or strand, even if the report contains no entry for that log.
  mutating func note(_ missing: ClosedRange<UInt64>, of id: UniqueID) {
    if let index = logs.firstIndex(where: { $0.id == id }) {
      logs[index].missing.append(missing)
    } else {
      var log = VerifiedLog(id: id, isAside: false)
      log.missing = [missing]
      let index = logs.firstIndex { $0.isAside || $0.replica > id } ?? logs.count
      logs.insert(log, at: index)
    }
  }
}

extension Fault.Kind {
  /// The events that the fault reports as missing; nil for other faults.
  fileprivate var missing: ClosedRange<UInt64>? {
    switch self {
    case .missing(let range), .knownHole(let range), .unplaced(let range): range
    case .shortened(let held, let known): held + 1...known
    case .replaced(let sequence): sequence...sequence
    default: nil
    }
  }

  /// Whether the fault is about bytes that are not a frame of the log, or about a frame in the wrong file or place.
  fileprivate var isUnreadable: Bool {
    switch self {
    case .damage, .foreign, .hole, .misnamed, .misplaced, .repeated, .tornTail: true
    default: false
    }
  }
}

extension [ClosedRange<UInt64>] {
  fileprivate var eventCount: UInt64 {
    [ClosedRange<UInt64>](joining: self).reduce(0) { $0 + UInt64($1.count) }
  }
}

extension VerificationReport {
  /// Whether any fault disappears when the user accepts missing events as lost.
  package var hasAcceptableLoss: Bool {
    hasStrayBytes || faults.contains { $0.kind.missing != nil }
  }

  /// Whether a file contains bytes that are not frames of its log, after or between events.
  var hasStrayBytes: Bool {
    faults.contains { fault in
      switch fault.kind {
      case .damage, .foreign, .hole, .tornTail: true
      default: false
      }
    }
  }

  /// The missing events, by replica.
  var missingByReplica: [UniqueID: [ClosedRange<UInt64>]] {
    logs.reduce(into: [:]) { missing, log in
      if !log.missing.isEmpty { missing[log.replica, default: []] += log.missing }
    }
  }

  /// The number of missing events, including those that the user has accepted as lost.
  ///
  /// An event that is missing in several branches of a replica is counted once, as in ``accepted``.
  var missingCount: UInt64 { missingByReplica.values.reduce(0) { $0 + $1.eventCount } }

  /// The events whose bodies are lost, by replica.
  var bodilessByReplica: [UniqueID: [ClosedRange<UInt64>]] {
    logs.reduce(into: [:]) { bodiless, log in
      if !log.bodiless.isEmpty { bodiless[log.replica, default: []] += log.bodiless }
    }
  }
}
