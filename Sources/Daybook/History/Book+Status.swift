package import Bytes
import Crypto
package import Domain
import Journaling
import ReadModel

/// How a book stands.
package struct Status: Sendable {
  /// Events of the domain that are folded.
  package var events: UInt64
  /// The state every device with the same events agrees on.
  package var digest: Digest
  /// Events about records that this device shows and no other one does; the digest is of the state without them.
  package var shownAlone: UInt64
  /// Events about records that this device wrote under a key it has left, and that it does not show.
  package var hidden: UInt64
  /// How far each log of the book is held.
  package var version: [(replica: UniqueID, sequence: UInt64)]
  package var counts: [(kind: Kind, count: Int64)]
  package var standing: Standing
  /// Whether others fold what this device writes, or will when it begins to.
  package var isAdmitted: Bool { standing == .admitted || standing == .unknown }
  /// Whether any device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool
  /// Events that cannot be read here.
  package var missing: [(replica: UniqueID, range: ClosedRange<UInt64>)]
  /// What is kept and passed on, and only a newer version can show.
  package var newer: Newer
  /// Erasures by other devices that are held here; while there are some, the digest is not that of the others.
  package var heldErasures: [HeldErasures]
  package var devices: [Device]
  /// What the other devices have written of what they may.
  package var usage: [DeviceUsage]
  /// The events of all devices, whether they count and whatever they are about.
  package var held: UInt64 { devices.reduce(0) { $0 + $1.events } }
  /// The names of devices of which two copies write, and so their logs have branches.
  package var forked: [String] { Device.forked(devices) }

  /// The digest in words that two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

/// How a book stood at a moment.
package struct PastStatus: Sendable {
  /// Events of the domain that are folded and had happened.
  package var events: UInt64
  /// The state every device with the same events agrees on.
  package var digest: Digest
  /// Those of the events that this device shows and no other one does; the digest is of the state without them.
  package var shownAlone: UInt64
  package var counts: [(kind: Kind, count: Int64)]
  /// The digest in words that two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

extension Status {
  /// What a newer version has written.
  package struct Newer: Hashable, Sendable {
    /// Living records of kinds, or with fields or values, that are not known here.
    package var records: Int64
    /// Events that say nothing here.
    package var events: UInt64
    package var isNothing: Bool { records == 0 && events == 0 }
  }
}

extension Book {
  package func status() throws(DaybookError) -> Status {
    let model = try view()
    let ledger = try remembered(by: model).ledger
    let (counts, newer) = try wrap(DaybookError.view) { () throws(ReadModelError) in
      (try model.counts(), try model.countOfNewer())
    }
    let roster = Roster(try trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try devices(by: roster)
    let version = journal.logs.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sequence) }
    let unreadable = version.flatMap { log, last in
      // A body that the device itself has erased, by what is cut, is one that the common state lacks.
      let ranges =
        unread(of: log, upTo: last, ledger)
        + ledger.erasing.bodiless(in: log, by: trust.admitted)
      return file.losses.unaccepted([ClosedRange<UInt64>](joining: ranges), of: log).map {
        (log, $0)
      }
    }
    let shortened = try gaps().filter { gap in
      !unreadable.contains {
        journal.lineage(of: $0.0).replica == gap.log && $0.1.overlaps(gap.range)
      }
    }
    let gone = unreadable + shortened.map { ($0.log, $0.range) }
    // Beyond the end of a log that was never held here, only what is remembered of it tells what is lost.
    let remembered = ledger.remembered.sorted().filter { event in
      !gone.contains { $0.0 == event.log && $0.1.contains(event.sequence) }
        && !file.losses.unaccepted([event.sequence...event.sequence], of: event.log).isEmpty
    }
    let missing = gone + remembered.map { ($0.log, $0.sequence...$0.sequence) }
    return Status(
      events: ledger.factCount, digest: try digest(), shownAlone: try countOfShownAlone(by: trust),
      hidden: try countOfUnshownOwn(by: trust), version: version, counts: counts,
      standing: try standing(by: trust, ledger),
      hasTrustedDevice: trust.hasTrustedDevice, missing: missing,
      newer: Status.Newer(records: newer, events: ledger.unreadCount),
      heldErasures: try heldErasures(by: trust, among: devices), devices: devices,
      usage: try usage(among: devices, trust, ledger))
  }

  /// How a book stood at a moment, by what is known of it now.
  package func status(at moment: Int64) throws(DaybookError) -> PastStatus {
    var events: UInt64 = 0
    let fold = try foldAll { fact, _ in
      guard fact.effectiveTime <= moment else { return false }
      events += 1
      return true
    }
    let model = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: fold.records, change: fold.change)
    }
    let counts = try wrap(DaybookError.view) { () throws(ReadModelError) in try model.counts() }
    let common = try trust(by: fold.posting.ledger).admitted.filter {
      journal.end(of: $0.key, on: .logs) != nil
    }
    var commonEvents: UInt64 = 0
    let isCommon = common == fold.posting.ledger.folded
    let records =
      try isCommon
      ? fold.records
      : foldAll(of: common) { fact, _ in
        guard fact.effectiveTime <= moment else { return false }
        commonEvents += 1
        return true
      }.records
    return PastStatus(
      events: events, digest: records.digest(),
      shownAlone: isCommon ? 0 : events - min(events, commonEvents), counts: counts)
  }

  /// The digest of the common state: what this device alone sees is left out.
  ///
  /// It is kept with the read model for as long as no log that counts has grown.
  package func digest() throws(DaybookError) -> Digest {
    let model = try view()
    let posting = try remembered(by: model)
    let common = try trust(by: posting.ledger).admitted.filter {
      journal.end(of: $0.key, on: .logs) != nil
    }
    let state = stateName(of: common, holding: posting.ledger.erasing.heldBack)
    let known = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting("digest")
    }
    if let known, known.starts(with: state.bytes), known.count == 64 {
      return Digest(known[32...])
    }
    let digest = try digest(of: common, posting, model)
    do throws(ReadModelError) {
      try model.keep("digest", state.bytes + digest.bytes)
    } catch {
      // Without room for it, it is worked out again the next time.
      guard error.isRefusalOfTheDisk else { throw .view(error) }
    }
    return digest
  }

  /// Stands for the events of some logs, up to where each is held or cut, without some erasures.
  func stateName(
    of logs: [UniqueID: UInt64], holding heldBack: Set<Landmark.Mark>
  ) -> Digest {
    var name = heldBack.map(\.hash).sorted().flatMap(\.bytes)
    for (log, last) in logs.sorted(by: { $0.key < $1.key }) {
      guard let end = journal.end(of: log, on: .logs) else { continue }
      name += log.bytes + end.hash.bytes + Array("\(min(last, end.sequence)) ".utf8)
    }
    return SHA256.digest(of: name)
  }

  /// The digest of some logs: as the read model keeps it, where it has folded just these.
  private func digest(
    of logs: [UniqueID: UInt64], _ posting: Posting, _ model: ReadModel
  ) throws(DaybookError) -> Digest {
    guard logs == posting.ledger.folded else { return try foldAll(of: logs).records.digest() }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.digest(causality: posting.causality)
    }
  }

  /// The first event of a log, which says whose it is.
  func openEvent(of log: UniqueID) throws(DaybookError) -> TrustVerb? {
    var open: TrustVerb?
    try forEachFrame(of: log, upTo: 1) { frame in
      // A log that does not say whose it is was refused when it came.
      open = frame.opening.map(TrustVerb.open)
    }
    return open
  }
}
