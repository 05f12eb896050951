import Bytes
import Crypto
import Domain
import Journaling
import Platform
import ReadModel
import Verifying

/// Finds problems with a book and its surroundings.
package struct HealthCheck {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let deviceList: DeviceList
  let ownEvents: OwnEvents
  let held: HeldErasureReader
  let quotas: QuotaKeeper
  let contactBook: ContactBook
  let peerNotes: PeerNotes
  let verifier: LogVerifier

  private var readModelCheck: ReadModelCheck {
    ReadModelCheck(store: store, projector: projector, lossTracker: verifier.lossTracker)
  }

  /// Runs all checks on a book.
  ///
  /// If `tidying` is true, leftover files are also removed, and keys that others can read are restricted. In either
  /// case, the verification records which events are missing.
  package func diagnose(tidying: Bool = false) throws(DaybookError) -> Diagnosis {
    // The read model is checked first, because queries may rebuild it.
    let view = Finding.view(try readModelCheck.state())
    // A writer removes the traces of a failed flush, so check for them before anything is written.
    let flushes = FolderCheck(store.layout, view: readModelCheck.path, on: store.machine).poison
    let removed = tidying ? try tidy() : []
    let restricted = tidying ? try restrictKeys() : []
    let report = try verifier.verify()
    let folder = FolderCheck(store.layout, view: readModelCheck.path, on: store.machine)
    let ledger = try projector.posting().ledger
    let roster = Roster(try trustReader.trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try deviceList.devices(by: roster)
    let standing = try deviceList.standing(by: trust, ledger)
    let canDecide = try deviceList.isTrusted(by: trust)
    let rejecting = try rejectingMachines()
    // A machine that rejects this device may have received a revocation that has not reached this device yet.
    let isStandingKnown = rejecting.isEmpty || standing != .admitted
    let standings: [Finding] =
      isStandingKnown ? [.standing(standing, hasTrustedDevice: trust.hasTrustedDevice)] : []
    let findings =
      findings(from: report, isTrustCopied: try trustReader.newTrust(by: ledger) == nil)
      + [forkFinding(devices)] + [flushes]
      + clockFindings(devices) + [.misdated(try deviceList.countOfMisdated())] + [
        lockFinding(), folder.room, folder.writing(to: try ownLogFolder()), view,
      ]
      + [try peerFinding(rejecting), try contactsFinding()]
      + [try folderFinding(), unopenedFinding()].compactMap(\.self) + [.key(try keyState())]
      + (try storeKeysFinding().map { [$0] } ?? [])
      + [folder.permissions, folder.place, folder.leftoverFinding, folder.quarantine]
      + [.stranded(try ownEvents.countOfStranded())]
      + deviceFindings(
        devices, roster, canDecide: canDecide, missing: Set(report.missingByReplica.keys),
        openFolders: try contactBook.openFolders())
      + (try claimFinding(devices).map { [$0] } ?? [])
      + (try openJoins().map { [.joining($0)] } ?? [])
      + [.held(try held.heldErasures(by: trust, among: devices))]
      + [try quotaFinding(devices, trust, ledger)]
      + standings
    return Diagnosis(findings: findings, removed: removed, restricted: restricted)
  }

  /// Returns whether the folder of the book is on this machine only, is reachable by other machines, or is copied by a
  /// program.
  package func folderState() -> Finding.PlaceState {
    guard
      case .place(let state) = FolderCheck(
        store.layout, view: readModelCheck.path, on: store.machine
      ).place
    else {
      return .local
    }
    return state
  }

  private func findings(from report: VerificationReport, isTrustCopied: Bool) -> [Finding] {
    let lacksOnlyEvents = report.faults.allSatisfy(\.kind.isHole)
    let missing = report.missingCount
    let events = report.logs.reduce(0) { $0 + $1.events }
    return [
      .chain(
        faults: lacksOnlyEvents ? 0 : report.faults.count, logs: report.logs.count, events: events),
      .holes(events: missing - min(missing, report.accepted), accepted: report.accepted),
      .trust(remembered: report.remembered, isCopied: isTrustCopied),
      .bodies(report.bodiless, accepted: report.acceptedBodies),
    ]
  }

  private func forkFinding(_ devices: [Device]) -> Finding {
    var branches: [UniqueID: UInt64] = [:]
    for branch in store.journal.forks.keys {
      branches[store.journal.lineage(of: branch).replica, default: 0] += 1
    }
    let revoked = Set(devices.filter { $0.standing == .revoked }.map(\.replica))
    let counted = branches.filter { !revoked.contains($0.key) }.map { replica, count in
      Finding.Counted(
        name: devices.first { $0.replica == replica }?.listedName ?? replica.hex, count: count)
    }
    return .forks(counted.sorted { ($0.name, $0.count) < ($1.name, $1.count) })
  }

  /// The range of plausible times, in milliseconds: from 2020 to 2100.
  private static let saneMoments: ClosedRange<Int64> = 1_577_836_800_000...4_102_444_800_000

  private func clockFindings(_ devices: [Device]) -> [Finding] {
    let now = store.folder.now
    let suspects = devices.compactMap { device -> (Finding.Counted, isAhead: Bool)? in
      guard device.isClockSuspect, let offset = device.clockOffset else { return nil }
      return (Finding.Counted(name: device.name, count: offset.magnitude), offset > 0)
    }
    let behind = suspects.filter { !$0.isAhead }.map(\.0)
    return [
      .clock(now: now, isSane: Self.saneMoments.contains(now), unknownZone: unknownZone),
      .future(suspects.filter(\.isAhead).map(\.0)),
    ] + (behind.isEmpty ? [] : [.past(behind)])
  }

  /// The value of `TZ`, if it names no time zone that this machine knows.
  private var unknownZone: String? {
    store.machine.variable("TZ").flatMap { store.machine.timekeeper.knowsZone($0) ? nil : $0 }
  }

  private func lockFinding() -> Finding {
    do throws(DiskError) {
      guard let lock = try store.machine.disk.lock(store.layout.lock) else {
        return .lock(.held(by: store.folder.holder()))
      }
      store.folder.releaseUnused(lock)
      return .lock(.free)
    } catch {
      // Another check reports that the disk cannot be written.
      return .lock(.unknown)
    }
  }

  /// The names of the remembered machines that rejected the key of this device at the last attempt to sync with them.
  package func rejectingMachines() throws(DaybookError) -> [String] {
    try RejectionNotes(localDevice: localDevice, projector: projector).machines(of: contactBook)
  }

  private func peerFinding(_ rejecting: [String]) throws(DaybookError) -> Finding {
    let devices = try deviceList.devices()
    // This device is not a peer of itself, even if it has read a bundle that it wrote.
    let own = devices.first(where: \.isThis)?.key
    let left = Set(
      devices.filter { $0.standing == .revoked || $0.key == own }.map(\.replica))
    let told = try peerNotes.peers().peers.filter { !left.contains($0.key) }
    // A device that has begun a new log still holds what it reported under its old log.
    let byDevice = Dictionary(grouping: told.keys) { replica in
      devices.first { $0.replica == replica }.map { $0.key } ?? replica.bytes
    }
    let counted = byDevice.values.map { replicas in
      let known = told.filter { replicas.contains($0.key) }
      let name = devices.first { replicas.contains($0.replica) && $0.hasLog }?.name
      return Finding.Counted(
        name: name ?? known.values.map(\.name).max() ?? "",
        count: contactBook.eventsLacked(by: known))
    }
    return .peers(
      counted.sorted { ($0.name, $0.count) < ($1.name, $1.count) }, rejecting: rejecting)
  }

  private func contactsFinding() throws(DaybookError) -> Finding {
    do throws(DaybookError) {
      return .contacts(.known(try contactBook.contacts().count))
    } catch {
      guard case .contacts(let path, let fault) = error else { throw error }
      return .contacts(.damaged(path, fault))
    }
  }

  private func deviceFindings(
    _ devices: [Device], _ roster: Roster, canDecide: Bool, missing: Set<UniqueID>,
    openFolders: [Path]
  ) -> [Finding] {
    let trust = roster.trust
    let key = devices.first(where: \.isThis)?.key
    let own = trust.admittedKeys.first { $0.bytes == key }
    let readers = devices.filter { $0.standing == .founder || $0.standing == .admitted }
    let withoutLog = readers.filter { !$0.hasLog }
    let leftBehind = leftBehind(devices, roster, seenBy: own)
    let waiting = devices.filter { $0.standing == .waiting && !$0.isThis }.map { device in
      Finding.Newcomer(
        name: device.listedName, fingerprint: device.fingerprint, sponsor: device.sponsor)
    }
    return [
      .incarnations(devices.count { $0.key == key }),
      .readers(
        Set(readers.map(\.key)).count,
        silent: withoutLog.filter { !missing.contains($0.replica) }.map(\.listedName),
        lost: withoutLog.filter { missing.contains($0.replica) }.map(\.listedName),
        openFolders: openFolders, hasRevoked: devices.contains { $0.standing == .revoked }),
      .leftBehind(leftBehind, canDecide: canDecide || leftBehind.isEmpty),
      .waiting(waiting, canDecide: canDecide || waiting.isEmpty),
    ]
  }

  private func leftBehind(
    _ devices: [Device], _ roster: Roster, seenBy own: PublicKey?
  ) -> [Finding.LeftBehind] {
    let names = Dictionary(devices.map { ($0.key, $0.withoutPart.listedName) }) { first, _ in first
    }
    func name(_ key: PublicKey) -> String {
      names[key.bytes] ?? roster.trust.listedName(of: key)
    }
    let keys = RevocationScope.leftBehind(in: roster.trust, seenBy: own)
    var left = Dictionary(keys.map { ($0.bytes, $0) }) { first, _ in first }
    return devices.compactMap { device in
      guard let key = left.removeValue(forKey: device.key) else { return nil }
      let (nearest, revoked) = roster.admitters(of: key)
      return Finding.LeftBehind(
        name: device.listedName, fingerprint: device.fingerprint,
        author: nearest.map(name) ?? "a revoked device",
        revoked: revoked == nearest ? nil : revoked.map(name) ?? "an unknown device")
    }
  }

  /// The devices whose claims about this device's log the witness disproves; nil if there are none.
  private func claimFinding(_ devices: [Device]) throws(DaybookError) -> Finding? {
    let authors = Set(
      try verifier.claimReader.disproved(in: projector.posted).map {
        store.journal.lineage(of: $0.author).replica
      })
    let names = Set(devices.filter { authors.contains($0.replica) }.map(\.listedName))
    return names.isEmpty ? nil : .claims(names.sorted())
  }

  private func quotaFinding(
    _ devices: [Device], _ trust: Trust, _ ledger: Ledger
  ) throws(DaybookError) -> Finding {
    let usage = try quotas.usage(among: devices, trust, ledger)
    let notable = usage.filter { $0.percent >= Finding.notableQuotaPercent && !$0.isHeldBack }
    return .quotas(
      notable.map {
        Finding.Counted(name: $0.device.listedName, count: UInt64($0.percent))
      }, heldBack: usage.filter(\.isHeldBack).map(\.device.listedName))
  }

  /// The minimum age of leftovers to remove, in milliseconds.
  ///
  /// Read models are built without the lock, so younger files may be in use.
  private static let leftoverAge: Int64 = 60 * 60 * 1000

  /// The folder of the log that this device writes to; nil if it has written nothing.
  private func ownLogFolder() throws(DaybookError) -> Path? {
    // If the log has forked, this device will begin a new one.
    try localDevice.ownLog.map { store.layout.logs / $0.hex }
  }

  /// Removes files that crashes left behind, if they are old enough that no process can still be using them.
  private func tidy() throws(DaybookError) -> [Path] {
    try access.withLock { () throws(DaybookError) in
      let folder = FolderCheck(store.layout, view: readModelCheck.path, on: store.machine)
      let latest = store.folder.now - Self.leftoverAge
      let old = folder.leftovers.filter { $0.status.modified.milliseconds <= latest }.map(\.path)
      try wrap(DaybookError.disk) { () throws(DiskError) in
        for path in old { try store.machine.disk.removeIfPresent(path) }
      }
      return old
    }
  }
}

extension Fault.Kind {
  /// Whether the fault means only that events are missing.
  fileprivate var isHole: Bool {
    switch self {
    case .missing, .knownHole, .shortened, .replaced, .unplaced: true
    default: false
    }
  }
}
