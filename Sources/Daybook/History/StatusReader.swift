package import Bytes
import Domain
import Journaling
import ReadModel

/// Determines the state of the book.
package struct StatusReader {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let deviceList: DeviceList
  let ownEvents: OwnEvents
  let losses: LossReader
  let held: HeldErasureReader
  let quotas: QuotaKeeper
  let exporter: Exporter

  package func status() throws(DaybookError) -> Status {
    let model = try projector.view()
    let ledger = try projector.remembered(by: model).ledger
    let (counts, newer) = try wrap(DaybookError.view) { () throws(ReadModelError) in
      (try model.documents.counts(), try model.documents.countOfNewer())
    }
    let roster = Roster(try trustReader.trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try deviceList.devices(by: roster)
    let version = store.journal.logs.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sequence) }
    let missing = try missing(by: trust, ledger)
    return Status(
      events: ledger.factCount, digest: try digest(),
      shownAlone: try ownEvents.countOfShownAlone(by: trust),
      hidden: try countOfUnshownOwn(by: trust), version: version, counts: counts,
      standing: try deviceList.standing(by: trust, ledger),
      hasTrustedDevice: trust.hasTrustedDevice, missing: missing,
      newer: Status.Newer(records: newer, events: ledger.unreadCount),
      heldErasures: try held.heldErasures(by: trust, among: devices), devices: devices,
      held: store.countOfPresent(by: ledger),
      usage: try quotas.usage(among: devices, trust, ledger),
      ownAmount: quotas.ownAmount(trust, ledger))
  }

  /// Returns, by log, the events that cannot be read here and that the user has not accepted as lost.
  private func missing(
    by trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> [(replica: UniqueID, range: ClosedRange<UInt64>)] {
    var missing: [(replica: UniqueID, range: ClosedRange<UInt64>)] = []
    // Losses are accepted by replica, which is the same for all branches of a log.
    var known: [UniqueID: [ClosedRange<UInt64>]] = store.file.losses.accepted
    for log in store.journal.logs.keys.sorted() {
      let ranges =
        store.unread(of: log, upTo: store.journal.logs[log]?.sequence ?? 0, ledger)
        + ledger.erasing.lostBodies(in: log, by: trust.admitted, showing: ledger.folded)
      let replica = store.journal.lineage(of: log).replica
      missing += store.file.losses.unaccepted([ClosedRange<UInt64>](joining: ranges), of: replica)
        .map { (log, $0) }
      known[replica, default: []] += ranges
    }
    for gap in try losses.gaps() {
      missing += [gap.range].without(known[gap.log] ?? []).map { (gap.log, $0) }
      known[gap.log, default: []].append(gap.range)
    }
    // Some lost trust events are not in these ranges, and are known only from the second copy.
    let lost = Set(ledger.remembered.map { EventName(log: $1, sequence: $0.sequence) })
    for event in lost.sorted() {
      missing += [event.sequence...event.sequence].without(known[event.log] ?? []).map {
        (event.log, $0)
      }
    }
    return missing
  }

  /// Returns the state of the book at a given time, based on the events that are held now.
  package func status(at moment: Int64) throws(DaybookError) -> PastStatus {
    var events: UInt64 = 0
    let fold = try projector.replayer.foldAll { fact, _ in
      guard fact.effectiveTime <= moment else { return false }
      events += 1
      return true
    }
    let model = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: fold.records, change: projector.change(for: fold.posting))
    }
    let counts = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.counts()
    }
    let common = try trustReader.trust(by: fold.posting.ledger).admitted.filter {
      store.journal.end(of: $0.key, on: .logs) != nil
    }
    var commonEvents: UInt64 = 0
    let isCommon = common == fold.posting.ledger.folded
    let records =
      try isCommon
      ? fold.records
      : projector.replayer.foldAll(of: common) { fact, _ in
        guard fact.effectiveTime <= moment else { return false }
        commonEvents += 1
        return true
      }.records
    return PastStatus(
      events: events, digest: records.digest(),
      shownAlone: isCommon ? 0 : events - min(events, commonEvents), counts: counts)
  }

  /// Returns the digest of the common state, excluding the events that only this device folds.
  ///
  /// The read model stores the digest. The stored digest is used while the logs that count, their ends and the held
  /// erasures remain unchanged.
  package func digest() throws(DaybookError) -> Digest {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let common = try trustReader.trust(by: posting.ledger).admitted.filter {
      store.journal.end(of: $0.key, on: .logs) != nil
    }
    let state = store.stateName(of: common, holding: posting.ledger.erasing.heldBack)
    let known = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value("digest")
    }
    if let known, known.starts(with: state.bytes), known.count == 64 {
      return Digest(known[32...])
    }
    let digest = try digest(of: common, posting, model)
    do throws(ReadModelError) {
      try model.settings.keep("digest", state.bytes + digest.bytes)
    } catch {
      // If the digest cannot be stored, it is computed again the next time.
      guard error.isRefusalOfTheDisk else { throw .view(error) }
    }
    return digest
  }

  /// Computes the digest of the given logs, from the read model if it has folded exactly these.
  private func digest(
    of logs: [UniqueID: UInt64], _ posting: Posting, _ model: ReadModel
  ) throws(DaybookError) -> Digest {
    guard logs == posting.ledger.folded else {
      return try projector.replayer.foldAll(of: logs).records.digest()
    }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.stateDigest.digest(causality: posting.causality)
    }
  }

  /// Returns the usage of the other devices of the book, once for each key, sorted by name.
  package func usage() throws(DaybookError) -> [DeviceUsage] {
    let ledger = try projector.posting().ledger
    let roster = Roster(try trustReader.trust(by: ledger), by: ledger)
    return try quotas.usage(among: try deviceList.devices(by: roster), roster.trust, ledger)
  }

  /// Returns the amount that this device has written, which other devices compare with their quotas for this device.
  package func ownAmount() throws(DaybookError) -> Quota {
    let ledger = try projector.posting().ledger
    return quotas.ownAmount(try trustReader.trust(by: ledger), ledger)
  }

  /// Returns the number of record events that this device wrote but does not show; 0 if the content of these events is
  /// shown in other ways.
  func countOfUnshownOwn(by trust: Trust) throws(DaybookError) -> UInt64 {
    let count = try ownEvents.countOfHiddenOwn(by: trust)
    if count == 0 { return 0 }
    return try exporter.hasUncounted() ? count : 0
  }
}
