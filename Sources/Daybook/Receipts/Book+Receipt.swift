import Bytes
import Crypto
import Domain
import Journaling
import ReadModel
import Syncing

/// What a book held before a sync, by which is told what the sync has brought.
struct Holdings {
  /// How many events of each replica were held.
  var held: [UniqueID: UInt64]
  /// The last event of each log that counted.
  var counted: [UniqueID: UInt64]
  /// The same, by its hash: where a log forks, what it held goes on as one of its branches.
  var countedEnds: [UniqueID: [Landmark]] = [:]
  /// Events of each replica that were lost, or had lost their bodies when the sync was begun.
  var lost: [UniqueID: [ClosedRange<UInt64>]]
  /// The keys that took part; nil where there was no book yet.
  var admittedKeys: Set<PublicKey>?
  /// Whether this device waited to be admitted.
  var isWaiting: Bool
  /// Events of this device's own that it did not show.
  var hidden: UInt64
}

extension Book {
  /// What a sync came to, told from the events that have come or gone alone.
  ///
  /// What more events than a limit have done that went is not told: all of them would have to be read once more.
  func receipt(
    _ talk: Talk, since before: Holdings, admitted: [Device] = [], couldNotAdmit: Bool = false,
    digesting isDigested: Bool = true, detailing limit: UInt64 = .max
  ) throws(DaybookError) -> Receipt {
    // What has come is told once.
    defer { journal.forgetFrames() }
    let ledger = try remembered(by: try view()).ledger
    let roster = Roster(try trust(by: ledger), by: ledger)
    let trust = roster.trust
    let devices = try devices(by: roster)
    let names = devices.names
    // What was written here meanwhile has not come; a copy's branch of the own log has.
    let own = try lastOwnLog.flatMap { talk.received.contains($0) ? nil : $0 }
    var grown = heldEvents().filter { $0.key != own }
    for (log, events) in before.held {
      if let now = grown[log] { grown[log] = now - min(now, events) }
    }
    subtractHoles(from: &grown, since: before)
    grown = grown.filter { $0.value > 0 }
    let ownLog = try lastOwnLog
    try notePeer(talk, hearing: grown.keys.filter { $0 != ownLog }.sorted())
    let news = try newlyCounted(since: before, besides: own)
    let came = try changes(by: news.mapValues { [$0] }, trust) { !$1.hides($0) }
    let parting = came.values.map(\.parting)
    let departed = departedEvents(talk.departures, talk.departedBranches, besides: news)
    let isDetailed = talk.sent.values.reduce(0, +) <= limit
    let standing = try standing(by: trust, ledger)
    let hidden = try countOfHiddenOwn(by: trust)
    return Receipt(
      sent: shares(talk.sent, names), received: shares(grown, names),
      withheld: shares(talk.withheld, names),
      healed: shares(try healed(since: before), names),
      went: try went(isDetailed ? departed : [:], names),
      came: named(came, names),
      uncounted: try uncounted(grown, departed, since: before, trust, names),
      conflicts: try conflicts(
        since: news, joining: came.values.reduce(into: []) { $0.formUnion($1.joined) }),
      cascades: try cascades(of: parting, since: news, names),
      survivors: try survivors(since: news), held: try heldErasures(by: trust, among: devices),
      waiting: devices.filter { $0.standing == .waiting && !$0.isThis }, admitted: admitted,
      letIn: letIn(since: before, among: devices, besides: admitted), couldNotAdmit: couldNotAdmit,
      standing: standing,
      becameAdmitted: before.isWaiting && standing == .admitted,
      untaken: shares(untaken(by: talk, trust), names), problems: talk.problems + takeUnnoted(),
      hidden: hidden - min(hidden, before.hidden), digest: isDigested ? try digest() : nil,
      shownAlone: isDigested ? try countOfShownAlone(by: trust) : 0, traffic: talk.traffic)
  }

