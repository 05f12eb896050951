import Bytes
import Crypto
import Journaling
import Syncing

/// Founds a new book from the logs of this book, with the chosen devices.
package struct Refounder {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let ownLogKeeper: OwnLogKeeper
  let deviceList: DeviceList
  let settler: SyncSettler

  /// Plans a new book with this device and the named devices.
  ///
  /// Use this function if no trusted device remains in the book, or if only hostile devices are trusted in it.
  package func newFounding(with names: [String]) throws(DaybookError) -> NewFounding {
    let ledger = try projector.posting().ledger
    let roster = Roster(try trustReader.trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try deviceList.devices(by: roster)
    var taken: [Device] = []
    for device in devices where try isOwn(device, ledger) { taken.append(device) }
    let ownKeys = Set(taken.map(\.key))
    for name in names { taken.append(try DeviceList.device(called: name, among: devices)) }
    var keys: Set<[UInt8]> = []
    taken = taken.filter { keys.insert($0.key).inserted }
    // Devices whose logs are set aside were never part of the book, and need not be excluded from the new book.
    let leftOut = devices.filter { device in
      store.journal.end(of: device.replica, on: .logs) != nil && keys.insert(device.key).inserted
    }
    let others = trust.knownKeys.union(trust.revokedKeys).filter { !keys.contains($0.bytes) }
    return NewFounding(
      taken: taken, leftOut: leftOut, unproved: try unproved(of: taken, among: devices),
      ownKeys: ownKeys, otherKeys: others.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
  }

  /// The events that would not count in the new book, and the devices that would stay revoked in it.
  ///
  /// The revocations in the logs of all included devices take effect in the new book. They are applied as if the new
  /// book had been founded, and nothing is written.
  package func forecast(of founding: NewFounding) throws(DaybookError) -> FoundingForecast {
    var ledger = try projector.posting().ledger
    let book = try addFirstEvents(of: founding, to: &ledger)
    let roster = Roster(try trustReader.trust(by: ledger, in: book), by: ledger)
    let trust = roster.trust
    var uncounted: [[UInt8]: UInt64] = [:]
    for device in try deviceList.devices(by: roster) where device.hasLog {
      uncounted[device.key, default: 0] += device.cut
    }
    var authors: [[UInt8]: Set<[UInt8]>] = [:]
    for event in ledger.trustEvents where trust.known.contains(event.log) {
      guard case .revoke(let key, _) = event.verb, let author = trust.keys[event.log] else {
        continue
      }
      authors[key.bytes, default: []].insert(author.bytes)
    }
    let ended = founding.taken.compactMap { device -> FoundingForecast.Ended? in
      guard !founding.ownKeys.contains(device.key), let revoking = authors[device.key] else {
        return nil
      }
      return FoundingForecast.Ended(
        device: device, authors: founding.taken.filter { revoking.contains($0.key) },
        isByThis: !revoking.isDisjoint(with: founding.ownKeys))
    }
    return FoundingForecast(ended: ended, uncounted: uncounted)
  }

  /// Adds the first events of the new book to a ledger, under a key that is not used otherwise.
  ///
  /// - Returns: The id by which the ledger knows the new book.
  private func addFirstEvents(
    of founding: NewFounding, to ledger: inout Ledger
  ) throws(DaybookError) -> UniqueID {
    let key = try store.folder.newKeys().signing.publicKey
    let log = UniqueID.replica(publicKey: key, incarnation: .none)
    let opening = Opening(
      publicKey: key, agreement: [UInt8](repeating: 0, count: 32), incarnation: .none,
      name: store.file.device)
    var sequence: UInt64 = 0
    for verb in [.open(opening)] + (try verbs(of: founding)) {
      sequence += 1
      let place = Landmark(log: log, sequence: sequence, hash: log)
      ledger.trustEvents.append(TrustEvent(at: place, verb: verb))
    }
    return log
  }

  /// Events by devices in the new book that cannot be sent to any other device, because no head proves them and their
  /// key is lost.
  private func unproved(
    of taken: [Device], among devices: [Device]
  ) throws(DaybookError) -> [Receipt.Share] {
    let keys = Set(taken.map(\.key))
    let held = devices.filter { keys.contains($0.key) && $0.hasLog }
    let replicas = Set(held.map { store.journal.lineage(of: $0.replica).replica })
    var counts: [UniqueID: UInt64] = [:]
    for replica in replicas {
      let keys = try wrap(DaybookError.sync) { () throws(SyncError) in
        try localDevice.exportKeys(of: replica)
      }
      guard keys == nil else { continue }
      counts[replica] = try wrap(DaybookError.journal) { () throws(JournalError) in
        var export = try store.journal.export(of: replica, lackedBy: [], keys: nil)
        while try export.next() != nil {}
        return export.withheld
      }
    }
    return Receipt.shares(counts.filter { $0.value > 0 }, devices.names)
  }

  /// Whether a device is this device, under its present key or under a key from before it founded this book.
  ///
  /// A key that this device has replaced is included only if the user names it, because another person may have it.
  private func isOwn(_ device: Device, _ ledger: Ledger) throws(DaybookError) -> Bool {
    if device.isThis { return true }
    guard device.isFormerKey, let own = try localDevice.ownLog,
      try localDevice.keys(of: device.replica) != nil
    else {
      return false
    }
    return ledger.trustEvents.contains { event in
      guard event.log == own, case .admit(let key, _, _, _) = event.verb else { return false }
      return key.bytes == device.key
    }
  }

  /// Founds a new book from the same logs, with a new key of this device.
  ///
  /// With a new key, events about the old key have no effect in the new book, and events of the new book have no effect
  /// in the old book. The old book is not changed until everything is durable.
  package func found(anew founding: NewFounding) throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in
      let keys = try store.folder.newKeys()
      let log = try ownLogKeeper.beginLog(of: keys)
      let commands = try verbs(of: founding).map { verb in
        Command(time: store.folder.now, events: [NewEvent(body: verb.encode())])
      }
      let first = try wrap(DaybookError.journal) { () throws(JournalError) in
        _ = try store.journal.append(commands, to: log, keys: keys)
        return try store.journal.hash(of: log, at: 1)
      }
      localDevice.bearWitness(of: log)
      guard let first else { throw .journal(.damaged(log)) }
      store.folder.file.formerly.append(store.file.book)
      store.folder.file.book = .book(firstHash: first)
      try localDevice.noteLeftLog()
      store.folder.file.writers[try store.folder.mark()] = log
      try store.folder.saveFile()
    }
    try settler.settleAfterSync()
  }

  /// The first events of the founder.
  ///
  /// Revocations precede admissions, so that a device that was admitted by an excluded device is not admitted through
  /// it.
  private func verbs(of founding: NewFounding) throws(DaybookError) -> [TrustVerb] {
    var verbs: [TrustVerb] = []
    var leftOut = founding.otherKeys
    for device in founding.leftOut { leftOut.append(try deviceList.publicKey(of: device)) }
    for key in Set(leftOut).sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      verbs.append(.revoke(key, kept: []))
    }
    for device in founding.taken {
      if device.isThis, let end = store.journal.end(of: device.replica, on: .logs) {
        verbs.append(
          .retire(Landmark(log: device.replica, sequence: end.sequence, hash: end.hash.prefix16)))
      }
      verbs.append(.admit(try deviceList.publicKey(of: device), name: device.name))
    }
    return verbs
  }
}

/// A book that could be founded from the logs of this book.
package struct NewFounding: Sendable {
  /// The devices whose logs the new book folds, each key once.
  package var taken: [Device]
  /// The devices that are excluded permanently.
  package var leftOut: [Device]
  /// The events of these devices that no head proves, in logs whose key this device does not have.
  package var unproved: [Receipt.Share]
  /// The keys of this device among those of ``taken``.
  var ownKeys: Set<[UInt8]>
  /// Excluded keys without a log here.
  var otherKeys: [PublicKey]
}

/// The devices that would stay revoked in a new book, and the events that would not count there.
package struct FoundingForecast: Sendable {
  /// A device whose log the new book includes, but which stays revoked in it.
  package struct Ended: Sendable {
    package var device: Device
    /// The included devices that revoked it.
    package var authors: [Device]
    /// Whether this device is one of them, so that they cannot all be left out.
    package var isByThis: Bool
  }

  /// The other included devices that stay revoked, because an included device revoked them.
  package var ended: [Ended]
  /// The number of events of each key that do not count in the new book.
  var uncounted: [[UInt8]: UInt64]

  /// The number of events of a device that do not count in the new book.
  package func uncounted(of device: Device) -> UInt64 { uncounted[device.key] ?? 0 }
}
