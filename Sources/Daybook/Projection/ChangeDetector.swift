import Bytes
import Domain
import Journaling
import ReadModel

/// Finds out which documents may have changed since the read model was last read.
struct ChangeDetector {
  let store: LogStore
  let projector: Projector

  /// The version of the read model, after updating it from the journal.
  func viewVersion() throws(DaybookError) -> ViewVersion {
    let model = try projector.view()
    let positions = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.logs.positions()
    }
    return ViewVersion(
      model: model, book: store.file.book, positions: positions, holes: store.journalHoles)
  }

  /// The maximum number of new events for which finding the changed documents is faster than reading all rows.
  private static let worthReadingAll: UInt64 = 256

  /// The documents that may have changed since the read model was last read.
  ///
  /// The result is computed only from the new events. If these events do more than change records, or if other events
  /// may have arrived in between, any document may have changed.
  func touched(since before: ViewVersion, until now: ViewVersion) throws(DaybookError) -> Touched {
    let isSteady =
      before.model === now.model && before.book == now.book && before.holes == now.holes
      && before.positions.count == now.positions.count && store.journal.forks.isEmpty
    guard isSteady else { return .anything }
    let numbers = Dictionary(uniqueKeysWithValues: now.positions.map { ($0.id, $0.number) })
    var keys: Set<EventKey> = []
    for (old, new) in zip(before.positions, now.positions) where old != new {
      guard let found = try entities(touchedBetween: old, new, numbers) else { return .anything }
      keys.formUnion(found)
    }
    guard !keys.isEmpty else { return .nothing }
    let documents = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try now.model.touchedDocuments.documents(touchedBy: keys)
    }
    return documents.map(Touched.documents) ?? .anything
  }

  /// The entities to which the events of a log between two positions refer; nil if the events may affect other entities
  /// or cannot be read.
  private func entities(
    touchedBetween old: LogPosition, _ new: LogPosition, _ numbers: [UniqueID: UInt32]
  ) throws(DaybookError) -> Set<EventKey>? {
    let isGrown =
      old.id == new.id && old.number == new.number && old.trunk == nil && new.trunk == nil
      && old.sequence > 0 && old.sequence < new.sequence
    guard isGrown, new.sequence - old.sequence <= Self.worthReadingAll,
      let table = store.journal.end(of: new.id, on: .logs)?.table
    else { return nil }
    // Begin with the previously last event, to check that it is unchanged.
    let events = old.sequence...new.sequence
    var keys: Set<EventKey> = []
    var (isComplete, count) = (true, 0)
    try store.forEachFrame(of: new.id, from: events.lowerBound, upTo: events.upperBound) {
      frame, found in
      for event in found where events.contains(event.sequence) {
        count += 1
        if event.sequence == old.sequence {
          isComplete = isComplete && event.hash.prefix16 == old.hash
          continue
        }
        let key = EventKey(log: new.number, sequence: event.sequence)
        let touched = frame.entities(touchedBy: event, key) { index in
          index < UInt64(table.count) ? numbers[table[Int(index)]] : nil
        }
        if let touched { keys.formUnion(touched) } else { isComplete = false }
      }
    }
    return isComplete && count == events.count ? keys : nil
  }
}

/// A read model, and the state of the journal from which it was made.
struct ViewVersion {
  let model: ReadModel
  let book: UniqueID
  let positions: [LogPosition]
  let holes: [UniqueID: [ClosedRange<UInt64>]]
}

extension Frame {
  /// The entities that an event refers to; nil if it may change other entities or cannot be read here.
  fileprivate func entities(
    touchedBy event: EventRecord, _ key: EventKey, resolving log: (UInt64) -> UInt32?
  ) -> Set<EventKey>? {
    guard let verb = event.verb else { return nil }
    if JournalVerb.markers.contains(verb) { return [] }
    // Events that are not about records, or cannot be read, are not handled here.
    guard JournalVerb.domain.contains(verb),
      let body =
        (try? Body.decode(
          content.span.extracting(event.body), author: key.log, resolving: log)) ?? nil,
      body.verb != .alias
    else { return nil }
    // The event may have revived a parent to which it refers.
    let named = Set(body.writes.compactMap(\.value.reference))
    switch body.target {
    case .kind: return named.union([key])
    case .entity(let target): return named.union([target])
    }
  }
}
