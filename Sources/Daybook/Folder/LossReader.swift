import Bytes
import Journaling
package import Verifying

/// Finds events that were once here and are now missing.
package struct LossReader {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let lossTracker: LossTracker
  let projector: Projector
  let access: WriteAccess
  let deviceList: DeviceList

  /// The missing events that the user has not accepted as lost and that are known without reading the logs.
  package func gaps() throws(DaybookError) -> [Gap] { try knownLoss().gaps }

  /// The missing events that the user has not accepted as lost, and whether the event that founded the book is
  /// missing.
  package func knownLoss() throws(DaybookError) -> (gaps: [Gap], lacksBeginning: Bool) {
    // Rebuilding the read model records the losses.
    _ = try projector.view()
    let ends = try recordedEnds()
    var loss = try knownLoss(knowing: ends)
    guard !loss.gaps.isEmpty || loss.lacksBeginning else { return loss }
    // These ends name events that were durable before the ends were read, but the logs may have been read earlier.
    try store.lookAgain(always: true)
    loss = try knownLoss(knowing: ends)
    // Another process may have replaced a file while the logs were read.
    for _ in 1..<LogStore.attempts where !loss.gaps.isEmpty || loss.lacksBeginning {
      guard try store.lookAgain() else { break }
      loss = try knownLoss(knowing: ends)
    }
    return loss
  }

  private func knownLoss(
    knowing ends: [Landmark]
  ) throws(DaybookError) -> (gaps: [Gap], lacksBeginning: Bool) {
    let ledger = try projector.ledger(of: try projector.view()) ?? Ledger()
    let lacksBeginning =
      store.file.book != .none
      && !ledger.trustEvents.contains { $0.founds(store.file.book) }
    return (try gaps(by: ledger, ends), lacksBeginning)
  }

  private func gaps(
    by ledger: Ledger, _ ends: [Landmark]
  ) throws(DaybookError) -> [Gap] {
    var missing: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in store.journal.logs.keys {
      let found = (ledger.missing[log] ?? []) + store.journal.holes(in: log)
      if !found.isEmpty { missing[store.journal.lineage(of: log).replica, default: []] += found }
    }
    missing.merge(store.journal.unplacedEvents, uniquingKeysWith: +)
    let (held, tree) = (store.heldEnds(), store.logTree)
    let ordered = ends.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
    for end in ordered where try !lossTracker.isHere(end, by: held, in: tree) {
      let first = min(end.sequence, (held[end.log] ?? 0) + 1)
      missing[store.journal.lineage(of: end.log).replica, default: []].append(first...end.sequence)
    }
    return try gaps(of: missing)
  }

  /// Whether everything that was once here is still here or was erased.
  func isWhole() throws(DaybookError) -> Bool {
    guard store.file.losses.accepted.isEmpty, try gaps().isEmpty else { return false }
    return try lostBodiesToReport().isEmpty
  }

  private func gaps(
    of missing: [UniqueID: [ClosedRange<UInt64>]], areBodiless: Bool = false
  ) throws(DaybookError) -> [Gap] {
    let open = missing.sorted { $0.key < $1.key }.flatMap { replica, ranges in
      store.file.losses.unaccepted([ClosedRange<UInt64>](joining: ranges), of: replica).map {
        (replica, $0)
      }
    }
    guard !open.isEmpty else { return [] }
    let names = try deviceList.deviceNames()
    return open.map { replica, range in
      Gap(
        device: names[replica] ?? replica.hex, log: replica, range: range, isBodiless: areBodiless)
    }
  }

  /// Events that were once here, according to records outside the logs and the read model, or according to damaged
  /// frames at the ends of logs.
  private func recordedEnds() throws(DaybookError) -> [Landmark] {
    try localDevice.ownEnds() + trustReader.trustEnds() + lossTracker.damagedEnds()
      + Array(store.file.losses.ends.values)
  }

  /// The losses in a verification report that the user has not accepted.
  package func loss(in report: VerificationReport) throws(DaybookError) -> Loss {
    var missing = report.missingByReplica
    for (replica, ranges) in missing {
      missing[replica] = store.file.losses.unaccepted(ranges, of: replica)
    }
    let copies = ViewsBeforeLoss(of: store.layout, on: store.machine)
    return Loss(
      gaps: try gaps(of: missing),
      titles: copies.titles(
        of: missing, upTo: Loss.titleLimit, notIn: try projector.view(), store.logTree),
      uncopied: copies.countUncopied(of: missing))
  }

  /// The lost bodies in a verification report that the user has not accepted.
  func lostBodies(in report: VerificationReport) throws(DaybookError) -> [Gap] {
    try gaps(of: report.bodilessByReplica, areBodiless: true)
  }

  /// Records the losses that folding has found, and the bodies that are missing although no `erase` event that counts
  /// removed them.
  func recordLosses() throws(DaybookError) {
    let ledger = try projector.posting().ledger
    let found = ledger.missing.filter { log, ranges in
      store.journal.end(of: log, on: .logs) != nil
        && ranges.contains { range in
          !store.journal.holes(in: log).contains { $0.contains(range.lowerBound) }
        }
    }
    if !found.isEmpty {
      try access.withLock { () throws(DaybookError) in
        try wrap(DaybookError.journal) { () throws(JournalError) in
          try store.journal.note(holes: found)
        }
      }
    }
    store.journal.note(bodiless: try lostBodies())
    store.journal.standing = ledger.erasing.standing(by: try trustReader.trust(by: ledger).admitted)
  }

  /// The events of each log whose bodies are missing although no `erase` event that counts removed them.
  ///
  /// Devices that hold the same events agree on the result, and on which bodies they request from each other.
  func lostBodies() throws(DaybookError) -> [UniqueID: [ClosedRange<UInt64>]] {
    try bodies { ledger, log, admitted in ledger.erasing.bodiless(in: log, by: admitted) }
  }

  /// The events of each log whose bodies are lost, as reported to the user.
  ///
  /// These are the bodies in ``lostBodies()``, except those that this device shows as erased although the erasure does
  /// not count.
  func lostBodiesToReport() throws(DaybookError) -> [UniqueID: [ClosedRange<UInt64>]] {
    try bodies { ledger, log, admitted in
      ledger.erasing.lostBodies(in: log, by: admitted, showing: ledger.folded)
    }
  }

  private func bodies(
    _ ranges: (Ledger, _ log: UniqueID, _ admitted: [UniqueID: UInt64]) -> [ClosedRange<UInt64>]
  ) throws(DaybookError) -> [UniqueID: [ClosedRange<UInt64>]] {
    let ledger = try projector.posting().ledger
    let admitted = try trustReader.trust(by: ledger).admitted
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in store.journal.logs.keys {
      let ranges = ranges(ledger, log, admitted)
      if !ranges.isEmpty { lost[log] = ranges }
    }
    return lost
  }
}
