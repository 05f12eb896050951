import Bytes
import Crypto
import Domain
import Journaling
import ReadModel

/// Revokes devices, together with the devices that take part only through them.
package struct Revoker {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList
  let historyReader: HistoryReader
  let held: HeldErasureReader

  /// Plans the revocation of a device and of the devices that take part only through it.
  ///
  /// - Parameters:
  ///   - device: Any other device. If one of its logs or branches is named, all of them are revoked.
  ///   - kept: Devices to keep although the revoked device admitted them; the devices that they admitted are also kept.
  ///   - isWhole: Whether all events of these devices stop counting. This also allows a device that is already revoked
  ///     to be revoked again.
  /// - Returns: The devices that would be revoked, and the devices that would be kept.
  /// - Throws: ``DaybookError/ownKey`` for this device; ``DaybookError/notAdmitted`` if this device cannot revoke;
  ///   ``DaybookError/alreadyRevoked(_:by:time:)`` for a device that is already revoked, unless erasures by the device
  ///   are held, because the earlier revocation may have kept them; ``DaybookError/admittedThrough(_:)`` if this device
  ///   takes part only through events that would not count.
  package func revocationPlan(
    for device: Device, keeping kept: [Device] = [], whole isWhole: Bool = false
  ) throws(DaybookError) -> RevocationPlan {
    let roster = try deviceList.roster()
    let trust = roster.trust
    let device = device.withoutPart
    let key = try deviceList.publicKey(of: device)
    guard let own = try localDevice.ownLog, let author = trust.keys[own] else { throw .notAdmitted }
    guard author != key else { throw .ownKey }
    // Do not plan anything that this device is not allowed to do, and do not ask the user about it.
    guard try deviceList.isTrusted(by: trust) else { throw .notAdmitted }
    let ledger = try projector.posting().ledger
    let held = heldKeys(by: trust, ledger)
    guard isWhole || !trust.revokedKeys.contains(key) || held.contains(key) else {
      throw try alreadyRevoked(device, trust, ledger)
    }
    var keptKeys: Set<PublicKey> = []
    for device in kept { keptKeys.insert(try deviceList.publicKey(of: device)) }
    let all = RevocationScope(of: key, in: trust, by: author)
    let scope = RevocationScope(of: key, in: trust, by: author, keeping: keptKeys)
    if isWhole {
      // Admissions are events, so this device must take part without events that would stop counting. A kept device
      // takes part through this device, so it cannot vouch for this device in turn.
      let left = AdmissionGraph(trust).reach(from: [], without: scope.keys)
      guard left.contains(author) else { throw .admittedThrough(device.listedName) }
    }
    let devices = try deviceList.devices(by: roster)
    func listed(_ keys: Set<PublicKey>) -> [Device] {
      var bytes = Set(keys.map(\.bytes))
      return devices.filter { bytes.remove($0.key) != nil }
    }
    return RevocationPlan(
      device: device, formerKeys: listed(scope.keys.subtracting([key])),
      dependents: listed(scope.dependents), kept: listed(all.dependents.intersection(keptKeys)),
      isWhole: isWhole,
      successor: scope.successor.flatMap { listed([$0]).first })
  }

  /// Revokes a device and the devices that take part only through it.
  ///
  /// Their events that are already folded stay folded.
  package func revoke(_ device: Device) throws(DaybookError) -> Revocation {
    try revoke(by: try revocationPlan(for: device))
  }

  /// Carries out a plan.
  ///
  /// This device admits the kept devices itself, so that devices that receive the revocation also see that a member
  /// vouches for the kept devices.
  package func revoke(by plan: RevocationPlan) throws(DaybookError) -> Revocation {
    var ended: [Revocation.Ended] = []
    var refused: [EventName] = []
    try access.withLock { () throws(DaybookError) in
      var posting = try projector.posting()
      let trust = try trustReader.trust(by: posting.ledger)
      guard try deviceList.isTrusted(by: trust) else { throw .notAdmitted }
      let held = heldKeys(by: trust, posting.ledger)
      var verbs: [TrustVerb] = []
      for device in plan.kept {
        verbs.append(
          .admit(try deviceList.publicKey(of: device), name: device.name, route: .command))
      }
      for device in plan.revoked {
        let key = try deviceList.publicKey(of: device)
        if trust.revokedKeys.contains(key), !plan.isWhole, !held.contains(key) {
          guard device.key != plan.device.key else {
            throw try alreadyRevoked(device, trust, posting.ledger)
          }
          continue
        }
        refused += posting.ledger.erasing.heldErases(by: trust.admitted)
          .filter { trust.keys[$0.place.log] == key }.map(\.entity)
        let kept = plan.isWhole ? [] : try landmarks(of: key, trust, posting.ledger)
        verbs.append(.revoke(key, kept: kept))
        ended.append(Revocation.Ended(device: device, kept: events(upTo: kept)))
      }
      _ = try writer.append([], trusting: verbs, knowing: &posting)
    }
    let after = try projector.trust()
    return Revocation(
      ended: ended, refused: Set(refused).count, hasTrustedDevice: after.hasTrustedDevice)
  }

  /// The error for a device that has already been revoked.
  private func alreadyRevoked(
    _ device: Device, _ trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> DaybookError {
    let removal = try deviceList.removal(
      of: try deviceList.publicKey(of: device), by: trust, ledger)
    return .alreadyRevoked(device.listedName, by: removal.author, time: removal.time)
  }

  /// The last event that counts after a revocation in each log of the revoked devices, by the numbers of the logs.
  package func lastCounted(after plan: RevocationPlan) throws(DaybookError) -> [UInt32: UInt64] {
    let posting = try projector.remembered(by: try projector.view())
    let trust = try trustReader.trust(by: posting.ledger)
    var ends: [UInt32: UInt64] = [:]
    for device in plan.revoked {
      let key = try deviceList.publicKey(of: device)
      for log in posting.ledger.folded.keys where trust.keys[log] == key {
        if let number = posting.causality.number(of: log) { ends[number] = 0 }
      }
      guard !plan.isWhole else { continue }
      for kept in try landmarks(of: key, trust, posting.ledger) {
        if let number = posting.causality.number(of: kept.log) { ends[number] = kept.sequence }
      }
    }
    return ends
  }

  /// The keys whose erasures are held.
  private func heldKeys(by trust: Trust, _ ledger: Ledger) -> Set<PublicKey> {
    Set(ledger.erasing.heldErases(by: trust.admitted).compactMap { trust.keys[$0.place.log] })
  }

  /// Whether a device still takes part although every device that admitted it was revoked.
  package func isLeftBehind(_ device: Device) throws(DaybookError) -> Bool {
    let trust = try deviceList.roster().trust
    let own = try localDevice.ownLog.flatMap { trust.keys[$0] }
    return RevocationScope.leftBehind(in: trust, seenBy: own).contains(
      try deviceList.publicKey(of: device))
  }

  /// The records that the given devices have deleted and that are still deleted, latest first.
  package func deletions(by devices: [Device]) throws(DaybookError) -> [RevokedDeletion] {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let trust = try trustReader.trust(by: posting.ledger)
    let keys = Set(devices.map(\.key))
    var deleted: [EventKey: Int64] = [:]
    for fact in try historyReader.toldFacts(by: posting).facts where fact.body.verb == .delete {
      guard let log = posting.causality.identity(of: fact.key.log)?.id,
        let key = trust.keys[log], keys.contains(key.bytes)
      else { continue }
      deleted[fact.subject] = max(fact.effectiveTime, deleted[fact.subject] ?? .min)
    }
    guard !deleted.isEmpty else { return [] }
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(Set(deleted.keys), causality: posting.causality)
    }
    let documents = records.distinctDocuments(of: deleted.keys.sorted()).filter { !$0.isAlive }
    return documents.map { document in
      let time = document.members.compactMap { deleted[$0] }.max() ?? .min
      return RevokedDeletion(document: document, time: time)
    }.sorted {
      ($1.time, $0.document.title, $0.document.id) < ($0.time, $1.document.title, $1.document.id)
    }
  }

  /// Returns a function that finds the last event of a log before any held erasure, in the log itself or in its trunks.
  private func acceptedEnds(by erases: [ErasureLedger.Erase]) -> (UniqueID) -> UInt64 {
    let tree = store.logTree
    let firstHeld = Dictionary(
      erases.map { ($0.place.log, $0.place.sequence) }, uniquingKeysWith: min)
    return { log in
      let reaches = tree.reaches(through: log, upTo: .max)
      let held = reaches.compactMap { reach in
        firstHeld[reach.log].flatMap { $0 <= reach.upTo ? $0 : nil }
      }
      return held.min().map { $0 - 1 } ?? .max
    }
  }

  /// The maximum number of places in one event: 12,288 places of 46 bytes take 552 KiB of the 640 KiB that a command
  /// may contain.
  private static let mostKept = 12_288

  /// The number of events before the given ends of logs and branches, each counted once.
  private func events(upTo kept: [Landmark]) -> UInt64 {
    kept.reduce(0) { sum, landmark in
      sum + landmark.sequence - (store.journal.lineage(of: landmark.log).first - 1)
    }
  }

  /// The end of the folded part of each log and branch of a key, in whole commands, before the first held erasure.
  ///
  /// A log with only its first event folded is omitted, which cuts it at 0 and loses nothing. If there are more logs
  /// than one event can name, those with the highest sequences are kept.
  private func landmarks(
    of key: PublicKey, _ trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> [Landmark] {
    var kept: [Landmark] = []
    let accepted = acceptedEnds(by: ledger.erasing.heldErases(by: ledger.folded))
    for (log, last) in ledger.folded.sorted(by: { $0.key < $1.key }) where trust.keys[log] == key {
      guard let end = store.journal.end(of: log, on: .logs) else { continue }
      let held = min(last, end.sequence, accepted(log))
      guard held >= store.journal.lineage(of: log).first else { continue }
      let upTo = held == end.sequence ? held : try store.landmark(of: log, at: held).commandEnd
      if upTo == 1, store.journal.lineage(of: log).fork == nil { continue }
      let isEnd = upTo == end.sequence
      guard let hash = isEnd ? end.hash.prefix16 : try store.landmark(of: log, at: upTo).hash else {
        continue
      }
      kept.append(Landmark(log: log, sequence: upTo, hash: hash))
    }
    guard kept.count > Self.mostKept else { return kept }
    return Array(kept.sorted { ($1.sequence, $0.log) < ($0.sequence, $1.log) }[..<Self.mostKept])
  }
}
