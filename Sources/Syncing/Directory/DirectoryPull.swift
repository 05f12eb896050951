package import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Stores the events of a book that the directory has and the device lacks.
  ///
  /// The book is the store's book, or the book that the device joins.
  package mutating func pull(
    _ book: UniqueID, into holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    var intake = Intake(holder)
    var report = DirectoryReport()
    let replicas = try replicas(of: book)
    for replica in replicas.names.prefix(Limit.frontierPlaces) {
      try pull(replica.id, in: replica.path, as: holder, through: &intake, &report.problems)
    }
    if replicas.isTooMuch || replicas.names.count > Limit.frontierPlaces {
      report.problems.append(.tooManyFiles(folder / book.hex))
    }
    report.received = intake.received
    report.problems = Self.firstOfLogs(report.problems)
    return report
  }

  private mutating func pull(
    _ replica: UniqueID, in folder: Path, as holder: any Holder,
    through intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    guard let names = try files(in: folder) else {
      return problems.append(.tooManyFiles(folder))
    }
    var left: [LeftFile] = []
    var faults: [FileFault] = []
    for name in names {
      switch try look(at: name, of: replica, in: folder, as: holder) {
      case .absent: continue
      case .problem(let problem): faults.append(FileFault(events: name.events, problem: problem))
      case .whole(let bytes, let file):
        if let file, try holder.holds(file.end(of: replica), by: intake.frontier) { continue }
        let found = try take(bytes, at: folder / name.file, of: replica, &intake)
        if let file, found.allSatisfy(\.isGap),
          try !holder.holds(file.end(of: replica), by: intake.frontier)
        {
          left.append(LeftFile(file: file, problems: found))
        } else {
          problems += found
        }
      }
    }
    var found: [SyncProblem] = []
    for row in try rows(of: left, of: replica, in: folder, as: holder) {
      found += try take(row, of: replica, in: folder, &intake)
    }
    let isAcross = try takeAcrossLosses(left, of: replica, in: folder, as: holder, &intake, &found)
    problems += isAcross ? Self.firstOfLogs(found) : found
    problems += faults.problems(
      of: replica, unlessHeld: intake.frontier.events(of: replica), as: intake.frontier)
  }

  /// Stores files that follow events listed as lost, and the files after these.
  ///
  /// - Returns: Whether there were such files; if so, earlier results are outdated.
  private func takeAcrossLosses(
    _ left: [LeftFile], of replica: UniqueID, in folder: Path, as holder: any Holder,
    _ intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) -> Bool {
    guard !left.isEmpty else { return false }
    let ends = Set(try losses(in: folder).map { $0.place(of: replica) })
    guard left.contains(where: { ends.contains($0.file.start(of: replica)) }) else { return false }
    problems = []
    defer { holder.hear(ofLossesIn: []) }
    for file in left.map(\.file)
    where try !holder.holds(file.end(of: replica), by: intake.frontier) {
      guard let bytes = try contents(of: file.name, in: folder) else { continue }
      holder.hear(ofLossesIn: ends.contains(file.start(of: replica)) ? [replica] : [])
      problems += try take(bytes, at: folder / file.name.file, of: replica, &intake)
    }
    return true
  }

  /// Stores, as a group, files that could not be stored one by one; a loss may extend over several files.
  private func take(
    _ row: [LeftFile], of replica: UniqueID, in folder: Path, _ intake: inout Intake
  ) throws(SyncError) -> [SyncProblem] {
    guard row.count > 1 else { return row.flatMap(\.problems) }
    return try commit(&intake) { (intake) throws(SyncError) in
      for name in row.map(\.file.name) {
        // A file that was removed or changed is read in the next sync.
        guard let bytes = try contents(of: name, in: folder) else { break }
        _ = try stage(bytes, of: replica, &intake)
      }
      return nil
    }
  }

  /// Stores the frames of a file.
  ///
  /// - Returns: The problems with the file.
  private func take(
    _ bytes: [UInt8], at path: Path, of replica: UniqueID, _ intake: inout Intake
  ) throws(SyncError) -> [SyncProblem] {
    try commit(&intake) { (intake) throws(SyncError) in
      let end = try stage(bytes, of: replica, &intake)
      return end == bytes.count ? nil : .notAFrame(path, at: end)
    }
  }

  /// Stages the frames at the beginning of the given bytes.
  ///
  /// - Returns: The offset at which these frames end.
  private func stage(
    _ bytes: [UInt8], of replica: UniqueID, _ intake: inout Intake
  ) throws(SyncError) -> Int {
    var frames = FrameCursor(bytes, of: replica)
    while let frame = frames.next() {
      try intake.stage(Array(bytes[frame.range]), of: replica)
    }
    return frames.offset
  }

  /// Runs a closure that stages frames, then stores them.
  ///
  /// Errors are returned as problems, so that they do not affect other files.
  private func commit(
    _ intake: inout Intake, _ stage: (inout Intake) throws(SyncError) -> SyncProblem?
  ) throws(SyncError) -> [SyncProblem] {
    var problems: [SyncProblem] = []
    do throws(SyncError) {
      if let problem = try stage(&intake) { problems.append(problem) }
      try intake.commit()
    } catch {
      problems.append(.log(try error.blamed()))
    }
    return problems + intake.takeProblems()
  }

  /// Keeps only the first gap and the first stop of each log.
  ///
  /// Later problems of a log follow from these.
  private static func firstOfLogs(_ problems: [SyncProblem]) -> [SyncProblem] {
    var gaps: Set<UniqueID> = []
    var stops: Set<UniqueID> = []
    return problems.filter { problem in
      guard case .log(let error) = problem else { return true }
      if case .gap(let log, held: _, received: _) = error { return gaps.insert(log).inserted }
      return error.stoppedLog.map { stops.insert($0).inserted } ?? true
    }
  }
}

// MARK: Files that belong together

/// A file whose last event was not stored, although its frames were passed to the store.
private struct LeftFile {
  var file: SoundFile
  var problems: [SyncProblem]
}

extension DirectoryPeer {
  /// Sorts files into sequences in which every file except the first continues an earlier one.
  private func rows(
    of left: [LeftFile], of replica: UniqueID, in folder: Path, as holder: any Holder
  ) throws(SyncError) -> [[LeftFile]] {
    var rows: [(files: [LeftFile], joints: Set<Place>)] = []
    for next in left {
      let start = next.file.start(of: replica)
      var index = rows.firstIndex { $0.joints.contains(start) } ?? 0
      if rows.isEmpty || !rows[index].joints.contains(start) {
        index = 0
        while index < rows.count,
          try !contains(start, in: rows[index].files.map(\.file), in: folder, as: holder)
        { index += 1 }
      }
      if index == rows.count { rows.append(([], [start])) }
      rows[index].files.append(next)
      rows[index].joints.insert(next.file.end(of: replica))
    }
    return rows.map(\.files)
  }

  private func contents(of name: DirectoryName, in folder: Path) throws(SyncError) -> [UInt8]? {
    guard let file = try known(name, in: folder) else { return nil }
    do throws(DiskError) {
      return try disk.contents(of: folder / file.name.file, limit: Limit.fileBytes)
    } catch {
      guard error.reason == .notFound else { throw .disk(error) }
      return nil
    }
  }
}

extension SyncProblem {
  fileprivate var isGap: Bool {
    if case .log(.gap) = self { true } else { false }
  }
}