  /// How many counting events of each replica a peer did not keep.
  ///
  /// A peer may keep the log of an unadmitted device aside, and does not report it.
  private func untaken(by talk: Talk, _ trust: Trust) -> [UniqueID: UInt64] {
    talk.untaken.filter { trust.admitted[$0.key] != nil }
  }

  /// The same, by the names of devices.
  func untaken(by talk: Talk) throws(DaybookError) -> [Receipt.Share] {
    if talk.untaken.isEmpty { return [] }
    let trust = try trust(by: try remembered(by: try view()).ledger)
    return shares(untaken(by: talk, trust), try devices().names)
  }

  /// Leaves out what is held only as a hole that came with what follows it.
  private func subtractHoles(from grown: inout [UniqueID: UInt64], since before: Holdings) {
    for (replica, holes) in lostEvents([:]) {
      guard let events = grown[replica] else { continue }
      let first = (before.held[replica] ?? 0) + 1
      let new = holes.without(before.lost[replica] ?? []).within(first...UInt64.max)
      grown[replica] = events - min(events, new.reduce(0) { $0 + UInt64($1.count) })
    }
  }

  /// The devices that take part now and did not before, each once, those left out that this device has let in.
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

  /// So many events of whom, by the names of devices.
  func shares(
    _ counts: [UniqueID: UInt64], _ names: [UniqueID: String]
  ) -> [Receipt.Share] {
    counts.map { log, events in
      Receipt.Share(device: names[log] ?? log.hex, replica: log, events: events)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }

  /// What events do that went out, as far as they count, by the names of devices.
  func went(
    _ departed: [UniqueID: [ClosedRange<UInt64>]], _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Changes] {
    let trust = try trust(by: try remembered(by: try view()).ledger)
    return named(try changes(by: counted(departed, trust), trust) { _, _ in true }, names)
  }

  private func named(
    _ changes: [UniqueID: Doings], _ names: [UniqueID: String]
  ) -> [Receipt.Changes] {
    changes.map { replica, changes in
      Receipt.Changes(
        device: names[replica] ?? replica.hex, replica: replica, tallies: changes.tallies,
        few: changes.few, devices: changes.devices, erased: changes.erased, held: changes.held,
        emptied: changes.emptied, others: changes.others)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }

  /// What is held and counts now; asked before a sync.
  func holdings() throws(DaybookError) -> Holdings {
    var holdings = Holdings(
      held: heldEvents(), counted: try countedEvents().mapValues(\.upperBound),
      lost: lostEvents(journal.bodiless), admittedKeys: nil, isWaiting: false, hidden: 0)
    guard file.book != .none else { return holdings }
    for (log, last) in holdings.counted {
      guard let hash = try hash(of: log, at: last) else { continue }
      holdings.countedEnds[journal.lineage(of: log).replica, default: []].append(
        Landmark(log: log, sequence: last, hash: hash.prefix16))
    }
    let ledger = try remembered(by: try view()).ledger
    let trust = try trust(by: ledger)
    holdings.admittedKeys = trust.admittedKeys
    holdings.isWaiting = try standing(by: trust, ledger) == .waiting
    holdings.hidden = try countOfHiddenOwn(by: trust)
    return holdings
  }

  /// What was held at one time, but of some replicas what was at another.
  func holdings(
    _ holdings: Holdings, with others: Holdings, of replicas: Set<UniqueID>
  ) -> Holdings {
    var mixed = holdings
    for replica in replicas {
      mixed.held[replica] = others.held[replica]
      mixed.countedEnds[replica] = others.countedEnds[replica]
    }
    for log in journal.logs.keys where replicas.contains(journal.lineage(of: log).replica) {
      mixed.counted[log] = others.counted[log]
    }
    return mixed
  }

  /// The holdings before a sync, plus events that another sync has brought meanwhile and reports itself.
  func holdings(_ before: Holdings, besides talk: Talk) throws(DaybookError) -> Holdings {
    let others = heldEvents().filter { replica, events in
      events > before.held[replica] ?? 0 && !talk.brought.contains(replica)
    }
    return others.isEmpty
      ? before : holdings(before, with: try holdings(), of: Set(others.keys))
  }

  private func lostEvents(
    _ bodiless: [UniqueID: [ClosedRange<UInt64>]]
  ) -> [UniqueID: [ClosedRange<UInt64>]] {
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let ranges = journal.holes(in: log) + (bodiless[log] ?? [])
      if !ranges.isEmpty { lost[journal.lineage(of: log).replica, default: []] += ranges }
    }
    return lost.mapValues { [ClosedRange<UInt64>](joining: $0) }
  }

  /// How many of the events of each replica that were lost are there again.
  private func healed(since before: Holdings) throws(DaybookError) -> [UniqueID: UInt64] {
    guard !before.lost.isEmpty else { return [:] }
    let after = lostEvents(try lostBodies())
    var healed: [UniqueID: UInt64] = [:]
    for (replica, ranges) in before.lost {
      let back = ranges.without(after[replica] ?? [])
      if !back.isEmpty { healed[replica] = back.reduce(0) { $0 + UInt64($1.count) } }
    }
    return healed
  }

  /// The events of each log that count.
  private func countedEvents() throws(DaybookError) -> [UniqueID: ClosedRange<UInt64>] {
    // Before there is a book, nothing does.
    guard file.book != .none else { return [:] }
    var counted: [UniqueID: ClosedRange<UInt64>] = [:]
    for (log, last) in try remembered(by: try view()).ledger.folded {
      let first = journal.lineage(of: log).first
      let end = min(last, journal.end(of: log, on: .logs)?.sequence ?? 0)
      if end >= first { counted[log] = first...end }
    }
    return counted
  }

  /// The events that count now and did not before, of all logs but one.
  func newlyCounted(
    since before: Holdings, besides own: UniqueID?
  ) throws(DaybookError) -> [UniqueID: ClosedRange<UInt64>] {
    var news: [UniqueID: ClosedRange<UInt64>] = [:]
    for (log, events) in try countedEvents() where log != own {
      var last = before.counted[log] ?? 0
      if before.counted[log] == nil { last = try counted(before, in: log, events) }
      let first = max(events.lowerBound, last + 1)
      if first <= events.upperBound { news[log] = first...events.upperBound }
    }
    return news
  }

  /// The last event of a log that counted before the log was known as a branch.
  private func counted(
    _ before: Holdings, in log: UniqueID, _ events: ClosedRange<UInt64>
  ) throws(DaybookError) -> UInt64 {
    var last: UInt64 = 0
    for end in before.countedEnds[journal.lineage(of: log).replica] ?? []
    where events.contains(end.sequence) && end.sequence > last {
      if try hash(of: log, at: end.sequence)?.prefix16 == end.hash { last = end.sequence }
    }
    return last
  }

  private func hash(of log: UniqueID, at sequence: UInt64) throws(DaybookError) -> Digest? {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.hash(of: log, at: sequence)
    }
  }

  /// The conflicts with a side among the events that count newly, and those of documents that these have joined.
  func conflicts(
    since news: [UniqueID: ClosedRange<UInt64>], joining joined: Set<EventKey>
  ) throws(DaybookError) -> [Conflict] {
    let model = try view()
    let causality = try remembered(by: model).causality
    var numbered: [UInt32: ClosedRange<UInt64>] = [:]
    for (log, events) in news {
      if let number = causality.number(of: log) { numbered[number] = events }
    }
    let keys = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.unsettled { numbered[$0.log]?.contains($0.sequence) ?? false }
    }.union(joined)
    func isNew(_ conflict: Conflict) -> Bool {
      conflict.sides.contains { side in
        side.writers.contains { news[$0.event.log]?.contains($0.event.sequence) ?? false }
      }
    }
    let found = try conflicts(of: keys)
    let told = Set(found.filter(isNew).map(\.document.key))
    // Records that were joined may differ without a new write.
    return found.filter {
      isNew($0) || joined.contains($0.document.key) || !told.contains($0.document.key)
    }
  }
}
