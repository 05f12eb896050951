import Bytes
import Journaling
import Platform
package import Verifying

extension Book {
  /// Reads every byte of the book's logs and checks all that can be checked.
  package func verify() throws(DaybookError) -> VerificationReport {
    var (report, ends) = try verifyLogs()
    try record(report)
    report.remembered = UInt64(try lostTrust())
    try tellLostBodies(in: &report)
    if try isTrustDamaged() {
      report.faults.append(Fault(file: layout.trust.name, offset: 0, what: .rememberedTrust))
    }
    if lacksBeginning(try trust(by: try remembered(by: try view()).ledger)) {
      report.faults.append(Fault(file: layout.bookFile.name, offset: 0, what: .noFounder))
    }
    let held = heldEnds()
    try report.tellLost(ends) { end throws(DaybookError) in try isHere(end, by: held) }
    try noteLosses(of: report, knowing: ends)
    report.setAside(file.losses)
    return report
  }

  /// Reads the logs as they are at one moment, and how far they are known to have gone by then.
  private func verifyLogs() throws(DaybookError) -> (VerificationReport, [Landmark]) {
    var attempt = 1
    while true {
      // Before the read model is brought to what is left.
      let posted = postedEnds()
      let ends = try knownEnds(posted)
      // What tells of an event is written after the event, so the logs are read last.
      try lookAgain(always: true)
      let report = try readLogs()
      // A frame that another process is writing looks like a torn one.
      guard !report.isClean, attempt < Self.attempts, try lookAgain() else { return (report, ends) }
      attempt += 1
    }
  }

  private func readLogs() throws(DaybookError) -> VerificationReport {
    let erases = (try storedTrust()?.entries ?? []).filter { $0.entity != nil }.map {
      EventMark(sequence: $0.place.sequence, hash: $0.place.hash)
    }
    return try tellingProgress(of: .verification, total: heldEventCount) {
      advance throws(DaybookError) in
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try Verification.run(
          on: layout.folder, disk: machine.disk, beside: machine.beside, knowing: erases,
          checked: advance)
      }
    }
  }

  /// Takes down which events are not there, so that the next sync asks for them.
  func record(_ report: VerificationReport) throws(DaybookError) {
    let isNews = report.logs.contains { $0.missing != journal.holes(inStrand: $0.id) }
    guard isNews else { return }
    var missing: [Journal.Shelf: [UniqueID: [ClosedRange<UInt64>]]] = [:]
    for log in report.logs {
      missing[log.isAside ? .aside : .logs, default: [:]][log.id] = log.missing
    }
    do throws(DaybookError) {
      try withLock { () throws(DaybookError) in
        try wrap(DaybookError.journal) { () throws(JournalError) in
          try journal.note(missing: missing)
        }
      }
    } catch {
      // On a disk that takes nothing the report alone must do.
      guard error.isRefusalOfTheDisk else { throw error }
    }
  }

  /// Takes down what folding has found lost, and which bodies are gone though nothing that counts erased them.
  func recordLosses() throws(DaybookError) {
    let ledger = try remembered(by: try view()).ledger
    let found = ledger.missing.filter { log, ranges in
      journal.end(of: log, on: .logs) != nil
        && ranges.contains { range in
          !journal.holes(in: log).contains { $0.contains(range.lowerBound) }
        }
    }
    if !found.isEmpty {
      try withLock { () throws(DaybookError) in
        try wrap(DaybookError.journal) { () throws(JournalError) in
          try journal.note(holes: found)
        }
      }
    }
    journal.note(bodiless: try lostBodies())
    journal.standing = ledger.erasing.standing(by: try trust(by: ledger).admitted)
  }

  /// Tells the bodies that are gone by an `erase` that is held and does not count, too.
  private func tellLostBodies(in report: inout VerificationReport) throws(DaybookError) {
    let lost = Dictionary(grouping: try lostBodies()) { journal.lineage(of: $0.key).replica }
    var told: Set<UniqueID> = []
    for place in report.logs.indices where !report.logs[place].isAside {
      let replica = report.logs[place].replica
      // A strand holds events of several logs: those of a replica are reported once, with its first.
      let isFirst = told.insert(replica).inserted
      report.logs[place].bodiless = isFirst ? (lost[replica] ?? []).flatMap(\.value) : []
    }
  }

  /// The events of each log whose bodies are gone though nothing that counts erased them.
  func lostBodies() throws(DaybookError) -> [UniqueID: [ClosedRange<UInt64>]] {
    let ledger = try remembered(by: try view()).ledger
    let admitted = try trust(by: ledger).admitted
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let ranges = ledger.erasing.bodiless(in: log, by: admitted)
      if !ranges.isEmpty { lost[log] = ranges }
    }
    return lost
  }
}
