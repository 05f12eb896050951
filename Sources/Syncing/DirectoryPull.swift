package import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Gives a holder what the directory has of a book beyond it.
  ///
  /// The book is the holder's own, or the one it joins.
  package mutating func pull(
    _ book: UniqueID, into holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    var intake = Intake(holder)
    var report = DirectoryReport()
    for log in try directories(in: folder / book.hex).prefix(Limit.frontierLogs) {
      try pull(log, of: book, through: &intake, &report.problems)
    }
    report.received = intake.received
    report.problems += intake.problems
    return report
  }

  private mutating func pull(
    _ log: UniqueID, of book: UniqueID, through intake: inout Intake,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    let folder = folder(of: log, of: book)
    var cover = Cover(try files(of: log, of: book))
    var held = intake.frontier.sequence(of: log)
    while let name = cover.next(after: held) {
      switch try look(at: name, in: folder) {
      case .absent: continue
      case .problem(let problem): problems.append(problem)
      case .whole(let bytes):
        // One file that does not prove itself must not keep the others back.
        do throws(SyncError) {
          held = try take(bytes, at: folder / name.string, of: log, from: held, &intake, &problems)
        } catch {
          problems.append(.log(try Self.blame(error)))
        }
      }
    }
    if let next = cover.nextIsland(after: held) {
      problems.append(.log(.gap(log, held: held, received: next)))
    }
  }

  private mutating func take(
    _ bytes: [UInt8], at path: Path, of log: UniqueID, from held: UInt64, _ intake: inout Intake,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) -> UInt64 {
    var reached = held
    let end = try forEachFrame(in: bytes) { (frame, events) throws(SyncError) in
      guard events.upperBound > reached else { return }
      try intake.stage(frame, of: log)
      reached = events.upperBound
    }
    if end < bytes.count { problems.append(.notAFrame(path, at: end)) }
    try intake.commit()
    // A log that lies aside is in no frontier; its frames were taken nevertheless.
    return max(reached, intake.frontier.sequence(of: log))
  }

  /// The error of what a file holds; one of our own disk ends the sync.
  private static func blame(_ error: SyncError) throws(SyncError) -> JournalError {
    switch error {
    case .journal(.disk), .journal(.poisoned): throw error
    case .journal(let blamed): return blamed
    default: throw error
    }
  }
}
