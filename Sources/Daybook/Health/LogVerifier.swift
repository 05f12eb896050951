import Bytes
import Journaling
import Platform
package import Verifying

/// Verifies every byte of the logs.
package struct LogVerifier {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let lossTracker: LossTracker
  let projector: Projector
  let access: WriteAccess
  let losses: LossReader
  let claimReader: ClaimReader

  /// Reads and checks every byte of the book's logs.
  ///
  /// Also records in the journal and in `book.json` which events are missing.
  package func verify() throws(DaybookError) -> VerificationReport {
    var (report, ends, claims) = try verifyLogs()
    try record(report)
    // The strands hold these events, so the journal does not record them as missing.
    report.tellUnplaced(store.journal.unplacedStrands)
    report.remembered = UInt64(try trustReader.lostTrust())
    try tellLostBodies(in: &report)
    if try trustReader.isTrustDamaged() {
      report.faults.append(
        Fault(file: store.layout.trust.name, offset: 0, kind: .rememberedTrust))
    }
    if trustReader.lacksBeginning(
      try projector.trust())
    {
      report.faults.append(
        Fault(file: store.layout.bookFile.name, offset: 0, kind: .noFounder))
    }
    let (held, tree) = (store.heldEnds(), store.logTree)
    try report.tellLost(
      ends + claims, held: held, replica: { [store] in store.journal.lineage(of: $0).replica },
      isHere: { end throws(DaybookError) in try lossTracker.isHere(end, by: held, in: tree) })
    try noteLosses(of: report, knowing: ends)
    report.setAside(store.file.losses)
    return report
  }

  /// Verifies the logs, and returns the report, the events that are known to have been here, and the events that were
  /// here according to other devices.
  private func verifyLogs() throws(DaybookError) -> (
    report: VerificationReport, ends: [Landmark], claims: [Landmark]
  ) {
    var attempt = 1
    while true {
      // Read the ends before the read model is updated to the remaining events.
      let posted = projector.postedPositions()
      let ends = try knownEnds()
      let claims = try claimReader.evidence(in: projector.posted)
      // Evidence of an event is written after the event, so the logs are read last.
      try store.lookAgain(always: true)
      let report = try readLogs()
      // A frame that another process is writing looks like a torn frame, so try again.
      guard !report.isClean, attempt < LogStore.attempts, try store.lookAgain() else {
        let known = try lossTracker.placed(lossTracker.ends(at: posted) + ends)
        return (report, known, claims)
      }
      attempt += 1
    }
  }

  private func readLogs() throws(DaybookError) -> VerificationReport {
    let erases = (try trustReader.storedTrust()?.entries ?? []).filter { $0.entity != nil }.map {
      EventMark(sequence: $0.place.sequence, hash: $0.place.hash)
    }
    return try store.folder.progress.tellingProgress(of: .verification, total: store.heldEventCount)
    {
      advance throws(DaybookError) in
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try Verification.run(
          on: store.layout.folder, disk: store.machine.disk,
          beside: store.machine.beside, knowing: erases,
          checked: advance)
      }
    }
  }

  /// Records in the journal which events are missing, so that the next sync asks for them.
  func record(_ report: VerificationReport) throws(DaybookError) {
    let isNews = report.logs.contains { $0.missing != store.journal.holes(inStrand: $0.id) }
    guard isNews else { return }
    var missing: [LogShelf: [UniqueID: [ClosedRange<UInt64>]]] = [:]
    for log in report.logs {
      missing[log.isAside ? .aside : .logs, default: [:]][log.id] = log.missing
    }
    do throws(DaybookError) {
      try access.withLock { () throws(DaybookError) in
        try wrap(DaybookError.journal) { () throws(JournalError) in
          try store.journal.note(missing: missing)
        }
      }
    } catch .journal(.newer) {
      // The report names the frames of the newer version, because of which nothing is written.
    } catch {
      // A refusal by the disk does not invalidate the report.
      guard Self.isRefusalToWrite(error) else { throw error }
    }
  }

  /// Replaces the missing bodies in the report with the lost ones, which ``LossReader/lostBodiesToReport()`` returns.
  ///
  /// Logs on the shelf `aside` are not changed.
  private func tellLostBodies(in report: inout VerificationReport) throws(DaybookError) {
    let lost = Dictionary(grouping: try losses.lostBodiesToReport()) {
      store.journal.lineage(of: $0.key).replica
    }
    var told: Set<UniqueID> = []
    for place in report.logs.indices where !report.logs[place].isAside {
      let replica = report.logs[place].replica
      // A strand can hold events of several logs. The lost bodies of a replica are reported once, with its first
      // strand.
      let isFirst = told.insert(replica).inserted
      report.logs[place].bodiless = isFirst ? (lost[replica] ?? []).flatMap(\.value) : []
    }
  }

  /// Accepts as lost all events and bodies that are now missing.
  ///
  /// An accepted loss is not reported again, unless its events are recovered and lost once more. Copies of the read
  /// model from before the loss are kept, because they may hold the last remaining content of the events.
  ///
  /// - Returns: The loss, and the report of a second verification, made after the loss was accepted.
  package func acceptLoss() throws(DaybookError) -> (loss: Loss, after: VerificationReport) {
    let before = try verify()
    var loss = try losses.loss(in: before)
    loss.gaps += try losses.lostBodies(in: before)
    let missing = before.missingByReplica.merging(before.bodilessByReplica) { $0 + $1 }
    // If this step fails, nothing has been accepted yet, so no accepted loss goes unreported.
    if before.hasStrayBytes { try removeStrayBytes() }
    try store.changingFile { file in
      file.losses.accept(missing)
      return true
    }
    return (loss, try verify())
  }

  /// Removes bytes that are not frames from files that lack no events.
  ///
  /// A sync cannot repair such files.
  func removeStrayBytes() throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in
      store.repairs += try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.removeStrayBytes()
      }
    }
  }

  /// Updates the losses in `book.json` after a verification.
  func noteLosses(
    of report: VerificationReport, knowing ends: [Landmark]
  ) throws(DaybookError) {
    let missing = report.missingByReplica.merging(report.bodilessByReplica) { $0 + $1 }
    func update(_ losses: inout LossRecord) throws(DaybookError) -> Bool {
      let isLonger = try lossTracker.note(ends, in: &losses)
      return losses.forgetAccepted(except: missing) || isLonger
    }
    var losses = store.file.losses
    let isNews = try update(&losses)
    do throws(DaybookError) {
      if isNews { try store.changingFile { file throws(DaybookError) in try update(&file.losses) } }
      // If nothing is missing, the copies of the read model are no longer needed.
      if missing.isEmpty {
        try ViewsBeforeLoss(of: store.layout, on: store.machine).remove()
      }
    } catch {
      // A refusal by the disk does not invalidate the report.
      guard Self.isRefusalToWrite(error) else { throw error }
    }
  }

  /// The events that are known to have been here, even without the read model.
  func knownEnds() throws(DaybookError) -> [Landmark] {
    let seen = try projector.posted.map { posting throws(DaybookError) in
      lossTracker.seenEnds(by: try store.folder.writtenLog(), posting.causality)
    }
    return try Array(store.file.losses.ends.values) + localDevice.ownEnds() + (seen ?? [])
      + trustReader.trustEnds() + lossTracker.damagedEnds()
  }

  /// Whether the disk has refused to write the results to the book's folder or to the logs.
  private static func isRefusalToWrite(_ error: DaybookError) -> Bool {
    guard case .journal(.disk(let error)) = error else { return error.isRefusalOfTheDisk }
    return DaybookError.disk(error).isRefusalOfTheDisk
  }
}
