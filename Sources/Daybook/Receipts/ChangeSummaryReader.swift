import Bytes
import Domain
import Journaling
import ReadModel

/// Summarizes the effects of events.
struct ChangeSummaryReader {
  let store: LogStore
  let projector: Projector

  /// Summarizes the given events, by replica.
  ///
  /// Only these events are read, and nothing is folded.
  func changes(
    by events: [UniqueID: [ClosedRange<UInt64>]], _ trust: Trust,
    counting isCounted: (Fact, Posting) -> Bool
  ) throws(DaybookError) -> [UniqueID: ChangeSummary] {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let trustEvents = Dictionary(grouping: posting.ledger.trustEvents, by: \.log)
    let tree = store.logTree
    var reading = Posting(again: posting)
    var counters: [UniqueID: TallyCounter] = [:]
    var changeSummary: [UniqueID: ChangeSummary] = [:]
    for log in tree.ordered(events.keys) {
      guard
        let end = store.journal.end(of: log, on: .logs) ?? store.journal.end(of: log, on: .aside)
      else {
        continue
      }
      let replica = store.journal.lineage(of: log).replica
      for range in events[log] ?? [] {
        // The counts from the fold can only be used for the first log of a device, because they cannot be added to an
        // existing summary. Other logs of the device are read again.
        if changeSummary[replica] == nil,
          let news = folded(range, of: log, upTo: end.sequence, posting)
        {
          changeSummary[replica] = ChangeSummary(others: UInt64(range.count) - news.facts)
          counters[replica] = news.counter
          reading.ledger.trustEvents += (trustEvents[log] ?? []).filter {
            range.contains($0.sequence) && posting.ledger.remembered[$0.place] == nil
          }
          continue
        }
        try store.forEachFrame(of: log, from: range.lowerBound, upTo: range.upperBound) {
          frame, events throws(DaybookError) in
          let read = events.filter { range.contains($0.sequence) }
          guard let first = read.first?.sequence else { return }
          let said = read.count { $0.verb != nil }
          changeSummary[replica, default: ChangeSummary()].others += UInt64(said)
          changeSummary[replica]?.emptied += UInt64(read.count - said)
          try reading.post(
            frame, of: log, first...range.upperBound, table: end.table, in: tree, withWrites: false
          ) { fact in
            changeSummary[replica]?.others -= 1
            if isCounted(fact, posting) {
              counters[replica, default: TallyCounter()].take(fact)
            } else {
              changeSummary[replica]?.emptied += 1
            }
          }
        }
      }
    }
    for event in reading.ledger.trustEvents {
      let replica = store.journal.lineage(of: event.log).replica
      if let change = LastingChange(event.verb, calling: trust.listedName(of:)) {
        changeSummary[replica]?.devices.append(change)
      }
      guard case .erase = event.verb else { continue }
      changeSummary[replica]?.erased += 1
      if posting.ledger.erasing.heldBack.contains(event.place.mark) {
        changeSummary[replica]?.held += 1
      }
    }
    for (replica, counter) in counters {
      let told = try told(by: counter, model, posting.causality)
      changeSummary[replica]?.tallies = told.tallies
      changeSummary[replica]?.few = told.few
      changeSummary[replica]?.parting = told.parting
      changeSummary[replica]?.joined = told.joined
      changeSummary[replica]?.kept = told.kept
    }
    return changeSummary.filter { !$0.value.isNothing }
  }

  /// The counts from folding these events; nil if the fold did not count exactly these events, or if the book has an
  /// effective erasure or a missing body.
  private func folded(
    _ events: ClosedRange<UInt64>, of log: UniqueID, upTo end: UInt64, _ posting: Posting
  ) -> FoldedNews? {
    guard let news = projector.replayer.foldedNews[log], events.lowerBound == news.start + 1,
      events.upperBound == end, news.end == end,
      store.unread(of: log, upTo: end, posting.ledger).isEmpty,
      posting.ledger.erasing.isNothing(by: posting.ledger.folded)
    else { return nil }
    return news
  }

  /// The maximum number of records to list one by one.
  private static let few = 3

