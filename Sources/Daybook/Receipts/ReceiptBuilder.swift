import Bytes
import Crypto
import Domain
import Journaling
import ReadModel

/// Builds the receipt of a sync.
package struct ReceiptBuilder {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let deviceList: DeviceList
  let conflictReader: ConflictReader
  let ownEvents: OwnEvents
  let statusReader: StatusReader
  let held: HeldErasureReader
  let contactBook: ContactBook
  let changeSummaryReader: ChangeSummaryReader
  let holdingsReader: HoldingsReader

  /// Builds the receipt of a sync from the events that were sent and received, and from removals of erased bodies that
  /// have not been reported yet.
  ///
  /// If the number of sent events exceeds a limit, their effects are not reported, because all of them would have to be
  /// read again.
  func receipt(
    _ syncOutcome: SyncOutcome, since before: Holdings, admitted: [Device] = [],
    couldNotAdmit: Bool = false,
    digesting isDigested: Bool = true, detailing limit: UInt64 = .max
  ) throws(DaybookError) -> Receipt {
    // The received frames are needed only for this receipt.
    defer { store.journal.forgetFrames() }
    let ledger = try projector.posting().ledger
    let roster = Roster(try trustReader.trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try deviceList.devices(by: roster)
    let names = devices.names
    // Events that were written here in the meantime were not received, so omit this device's own log, unless a branch
    // of it was received from a copy.
    let own = try localDevice.lastOwnLog.flatMap { syncOutcome.received.contains($0) ? nil : $0 }
    var grown = store.heldEvents().filter { $0.key != own }
    for (log, events) in before.held {
      if let now = grown[log] { grown[log] = now - min(now, events) }
    }
    holdingsReader.subtractHoles(from: &grown, since: before)
    grown = grown.filter { $0.value > 0 }
    let ownLog = try localDevice.lastOwnLog
    try contactBook.notePeer(syncOutcome, hearing: grown.keys.filter { $0 != ownLog }.sorted())
    let news = try holdingsReader.newlyCounted(since: before, besides: own)
    let came = try changeSummaryReader.changes(by: news.mapValues { [$0] }, trust) { !$1.hides($0) }
    let parting = came.values.map(\.parting)
    let departed = changeSummaryReader.departedEvents(
      syncOutcome.departures.ranges, syncOutcome.departures.inBranches, besides: news)
    let isDetailed = syncOutcome.sent.values.reduce(0, +) <= limit
    let standing = try deviceList.standing(by: trust, ledger)
    let hidden = try ownEvents.countOfHiddenOwn(by: trust)
    var receipt = Receipt(
      sent: Receipt.shares(syncOutcome.sent, names), received: Receipt.shares(grown, names),
      withheld: Receipt.shares(syncOutcome.withheld, names),
      healed: Receipt.shares(try holdingsReader.healed(since: before), names),
      went: try went(isDetailed ? departed : [:], names),
      came: named(came, names),
      uncounted: try uncounted(grown, departed, since: before, trust, names),
      conflicts: try conflicts(
        since: news, joining: came.values.reduce(into: []) { $0.formUnion($1.joined) }),
      cascades: try changeSummaryReader.cascades(of: parting, since: news, names),
      survivors: try survivors(of: came, since: news, names),
      held: try held.heldErasures(by: trust, among: devices),
      waiting: devices.filter { $0.standing == .waiting && !$0.isThis }, admitted: admitted,
      letIn: letIn(since: before, among: devices, besides: admitted), couldNotAdmit: couldNotAdmit,
      standing: standing, hasTrustedDevice: trust.hasTrustedDevice,
      becameAdmitted: before.isWaiting && standing == .admitted,
      untaken: Receipt.shares(untaken(by: syncOutcome, trust), names),
      removed: [], problems: syncOutcome.problems,
      hidden: hidden - min(hidden, before.hidden),
      digest: isDigested ? try statusReader.digest() : nil,
      shownAlone: isDigested ? try ownEvents.countOfShownAlone(by: trust) : 0,
      traffic: syncOutcome.lineUse?.traffic
    )
    receipt.closedFirst = try changeSummaryReader.closedFirst(of: parting, since: news, names)
    let forked = holdingsReader.forkedReplicas().subtracting(before.forked)
    let forkedKeys = Set(devices.filter { forked.contains($0.replica) }.map(\.key))
    receipt.forked = Device.forked(devices.filter { forkedKeys.contains($0.key) })
    // The receipt also lists these problems, so without the note, only a later report is missing.
    try? HeldBackNotes(store: store, projector: projector).note(syncOutcome.problems)
    // Later receipts of a session do not cover the events that were sent before.
    if isDigested { noteUntaken(receipt.untaken, by: syncOutcome.peerKey) }
    // The removals are reported only once, so no error may occur after this line.
    let stripped = held.eraser.takeReport()
    receipt.removed = stripped.removed
    receipt.problems +=
      contactBook.peerNotes.takeUnnoted() + [stripped.problem].compactMap(\.self)
    return receipt
  }

  /// The number of events that a peer does not report as held, by replica, for admitted devices.
  ///
  /// A peer may set aside the log of an unadmitted device without reporting it, so such logs are omitted.
  private func untaken(by syncOutcome: SyncOutcome, _ trust: Trust) -> [UniqueID: UInt64] {
    syncOutcome.untaken.filter { trust.admitted[$0.key] != nil }
  }

  /// Notes, for later reports, how many events of this device a peer did not keep.
  ///
  /// Nothing is noted for a file or folder, which has no key and cannot report what it keeps.
  ///
  /// Errors are ignored, so that a sync that has sent everything does not fail. The number is reported to the user at
  /// once, and the next sync with the peer records it again.
  func noteUntaken(_ shares: [Receipt.Share], by key: PublicKey?) {
    guard let key, let own = try? localDevice.ownLogs().ends else { return }
    let count = shares.filter { own[$0.replica] != nil }.reduce(0) { $0 + $1.events }
    try? UntakenNotes(projector: projector).note(count, by: key)
  }

  /// The number of events of this device that peers did not keep at the last sync with them, by the names of the peers.
  package func untakenAtLastSync() throws(DaybookError) -> [Finding.Counted] {
    let counts = try UntakenNotes(projector: projector).counts()
    if counts.isEmpty { return [] }
    let devices = try deviceList.devicesWithoutClocks()
    let named = counts.compactMap { key, count -> Finding.Counted? in
      // No events are sent to a revoked device.
      guard let device = devices.first(where: { $0.key == key }), device.standing != .revoked
      else { return nil }
      return Finding.Counted(name: device.name, count: count)
    }
    return named.sorted { ($0.name, $0.count) < ($1.name, $1.count) }
  }

  /// The number of events that a peer does not report as held, by the names of devices.
  ///
  /// - Parameter syncOutcome: The result of the whole session so far.
  /// - Returns: The numbers.
  /// - Throws: ``DaybookError`` if the members cannot be read.
  func untaken(by syncOutcome: SyncOutcome) throws(DaybookError) -> [Receipt.Share] {
    if syncOutcome.untaken.isEmpty { return [] }
    let trust = try projector.trust()
    return Receipt.shares(
      untaken(by: syncOutcome, trust), try deviceList.devicesWithoutClocks().names)
  }

  /// The other devices that are members now and were not before, each once, except those that this device has admitted.
  private func letIn(
    since before: Holdings, among devices: [Device], besides admitted: [Device]
  ) -> [Device] {
    guard let keys = before.admittedKeys else { return [] }
    let own = devices.first(where: \.isThis)?.key
    var known = Set(keys.map(\.bytes) + admitted.map(\.key))
    return devices.filter { device in
      guard device.standing == .admitted, !device.isThis, device.admission?.authorKey != own
      else { return false }
      return known.insert(device.key).inserted
    }
  }

  /// The effects of the sent events that take effect, by the names of devices.
  func went(
    _ departed: [UniqueID: [ClosedRange<UInt64>]], _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Changes] {
    let trust = try projector.trust()
    return named(
      try changeSummaryReader.changes(by: counted(departed, trust), trust) { _, _ in true }, names)
  }

  private func named(
    _ changes: [UniqueID: ChangeSummary], _ names: [UniqueID: String]
  ) -> [Receipt.Changes] {
    changes.map { replica, changes in
      Receipt.Changes(
        device: names[replica] ?? replica.hex, replica: replica, tallies: changes.tallies,
        few: changes.few, devices: changes.devices, erased: changes.erased, held: changes.held,
        emptied: changes.emptied, others: changes.others)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }

  /// The conflicts that involve events that take effect for the first time, and the conflicts of documents that such
  /// events have joined.
  func conflicts(
    since news: [UniqueID: ClosedRange<UInt64>], joining joined: Set<EventKey>
  ) throws(DaybookError) -> [Conflict] {
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    var numbered: [UInt32: ClosedRange<UInt64>] = [:]
    for (log, events) in news {
      if let number = causality.number(of: log) { numbered[number] = events }
    }
    let keys = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.conflicts.unsettled { numbered[$0.log]?.contains($0.sequence) ?? false }
    }.union(joined)
    func isNew(_ conflict: Conflict) -> Bool {
      conflict.sides.contains { side in
        side.writers.contains { news[$0.event.log]?.contains($0.event.sequence) ?? false }
      }
    }
    let found = try conflictReader.conflicts(of: keys)
    let told = Set(found.filter(isNew).map(\.document.key))
    // Joined records can have different values without a new write.
    return found.filter {
      isNew($0) || joined.contains($0.document.key) || !told.contains($0.document.key)
    }
  }
}
