import Bytes
import Platform

/// Removes the bodies of erased entities from the files of logs.
final class BodyEraser {
  let store: SegmentStore
  let index: LogIndex
  let quarantine: Quarantine
  var erasures = Erasures()
  /// The `erase` events that are in effect.
  ///
  /// A body that one of these events removed is not a loss.
  var standing: Set<Landmark.Mark> = []

  init(_ store: SegmentStore, _ index: LogIndex, _ quarantine: Quarantine) {
    (self.store, self.index, self.quarantine) = (store, index, quarantine)
  }

  /// Adds entities that a frame has shown to be owned by erased ones, and removes entities shown not to be erased.
  func learn(from found: Stripping) {
    erasures.spare(found.spared)
    erasures.merge(found.owned)
  }

  /// Removes the bodies of erased entities from all files, and the seeds of the blocks that contain these bodies.
  ///
  /// The report includes what was removed before an error.
  func strip(
    _ erasures: Erasures, in logs: Set<UniqueID>? = nil, into report: inout StripReport
  ) throws(JournalError) {
    self.erasures = erasures
    report.failure = nil
    var strands: Set<UniqueID>?
    if let logs {
      strands = []
      for log in logs {
        let replica = index.states[log]?.replica ?? index.lineage(of: log).replica
        strands?.formUnion(index.strands(of: replica))
      }
    }
    let meant = index.states.keys.filter { strands?.contains($0) ?? true }.sorted()
    for survey in try surveyAll(meant) where survey.hasWork {
      try strip(survey, &report)
    }
    if let failure = report.failure { throw failure }
  }

  /// Searches logs until no more owned entities are found.
  private func surveyAll(_ logs: [UniqueID]) throws(JournalError) -> [LogSurvey] {
    while true {
      let before = erasures
      var surveys: [LogSurvey] = []
      for log in logs { surveys.append(try survey(log)) }
      if erasures == before { return sharingBlocks(surveys) }
    }
  }

  /// Adds the blocks of the replica's other strands to each survey.
  ///
  /// The block in which a log forks has the same seed in both strands.
  private func sharingBlocks(_ surveys: [LogSurvey]) -> [LogSurvey] {
    var blocks: [UniqueID: Set<UInt64>] = [:]
    for survey in surveys {
      blocks[index.states[survey.log]?.replica ?? survey.log, default: []].formUnion(survey.blocks)
    }
    return surveys.map { survey in
      var survey = survey
      survey.share(blocks[index.states[survey.log]?.replica ?? survey.log] ?? [])
      return survey
    }
  }