  /// The result of a counter.
  private struct Count {
    var tallies: [Tally]
    /// The records themselves, if there are only a few.
    var few: [Receipt.Mention] = []
    var parting: ChangeSummary.Parting
    var joined: Set<EventKey>
    var kept: Set<EventKey>
  }

  private func told(
    by counter: TallyCounter, _ model: ReadModel, _ causality: Causality
  ) throws(DaybookError) -> Count {
    var counter = counter
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      var infos = try model.documents.documents(of: counter.nameless)
      let homeless = counter.nameless.filter { infos[$0] == nil }
      if !homeless.isEmpty {
        let records = try model.records.hydrate(Set(homeless), causality: causality)
        var aliases: [EventKey: EventKey] = [:]
        for key in homeless { aliases[key] = records.entity(of: key)?.birth?.joins.first }
        counter.note(aliases)
      }
      infos.merge(try model.documents.documents(of: counter.ends)) { info, _ in info }
      let todos = counter.todos(infos)
      var states = infos
      // The states of added to-dos show which of them have since been deleted, but only occurrences matter here.
      if try model.repeats.hasSeries() {
        let added = todos.filter { infos[$0] == nil }
        states.merge(try model.documents.documents(of: added.sorted())) { info, _ in info }
      }
      let dead = todos.filter { states[$0].map { !$0.isAlive } ?? counter.deletes($0) }
      counter.note(occurrences: try series(of: todos, dead: dead, model, causality))
      var told = Count(
        tallies: counter.tallies(infos), parting: counter.parting(infos),
        joined: counter.joined(infos), kept: counter.kept(infos))
      guard let few = counter.records(infos, atMost: Self.few) else { return told }
      let records = try model.records.hydrate(Set(few.map(\.key)), causality: causality)
      told.few = few.compactMap { key, deed in
        records.document(of: key).map {
          Receipt.Mention(deed: deed, kind: $0.kind, title: $0.title)
        }
      }
      return told
    }
  }

  /// The shown members of the to-dos that occurrences belong to, by the members of the occurrences.
  ///
  /// A deleted occurrence is in no table, so its owner is read from its state. The occurrence may have been deleted by
  /// an undo, or with the dates of its series, and the series may have been deleted since.
  private func series(
    of todos: Set<EventKey>, dead: Set<EventKey>, _ model: ReadModel, _ causality: Causality
  ) throws(ReadModelError) -> [EventKey: EventKey] {
    var series = try model.repeats.series(of: todos)
    guard !dead.isEmpty else { return series }
    let records = try model.records.hydrateWithReferences(dead, causality: causality)
    for key in dead {
      guard let document = records.document(of: key), document.isOccurrence,
        let owner = records.entity(of: key)?.writes(of: .owner).first?.value.reference
      else { continue }
      series[key] = records.shownMember(of: owner) ?? owner
    }
    return series
  }

  /// The sent events, by log.
  ///
  /// - Parameters:
  ///   - departures: The sent events, by replica.
  ///   - branches: The sent events of replicas that had forked when the events were sent, by log.
  ///   - news: Events that were received in the meantime and not sent.
  /// - Returns: The sent events, by log.
  func departedEvents(
    _ departures: [UniqueID: [ClosedRange<UInt64>]],
    _ branches: [UniqueID: [ClosedRange<UInt64>]],
    besides news: [UniqueID: ClosedRange<UInt64>] = [:]
  ) -> [UniqueID: [ClosedRange<UInt64>]] {
    let told = Set(branches.keys.map { store.journal.lineage(of: $0).replica })
    var events: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in Array(store.journal.logs.keys) + Array(store.journal.aside.keys) {
      let lineage = store.journal.lineage(of: log)
      let end =
        store.journal.end(of: log, on: .logs)?.sequence ?? store.journal.end(of: log, on: .aside)?
        .sequence ?? 0
      guard lineage.first <= end, let ranges = departures[lineage.replica] else { continue }
      var own = ranges.within(lineage.first...end)
      if store.journal.isForked(lineage.replica) {
        own =
          told.contains(lineage.replica)
          ? (branches[log] ?? []).flatMap { own.within($0) }
          : own.without(news[log].map { [$0] } ?? [])
      }
      if !own.isEmpty { events[log] = own }
    }
    return events
  }
}
