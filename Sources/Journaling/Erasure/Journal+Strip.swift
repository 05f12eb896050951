package import Bytes
package import Platform

/// What stripping did.
package struct StripReport: Hashable, Sendable {
  /// How many bodies were taken away, by log.
  package var bodies: [UniqueID: Int] = [:]
  /// Segment files that were written anew.
  package var files: [Path] = []
  /// Files of ``quarantine/`` that were removed, since they may hold the same bodies.
  package var removed: [Path] = []
  /// Bytes that were no frame and were left out of files written anew.
  package var damagedBytes = 0
  /// Why a frame is as it was, though something is to go from it.
  var failure: JournalError?

  package init() {}

  package var isNothing: Bool { files.isEmpty }
}

extension Journal {
  /// Takes the bodies of erased entities out of every file, and the seeds of their blocks.
  ///
  /// What arrives later is stripped of the same. Each file is replaced as a whole, so a crash leaves the old
  /// one or the new one, and doing it again completes it. Afterwards ``erasures`` holds what was found to be
  /// owned by erased entities, too.
  ///
  /// - Parameters:
  ///   - erasures: The entities that are erased.
  ///   - logs: The logs to look through, or nil for all; those that have not changed since they were
  ///     stripped of the same need not be. With a log goes all that is held of its replica.
  /// - Returns: What was done.
  /// - Throws: ``JournalError``; what was done until then is done, and a frame that would be larger than frames may be
  ///   keeps no other one waiting.
  package mutating func strip(
    _ erasures: Erasures, in logs: Set<UniqueID>? = nil
  ) throws(JournalError) -> StripReport {
    self.erasures = erasures
    var report = StripReport()
    var strands: Set<UniqueID>?
    if let logs {
      strands = []
      for log in logs {
        let replica = states[log]?.replica ?? lineage(of: log).replica
        strands?.formUnion(self.strands(of: replica))
      }
    }
    let meant = states.keys.filter { strands?.contains($0) ?? true }.sorted()
    for survey in try surveyAll(meant) where survey.hasWork {
      try strip(survey, &report)
    }
    if let failure = report.failure { throw failure }
    return report
  }

  /// Looks through logs until no more owned entities are found.
  private mutating func surveyAll(_ logs: [UniqueID]) throws(JournalError) -> [LogSurvey] {
    while true {
      let before = erasures
      var surveys: [LogSurvey] = []
      for log in logs { surveys.append(try survey(log)) }
      if erasures == before { return sharingBlocks(surveys) }
    }
  }

  /// The surveys of each replica's strands with the blocks of all of them.
  ///
  /// A block that a fork lies in has the same seed on both sides of it.
  private func sharingBlocks(_ surveys: [LogSurvey]) -> [LogSurvey] {
    var blocks: [UniqueID: Set<UInt64>] = [:]
    for survey in surveys {
      blocks[states[survey.log]?.replica ?? survey.log, default: []].formUnion(survey.blocks)
    }
    return surveys.map { survey in
      var survey = survey
      survey.share(blocks[states[survey.log]?.replica ?? survey.log] ?? [])
      return survey
    }
  }

  private mutating func survey(_ log: UniqueID) throws(JournalError) -> LogSurvey {
    var survey = LogSurvey(log: log)
    guard let state = states[log] else { return survey }
    let folder = strandFolder(log, state)
    // The log's own table may not be known, where its end is damaged.
    var table = state.end.table
    var newer: UInt8?
    do throws(DiskError) {
      for name in try disk.list(folder.path).compactMap(SegmentName.init) {
        var scan = try folder.scan(name)
        var file = LogSurvey.File(name: name)
        while let step = scan.next(from: 0, &chain) {
          guard case .frame(let frame, _) = step else { continue }
          let scope = scope(of: frame, in: log, table: table)
          let found = frame.stripping(erasures, in: scope)
          let reached = scope.table + frame.introduced
          if reached.count > table.count { table = reached }
          erasures.merge(found.owned)
          survey.take(frame, found, &file)
        }
        if let version = scan.newerVersion { newer = version }
        survey.files.append(file)
      }
    } catch {
      throw .disk(error)
    }
    if let newer { throw .newer(log, version: newer) }
    return survey
  }

