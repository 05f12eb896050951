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
    for replica in try directories(in: folder / book.hex).prefix(Limit.frontierPlaces) {
      try pull(replica, of: book, as: holder, through: &intake, &report.problems)
    }
    report.received = intake.received
    report.problems = Self.firstOfGaps(report.problems + intake.problems)
    return report
  }

  private mutating func pull(
    _ replica: UniqueID, of book: UniqueID, as holder: any Holder,
    through intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    let folder = folder(of: replica, of: book)
    for name in try files(of: replica, of: book) {
      switch try look(at: name, in: folder, as: holder) {
      case .absent: continue
      case .problem(let problem): problems.append(problem)
      case .whole(let bytes, let file):
        if let file, try holder.holds(file.end(of: replica), by: intake.frontier) { continue }
        // One file that does not prove itself must not keep the others back.
        do throws(SyncError) {
          try take(bytes, at: folder / name.string, of: replica, &intake, &problems)
        } catch {
          problems.append(.log(try Self.blame(error)))
        }
      }
    }
  }

  private func take(
    _ bytes: [UInt8], at path: Path, of replica: UniqueID, _ intake: inout Intake,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    var frames = FrameCursor(bytes)
    while let frame = frames.next() {
      try intake.stage(Array(bytes[frame.range]), of: replica)
    }
    if !frames.isAtEnd { problems.append(.notAFrame(path, at: frames.offset)) }
    try intake.commit()
  }

  /// The error of what a file holds; one of our own disk ends the sync.
  private static func blame(_ error: SyncError) throws(SyncError) -> JournalError {
    switch error {
    case .journal(.disk), .journal(.poisoned), .journal(.locked): throw error
    case .journal(let blamed): return blamed
    default: throw error
    }
  }

  /// Leaves out what follows from a log's first gap.
  private static func firstOfGaps(_ problems: [SyncProblem]) -> [SyncProblem] {
    var logs: Set<UniqueID> = []
    return problems.filter { problem in
      guard case .log(.gap(let log, held: _, received: _)) = problem else { return true }
      return logs.insert(log).inserted
    }
  }
}
