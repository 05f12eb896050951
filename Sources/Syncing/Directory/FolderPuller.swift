import Bytes
import Journaling

/// Stores the events of one folder that the device lacks.
struct FolderPuller {
  let reader: ObjectReader
  let folder: ReplicaFolder

  private var holder: any Holder { reader.holder }
  private var replica: UniqueID { folder.replica }

  func pull(
    through intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    guard let list = try reader.list(folder) else {
      return problems.append(.tooManyFiles(folder.path))
    }
    reader.keep(only: list, in: folder)
    try reader.checkHeld(in: folder, by: intake.frontier)
    // If an error occurs, the files that have been recorded as held by then are also within this frontier.
    defer { reader.noteReached(intake.frontier, in: folder) }
    var left: [LeftFile] = []
    var faults: [FileFault] = []
    for object in list.objects {
      if let file = reader.known(object, in: folder), try isHeld(file, by: intake) { continue }
      switch try reader.look(at: object, in: folder) {
      case .absent: continue
      case .problem(let problem):
        faults.append(FileFault(events: object.name.events, problem: problem))
      case .whole(let content, let file):
        if let file, try isHeld(file, by: intake) { continue }
        let found = try take(content.frames, of: object.name, &intake)
        reader.prove(content, of: object, in: folder)
        if let file, found.allSatisfy(\.isGap), try !isHeld(file, by: intake) {
          left.append(LeftFile(file: file, problems: found))
        } else {
          problems += found
        }
      }
    }
    try take(left, &intake, &problems)
    problems += faults.problems(
      of: replica, unlessHeld: intake.frontier.events(of: replica), as: intake.frontier)
  }

  /// Whether this device holds all events up to the last one of a file.
  private func isHeld(_ file: SoundFile, by intake: Intake) throws(SyncError) -> Bool {
    if reader.isHeld(file, in: folder) { return true }
    guard try holder.holds(file.end(of: replica), by: intake.frontier) else { return false }
    reader.noteHeld(file, in: folder)
    return true
  }

  /// Stores files that could not be stored one by one.
  private func take(
    _ left: [LeftFile], _ intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) {
    var found: [SyncProblem] = []
    for row in try FileRows(of: left, in: folder, by: reader).rows {
      found += try take(row, &intake)
    }
    let isAcross = try takeAcrossLosses(left, &intake, &found)
    problems += isAcross ? found.firstOfLogs : found
  }

  /// Stores files that follow events listed as lost, and then the files that follow them.
  ///
  /// - Returns: Whether there were such files; if so, `problems` then contains only the problems found here.
  private func takeAcrossLosses(
    _ left: [LeftFile], _ intake: inout Intake, _ problems: inout [SyncProblem]
  ) throws(SyncError) -> Bool {
    guard !left.isEmpty else { return false }
    // Another device may have listed events as lost in the meantime.
    let losses = try reader.store.list(folder)?.losses ?? []
    let ends = Set(losses.map { $0.place(of: replica) })
    guard left.contains(where: { ends.contains($0.file.start(of: replica)) }) else { return false }
    problems = []
    defer { holder.hear(ofLossesIn: []) }
    for file in left.map(\.file)
    where try !holder.holds(file.end(of: replica), by: intake.frontier) {
      guard let bytes = try reader.frames(of: file.name, in: folder) else { continue }
      holder.hear(ofLossesIn: ends.contains(file.start(of: replica)) ? [replica] : [])
      problems += try take(bytes, of: file.name, &intake)
    }
    return true
  }

  /// Stores, as a group, files that could not be stored one by one, because a loss may extend over several files.
  private func take(
    _ row: [LeftFile], _ intake: inout Intake
  ) throws(SyncError) -> [SyncProblem] {
    guard row.count > 1 else { return row.flatMap(\.problems) }
    return try commit(&intake) { (intake) throws(SyncError) in
      for name in row.map(\.file.name) {
        // If a file was removed or changed, the next sync reads it.
        guard let bytes = try reader.frames(of: name, in: folder) else { break }
        _ = try stage(bytes, &intake)
      }
      return nil
    }
  }

  /// Stores the frames of a file.
  ///
  /// - Returns: The problems with the file.
  private func take(
    _ bytes: [UInt8], of name: DirectoryName, _ intake: inout Intake
  ) throws(SyncError) -> [SyncProblem] {
    try commit(&intake) { (intake) throws(SyncError) in
      let end = try stage(bytes, &intake)
      return end == bytes.count ? nil : .notAFrame(folder.path(of: name), at: end)
    }
  }

  /// Stages the frames at the beginning of the given bytes.
  ///
  /// - Returns: The offset at which these frames end.
  private func stage(_ bytes: [UInt8], _ intake: inout Intake) throws(SyncError) -> Int {
    var frames = FrameCursor(bytes, of: replica)
    while let frame = frames.next() {
      try intake.stage(Array(bytes[frame.range]), of: replica)
    }
    return frames.offset
  }

  /// Runs a closure that stages frames, and then stores the frames.
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
}

extension SyncProblem {
  fileprivate var isGap: Bool {
    if case .log(.gap) = self { true } else { false }
  }
}