  /// What the references in a log lead to, at a frame's start; the fork is that of a strand not stored yet.
  package func scope(
    of frame: borrowing Frame, in log: UniqueID, leaving fork: Fork? = nil,
    table: [UniqueID]? = nil
  ) -> ReferenceScope {
    let strand = strand(of: log)
    let known = table ?? states[strand]?.end.table ?? []
    let start =
      frame.information.knownTable
      ?? Array(known.prefix(Int(frame.information.tableCount)))
    var forks = forks
    if let fork { forks[strand] = fork }
    return ReferenceScope(of: self.log(in: strand, at: .max), table: start, forks: forks)
  }

  /// The strand of a replica that a frame's events lie in, as far as they are held.
  package func strand(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> UniqueID {
    guard isForked(replica) else { return replica }
    for event in frame.events.reversed() {
      let strand = try holder(of: event.hash, at: event.sequence, in: replica)
      if let strand { return strand }
    }
    return replica
  }

  /// The events of a frame of a forked replica, by the logs that they belong to.
  package func logs(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> [UniqueID: ClosedRange<UInt64>] {
    let strand = try strand(holding: frame, of: replica)
    var logs: [UniqueID: ClosedRange<UInt64>] = [:]
    for sequence in frame.firstSequence...frame.lastSequence {
      let log = log(in: strand, at: sequence)
      logs[log] = (logs[log]?.lowerBound ?? sequence)...sequence
    }
    return logs
  }

  private mutating func strip(
    _ survey: LogSurvey, _ report: inout StripReport
  ) throws(JournalError) {
    // While there is something to strip, this is done again after a crash; so the log's files come last.
    try removeQuarantine(of: survey.log, &report)
    for file in survey.files where survey.hasWork(in: file) {
      try rewrite(file.name, survey, &report)
    }
    report.bodies[survey.log] = survey.bodies.count
  }

  /// Removes what was set aside of a log, which nobody can look through.
  private mutating func removeQuarantine(
    of log: UniqueID, _ report: inout StripReport
  ) throws(JournalError) {
    let (disk, quarantine) = (disk, quarantine)
    let removed = try writing { () throws(DiskError) -> [Path] in
      guard try disk.status(quarantine) != nil else { return [] }
      let names = try disk.list(quarantine).filter { $0.contains(log.hex) }
      for name in names { try disk.remove(quarantine / name) }
      if !names.isEmpty { try disk.flushDirectory(quarantine) }
      return names.map { quarantine / $0 }
    }
    report.removed += removed
  }
}

/// What there is to strip of a log.
struct LogSurvey {
  /// A file and what its frames hold.
  struct File {
    let name: SegmentName
    var sequences: [ClosedRange<UInt64>] = []
    var seeded: Set<UInt64> = []
  }

  let log: UniqueID
  /// Bodies that are to go.
  private(set) var bodies: [UInt64: Landmark] = [:]
  /// Blocks that a body is gone from, or is to go.
  private(set) var blocks: Set<UInt64> = []
  var files: [File] = []

  init(log: UniqueID) { self.log = log }

  mutating func take(_ frame: Frame, _ stripping: Stripping, _ file: inout File) {
    bodies.merge(stripping.bodies) { first, _ in first }
    blocks.formUnion(stripping.bodies.keys.map(Chain.block(of:)))
    // Salts stand where some frame of the block was stripped, perhaps by another holder.
    blocks.formUnion(frame.saltedBlocks)
    file.sequences.append(frame.firstSequence...frame.lastSequence)
    file.seeded.formUnion(frame.seededBlocks)
  }

  /// Blocks that a body of another strand is gone from must not keep their seeds either.
  mutating func share(_ others: Set<UInt64>) { blocks.formUnion(others) }

  var hasWork: Bool { files.contains(where: hasWork(in:)) }

  func hasWork(in file: File) -> Bool {
    !file.seeded.isDisjoint(with: blocks)
      || file.sequences.contains { range in bodies.keys.contains { range.contains($0) } }
  }
}
