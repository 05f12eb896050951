import Bytes
import Crypto
package import Domain
import Journaling
import ReadModel

/// Finds erasures by other devices that are held for the user, and accepts them.
package struct HeldErasureReader {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let deviceList: DeviceList
  let eraser: Eraser

  /// The held erasures of each device, in the order of the devices' names.
  package func heldErasures() throws(DaybookError) -> [HeldErasures] {
    guard try !projector.posting().ledger.erasing.heldBack.isEmpty else {
      return []
    }
    let roster = try deviceList.roster()
    return try heldErasures(
      by: roster.trust, among: try deviceList.devicesWithoutClocks(by: roster))
  }

  func heldErasures(
    by trust: Trust, among devices: [Device]
  ) throws(DaybookError) -> [HeldErasures] {
    let held = try erasesHeld(by: trust)
    let listed = Dictionary(devices.map { ($0.key, $0) }) { first, _ in first }
    let byKey = Dictionary(grouping: held) { trust.keys[$0.place.log]?.bytes ?? [] }
    return byKey.map { key, erases in
      let replica = erases.map { store.journal.lineage(of: $0.place.log).replica }.min() ?? .none
      return HeldErasures(
        device: listed[key].map { Device.listedName($0.name, isFormerKey: $0.isFormerKey) }
          ?? replica.hex, replica: replica,
        fingerprint: listed[key]?.fingerprint ?? [], records: Set(erases.map(\.entity)).count)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }

  private func erasesHeld(by trust: Trust) throws(DaybookError) -> [ErasureLedger.Erase] {
    try projector.posting().ledger.erasing.heldErases(by: trust.admitted)
  }

  /// The records that held erasures would remove, in the order of the erasures' times.
  package func heldRecords() throws(DaybookError) -> [HeldRecord] {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let roster = Roster(try trustReader.trust(by: posting.ledger), by: posting.ledger)
    let names = try deviceList.devicesWithoutClocks(by: roster).names
    let times = posting.ledger.trustTimes
    func time(_ erase: ErasureLedger.Erase) -> Int64? { times[erase.place] }
    let erases = posting.ledger.erasing.heldErases(by: roster.trust.admitted).sorted { one, other in
      let (first, second) = (time(one) ?? .max, time(other) ?? .max)
      return (first, one.place.log, one.place.sequence)
        < (second, other.place.log, other.place.sequence)
    }
    let tree = store.logTree
    var told: Set<EventName> = []
    var records: [HeldRecord] = []
    var keys: [Int: EventKey] = [:]
    for erase in erases {
      guard let meant = try tree.resolve(erase), told.insert(meant.entity).inserted else {
        continue
      }
      let (log, sequence) = (meant.entity.log, meant.entity.sequence)
      if let number = posting.causality.number(of: log) {
        keys[records.count] = EventKey(log: number, sequence: sequence)
      }
      var add = meant.add
      if add == nil { add = try store.chainHash(of: log, at: sequence)?.prefix16 }
      records.append(
        HeldRecord(
          id: add.map { UniqueID(ofEntityAddedBy: $0) },
          device: names[erase.place.log] ?? erase.place.log.hex,
          time: time(erase)))
    }
    let shown = try wrap(DaybookError.view) { [keys] () throws(ReadModelError) in
      try model.records.hydrate(Set(keys.values), causality: posting.causality)
    }
    for (place, key) in keys {
      guard let document = shown.document(of: key) else { continue }
      records[place].kind = document.kind
      records[place].title = document.title
    }
    return records
  }

  /// The entities that held erasures would remove: those of one device, or all of them.
  package func heldEntities(of device: Device? = nil) throws(DaybookError) -> Set<EventKey> {
    let posting = try projector.remembered(by: try projector.view())
    let tree = store.logTree
    var entities: Set<EventKey> = []
    for erase in try erasesHeld(by: try deviceList.roster().trust, of: device) {
      guard let meant = try tree.resolve(erase)?.entity,
        let log = posting.causality.number(of: meant.log)
      else { continue }
      entities.insert(EventKey(log: log, sequence: meant.sequence))
    }
    return entities
  }

  private func erasesHeld(
    by trust: Trust, of device: Device?
  ) throws(DaybookError) -> [ErasureLedger.Erase] {
    try erasesHeld(by: trust).filter { erase in
      device.map { $0.key == trust.keys[erase.place.log]?.bytes } ?? true
    }
  }

  /// Lets held erasures take effect: those of one device, or all of them.
  ///
  /// Also finishes an earlier call that was interrupted.
  ///
  /// - Returns: The records and bodies that were erased.
  package func acceptErasures(of device: Device? = nil) throws(DaybookError) -> EraseReport {
    try access.withLock { () throws(DaybookError) in
      let before = try eraser.hiddenCount()
      let accepted = try erasesHeld(by: try deviceList.roster().trust, of: device)
      if !accepted.isEmpty {
        store.folder.file.erasures.pass(accepted)
        try store.folder.saveFile()
        try projector.rebuild()
      }
      let records = try eraser.hiddenCount() - before
      let failure = try eraser.stripErasedOrTell()
      let report = eraser.takeReport()
      return EraseReport(
        records: records, bodies: report.bodies.values.reduce(0, +), removed: report.removed,
        damagedBytes: report.damagedBytes, wasErased: false, isCommon: true,
        failure: failure)
    }
  }
}
