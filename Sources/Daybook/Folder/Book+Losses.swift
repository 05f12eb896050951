package import Bytes
import Journaling
import Platform
import ReadModel
package import Verifying

// Which events were here and are gone. What once told so may be gone itself by now, so it is written down.

extension Book {
  /// Writes down, durably, which logs end before events that are known to have been here.
  ///
  /// - Throws: ``DaybookError``, when that cannot be written; what tells of the events must then stay as it is.
  func noteLosses(_ known: [Landmark]) throws(DaybookError) {
    var losses = file.losses
    guard try note(known, in: &losses) else { return }
    try changingFile { file throws(DaybookError) in try note(known, in: &file.losses) }
  }

  /// Notes events that are known to have been here; it is written down by whoever saves the file.
  ///
  /// - Returns: Whether anything changed.
  @discardableResult
  func note(
    _ known: [Landmark], in losses: inout LossRecord
  ) throws(DaybookError) -> Bool {
    let held = heldEnds()
    return try losses.note(known) { end throws(DaybookError) in try isHere(end, by: held) }
  }

  /// Changes `book.json` as other processes have left it; writes nothing where nothing is changed.
  private func changingFile(
    _ change: (inout BookFile) throws(DaybookError) -> Bool
  ) throws(DaybookError) {
    // Who writes, or takes in what a peer sends, has the lock and may have more in hand than lies on the disk.
    guard !isLocked, syncLock == nil else {
      if try change(&file) { try saveFile() }
      return
    }
    let lock = try takeLock()
    defer { releaseUnused(lock) }
    // Another process may have written events since the logs were looked at.
    try reloadJournal()
    if try change(&file) { try saveFile() }
  }

  /// The missing events that the user has not accepted as lost, as far as they are known without reading the logs.
  package func gaps() throws(DaybookError) -> [Gap] { try knownLoss().gaps }

  /// The same, and whether the event that began the book is missing.
  package func knownLoss() throws(DaybookError) -> (gaps: [Gap], lacksBeginning: Bool) {
    // A read model that is made anew notes what is gone.
    _ = try view()
    let ends = try recordedEnds()
    var loss = try knownLoss(knowing: ends)
    guard !loss.gaps.isEmpty || loss.lacksBeginning else { return loss }
    // What these ends tell of was durable before they were read, but the logs may have been read earlier.
    try lookAgain(always: true)
    loss = try knownLoss(knowing: ends)
    // Or they were read while another process put one file in the place of another.
    for _ in 1..<Self.attempts where !loss.gaps.isEmpty || loss.lacksBeginning {
      guard try lookAgain() else { break }
      loss = try knownLoss(knowing: ends)
    }
    return loss
  }

  private func knownLoss(
    knowing ends: [Landmark]
  ) throws(DaybookError) -> (gaps: [Gap], lacksBeginning: Bool) {
    let ledger = try ledger(of: try view()) ?? Ledger()
    let lacksBeginning = file.book != .none && !ledger.firstHashes.values.contains(file.book)
    return (try gaps(by: ledger, ends), lacksBeginning)
  }

  /// The events that are known to have been here by what is written outside of the logs and the read model.
  private func recordedEnds() throws(DaybookError) -> [Landmark] {
    try ownEnds() + trustEnds() + Array(file.losses.ends.values)
  }

  private func gaps(
    by ledger: Ledger, _ ends: [Landmark]
  ) throws(DaybookError) -> [Gap] {
    var missing: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let found = (ledger.missing[log] ?? []) + journal.holes(in: log)
      if !found.isEmpty { missing[journal.lineage(of: log).replica, default: []] += found }
    }
    let held = heldEnds()
    for end in ends where try !isHere(end, by: held) {
      let first = min(end.sequence, (held[end.log] ?? 0) + 1)
      missing[end.log, default: []].append(first...end.sequence)
    }
    return try gaps(of: missing)
  }

  private func gaps(
    of missing: [UniqueID: [ClosedRange<UInt64>]]
  ) throws(DaybookError) -> [Gap] {
    let open = missing.sorted { $0.key < $1.key }.flatMap { replica, ranges in
      file.losses.unaccepted([ClosedRange<UInt64>](joining: ranges), of: replica).map {
        (replica, $0)
      }
    }
    guard !open.isEmpty else { return [] }
    let names = try deviceNames()
    return open.map { replica, range in
      Gap(device: names[replica] ?? replica.hex, log: replica, range: range, isBodiless: false)
    }
  }

  /// What devices are called by their logs, those among them of which nothing is held any more.
  package func deviceNames() throws(DaybookError) -> [UniqueID: String] {
    var names = try peers().peers.mapValues(\.name)
    let mark = try mark()
    let own = [file.writers[mark], file.left[mark]?.log].compactMap(\.self)
    for log in own + (file.earlier[mark] ?? []).map(\.log) { names[log] = file.device }
    let roster = try roster()
    for (log, name) in roster.trust.names where names[log] == nil { names[log] = name }
    for device in try devices(by: roster) { names[device.replica] = device.name }
    return names
  }

  /// What is lost and not accepted, as a verification has found it.
  package func loss(in report: VerificationReport) throws(DaybookError) -> Loss {
    let missing = report.missingByReplica.filter {
      !file.losses.unaccepted($0.value, of: $0.key).isEmpty
    }
    let titles = ViewsBeforeLoss(of: layout, on: machine).titles(
      of: missing, upTo: Loss.titleLimit)
    return Loss(gaps: try gaps(of: missing), titles: titles)
  }

  /// Accepts that all events are lost which are missing now: nothing tells of them any more, until they are back.
  ///
  /// - Returns: What was lost, and what a verification finds afterwards.
  package func acceptLoss() throws(DaybookError) -> (loss: Loss, after: VerificationReport) {
    let before = try verify()
    let loss = try loss(in: before)
    let missing = before.missingByReplica.merging(before.bodilessByReplica) { $0 + $1 }
    try changingFile { file in
      file.losses.accept(missing)
      return true
    }
    try ViewsBeforeLoss(of: layout, on: machine).remove()
    return (loss, try verify())
  }

  /// Keeps `book.json` in step with what a verification has found missing.
  func noteLosses(
    of report: VerificationReport, knowing ends: [Landmark]
  ) throws(DaybookError) {
    let missing = report.missingByReplica.merging(report.bodilessByReplica) { $0 + $1 }
    func update(_ losses: inout LossRecord) throws(DaybookError) -> Bool {
      let isLonger = try note(ends, in: &losses)
      return losses.forgetAccepted(except: missing) || isLonger
    }
    var losses = file.losses
    let isNews = try update(&losses)
    do throws(DaybookError) {
      if isNews { try changingFile { file throws(DaybookError) in try update(&file.losses) } }
      // All is back, and newer than the copy.
      if missing.isEmpty { try ViewsBeforeLoss(of: layout, on: machine).remove() }
    } catch {
      // On a disk that takes nothing the report alone must do.
      guard error.isRefusalOfTheDisk else { throw error }
    }
  }
}

extension VerificationReport {
  /// The events that are not there, by the replicas that wrote them.
  var missingByReplica: [UniqueID: [ClosedRange<UInt64>]] {
    logs.reduce(into: [:]) { missing, log in
      if !log.missing.isEmpty { missing[log.replica, default: []] += log.missing }
    }
  }

  /// The events that have lost their bodies, by the replicas that wrote them.
  var bodilessByReplica: [UniqueID: [ClosedRange<UInt64>]] {
    logs.reduce(into: [:]) { bodiless, log in
      if !log.bodiless.isEmpty { bodiless[log.replica, default: []] += log.bodiless }
    }
  }
}
