import Bytes
import Journaling

/// Determines which events the book holds, and which have been added since an earlier time.
struct HoldingsReader {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let deviceList: DeviceList
  let ownEvents: OwnEvents
  let losses: LossReader

  /// The events that are held and take effect now.
  func holdings() throws(DaybookError) -> Holdings {
    var holdings = Holdings(
      held: store.heldEvents(), counted: try countedEvents().mapValues(\.upperBound),
      lost: lostEvents(store.journal.bodiless), admittedKeys: nil, isWaiting: false, hidden: 0)
    holdings.forked = forkedReplicas()
    guard store.file.book != .none else { return holdings }
    for (log, last) in holdings.counted {
      guard let hash = try hash(of: log, at: last) else { continue }
      holdings.countedEnds[store.journal.lineage(of: log).replica, default: []].append(
        Landmark(log: log, sequence: last, hash: hash.prefix16))
    }
    let ledger = try projector.posting().ledger
    let trust = try trustReader.trust(by: ledger)
    holdings.admittedKeys = trust.admittedKeys
    holdings.isWaiting = try deviceList.standing(by: trust, ledger) == .waiting
    holdings.hidden = try ownEvents.countOfHiddenOwn(by: trust)
    return holdings
  }

  /// The replicas whose logs have forked.
  func forkedReplicas() -> Set<UniqueID> {
    Set(store.journal.forks.keys.map { store.journal.lineage(of: $0).replica })
  }

  /// The holdings at one time, except that the holdings of the given replicas are taken from another time.
  func holdings(
    _ holdings: Holdings, with others: Holdings, of replicas: Set<UniqueID>
  ) -> Holdings {
    var mixed = holdings
    for replica in replicas {
      mixed.held[replica] = others.held[replica]
      mixed.countedEnds[replica] = others.countedEnds[replica]
    }
    for log in store.journal.logs.keys
    where replicas.contains(store.journal.lineage(of: log).replica) {
      mixed.counted[log] = others.counted[log]
    }
    return mixed
  }

  /// The holdings before a sync, plus the events that another sync has received in the meantime and reports itself.
  func holdings(
    _ before: Holdings, besides syncOutcome: SyncOutcome
  ) throws(DaybookError) -> Holdings {
    let others = store.heldEvents().filter { replica, events in
      events > before.held[replica] ?? 0 && !syncOutcome.brought.contains(replica)
    }
    return others.isEmpty
      ? before : holdings(before, with: try holdings(), of: Set(others.keys))
  }

  private func lostEvents(
    _ bodiless: [UniqueID: [ClosedRange<UInt64>]]
  ) -> [UniqueID: [ClosedRange<UInt64>]] {
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in store.journal.logs.keys {
      let ranges = store.journal.holes(in: log) + (bodiless[log] ?? [])
      if !ranges.isEmpty { lost[store.journal.lineage(of: log).replica, default: []] += ranges }
    }
    return lost.mapValues { [ClosedRange<UInt64>](joining: $0) }
  }

  /// The number of lost events that were recovered, by replica.
  func healed(since before: Holdings) throws(DaybookError) -> [UniqueID: UInt64] {
    guard !before.lost.isEmpty else { return [:] }
    let after = lostEvents(try losses.lostBodies())
    var healed: [UniqueID: UInt64] = [:]
    for (replica, ranges) in before.lost {
      let back = ranges.without(after[replica] ?? [])
      if !back.isEmpty { healed[replica] = back.reduce(0) { $0 + UInt64($1.count) } }
    }
    return healed
  }

  /// The events that take effect, by log.
  private func countedEvents() throws(DaybookError) -> [UniqueID: ClosedRange<UInt64>] {
    // Without a book, no event counts.
    guard store.file.book != .none else { return [:] }
    var counted: [UniqueID: ClosedRange<UInt64>] = [:]
    for (log, last) in try projector.posting().ledger.folded {
      let first = store.journal.lineage(of: log).first
      let end = min(last, store.journal.end(of: log, on: .logs)?.sequence ?? 0)
      if end >= first { counted[log] = first...end }
    }
    return counted
  }

  /// The events that take effect now and did not take effect before, in all logs except one.
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

  /// The last of a branch's events that already counted before the branch was known; 0 if there is none.
  private func counted(
    _ before: Holdings, in log: UniqueID, _ events: ClosedRange<UInt64>
  ) throws(DaybookError) -> UInt64 {
    var last: UInt64 = 0
    for end in before.countedEnds[store.journal.lineage(of: log).replica] ?? []
    where events.contains(end.sequence) && end.sequence > last {
      if try hash(of: log, at: end.sequence)?.prefix16 == end.hash { last = end.sequence }
    }
    return last
  }

  private func hash(of log: UniqueID, at sequence: UInt64) throws(DaybookError) -> Digest? {
    try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.hash(of: log, at: sequence)
    }
  }

  /// Subtracts the events in holes, which are not held although later events were received.
  func subtractHoles(from grown: inout [UniqueID: UInt64], since before: Holdings) {
    for (replica, holes) in lostEvents([:]) {
      guard let events = grown[replica] else { continue }
      let first = (before.held[replica] ?? 0) + 1
      let new = holes.without(before.lost[replica] ?? []).within(first...UInt64.max)
      grown[replica] = events - min(events, new.reduce(0) { $0 + UInt64($1.count) })
    }
  }
}