  private func survey(_ log: UniqueID) throws(JournalError) -> LogSurvey {
    var chain = Chain()
    var survey = LogSurvey(log: log)
    guard let state = index.states[log] else { return survey }
    let folder = store.folder(log, state)
    // If the end of the log is damaged, its table may be incomplete.
    var table = state.end.table
    var newer: UInt8?
    do throws(DiskError) {
      for name in try store.disk.list(folder.path).compactMap(SegmentName.init) {
        var scan = try folder.scan(name)
        var file = LogSurvey.File(name: name)
        while let step = scan.next(from: 0, &chain) {
          guard case .frame(let frame, _) = step else { continue }
          let scope = index.scope(of: frame, in: log, table: table)
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

  private func strip(
    _ survey: LogSurvey, _ report: inout StripReport
  ) throws(JournalError) {
    // After a crash, the eraser runs again if the log still contains bodies to remove, so the log's own files are
    // rewritten last.
    report.removed += try quarantine.empty(of: survey.log)
    for file in survey.files where survey.hasWork(in: file) {
      try rewrite(file.name, survey, &report)
    }
    report.bodies[survey.log] = survey.bodies.count
  }

  /// Rewrites a file without the bodies and seeds that the survey found.
  func rewrite(
    _ name: SegmentName, _ survey: LogSurvey, _ report: inout StripReport
  ) throws(JournalError) {
    var chain = Chain()
    let log = survey.log
    guard let state = index.states[log] else { return }
    let folder = store.folder(log, state)
    let old = try onDisk { () throws(DiskError) in try folder.contents(of: name) }
    let level: PackingLevel = if case .tail = name { .quick } else { .sealed }
    var rewriting = Rewriting(name, limit: store.rewrittenBytes)
    var scan = folder.scan(old, of: name)
    var damagedBytes = 0
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap(let range, _, _): damagedBytes += range.count
      case .frame(let frame, let offset):
        let packed =
          strippedUnlessTooLarge(frame, survey, level: level, &report)
          ?? (frame, Array(old[offset..<offset + frame.length]))
        if let full = rewriting.divide(before: frame, packed.bytes) {
          try put(full, in: folder, &report)
        }
        rewriting.take(packed.frame, packed.bytes)
      }
    }
    try put(rewriting.rest, in: folder, &report)
    report.damagedBytes += damagedBytes
    // The new files cover the range of the old file, and readers use them from now on.
    if rewriting.isDivided { try store.remove([folder.path(of: name)], from: folder) }
    if state.tail?.first == name.first, case .tail = name {
      index.states[log]?.tail?.length = rewriting.bytes.count
      index.states[log]?.tail?.excess = 0
      index.states[log]?.tail?.isSettled = true
    }
    if rewriting.last == state.end.sequence { index.states[log]?.lastBlock = rewriting.lastBlock }
  }

  private func put(
    _ file: RepairPlan.File, in folder: LogFolder, _ report: inout StripReport
  ) throws(JournalError) {
    let path = folder.path(of: file.name)
    try store.writing { () throws(DiskError) in try store.disk.replace(path, with: file.bytes) }
    report.files.append(path)
  }

  private func strippedUnlessTooLarge(
    _ frame: Frame, _ survey: LogSurvey, level: PackingLevel, _ report: inout StripReport
  ) -> (frame: Frame, bytes: [UInt8])? {
    do throws(JournalError) {
      return try stripped(frame, survey.bodies, survey.blocks, level: level)
    } catch {
      report.failure = report.failure ?? error
      return nil
    }
  }

  /// The frame without the given bodies and seeds, or nil if it contains none of them.
  ///
  /// - Throws: Only ``JournalError/commandTooLarge(eventCount:byteCount:)``, if the frame would exceed the size limit.
  func stripped(
    _ frame: Frame, _ bodies: [UInt64: Landmark], _ blocks: Set<UInt64>, level: PackingLevel
  ) throws(JournalError) -> (frame: Frame, bytes: [UInt8])? {
    var chain = Chain()
    let going = bodies.filter { $0.key >= frame.firstSequence && $0.key <= frame.lastSequence }
    guard !going.isEmpty || !frame.seededBlocks.isDisjoint(with: blocks) else { return nil }
    guard let bytes = frame.stripped(of: going, salting: blocks, level: level, &chain)
    else {
      throw .commandTooLarge(eventCount: frame.events.count, byteCount: frame.eventRange.count)
    }
    // The frame was readable before. If it cannot be read now, this function is at fault.
    guard let packed = try? Frame.decode(bytes.span, at: 0, &chain),
      packed.events.map(\.hash) == frame.events.map(\.hash), packed.length == bytes.count
    else { preconditionFailure("stripping does not change the chain") }
    return (packed, bytes)
  }

  /// Whether the given event lacks a body that no `erase` in effect removed.
  func lacksBody(_ event: EventRecord, in frame: Frame) -> Bool {
    frame.strippedBody(of: event).map { !standing.contains($0.erase.mark) } ?? event.isStripped
  }

  /// A filler made from the frame, with the sequences of the events that have lost their bodies.
  func filler(_ frame: Frame, _ bytes: [UInt8]) -> Filler {
    var bare: Set<UInt64> = []
    for event in frame.events where lacksBody(event, in: frame) { bare.insert(event.sequence) }
    return Filler(frame: frame, bytes: bytes, bare: bare)
  }
}
