import Domain

/// Finds the sides of a conflict that an undo has opened again, as they were before the conflict was settled.
///
/// The undo writes all values in one event, which does not identify the events that first wrote them. These events are
/// found among the writes that the undone command replaced, and the writes that those replaced in turn. If a delete was
/// in conflict with an edit, both are found among the earlier events of the record.
struct ValueOrigins {
  /// The numbers of logs that the results use.
  let causality: Causality
  private let facts: [EventKey: Fact]
  private let pasts: FieldPasts

  /// Prepares queries about the given entities.
  init(of entities: Set<EventKey>, in told: ToldFacts, _ causality: Causality) {
    let readable = told.facts.prefix(told.readable)
    let asked = readable.filter { entities.contains($0.subject) }
    facts = Dictionary(uniqueKeysWithValues: asked.map { ($0.key, $0) })
    self.causality = causality
    pasts = FieldPasts(of: asked, among: Array(readable), causality: causality)
  }

  /// The earlier write that gave a field the value that an event has given it again; nil if there is none.
  ///
  /// If the event brought back a conflict, the result is the side that was in conflict before it was settled.
  func origin(of value: Value, _ field: Field, writtenBy event: EventKey) -> Stored? {
    var found: Stored?
    var event = event
    while let side = side(of: value, field, before: event) {
      found = side
      // An earlier undo also wrote this side.
      guard isBroughtBack(field, by: side.key) else { break }
      event = side.key
    }
    return found
  }

  /// The latest earlier write of a value, from a time when all values that an event brought back were shown together.
  ///
  /// A device that settled a conflict may also have written one of the values, but that write replaced the others. If
  /// the values were never shown together, the result is the earliest write in the latest unbroken series of writes of
  /// the value.
  private func side(of value: Value, _ field: Field, before event: EventKey) -> Stored? {
    let values = facts[event]?.body.values(of: field) ?? []
    var found: Stored?
    var known: Set<EventKey> = []
    var level = [event]
    while !level.isEmpty {
      let before = level.filter { known.insert($0).inserted }.compactMap { facts[$0] }
        .flatMap { pasts.replaced(by: $0, field) }
      let same = before.first { $0.value.isIdentical(to: value) }
      if same == nil, found != nil { return found }
      found = same
      let isWhole = values.allSatisfy { one in before.contains { $0.value.isIdentical(to: one) } }
      if same != nil, isWhole { return same }
      level = before.map(\.key)
    }
    return found
  }

  /// The maximum number of deletes that are compared with edits.
  ///
  /// A device can write any number of deletes and edits.
  private static let mostDeletes = 64

  /// The latest delete that is concurrent with an edit of the same member, and the latest such edit.
  ///
  /// Events after `last`, the time of the undo that reopened the conflict, are ignored. The command that settled the
  /// conflict had seen both, and so had the undo, so neither the command nor the undo is returned.
  func dispute(
    in members: [EventKey], before last: Int64
  ) -> (delete: Mark, giver: Mark)? {
    let members = Set(members)
    let past = facts.values.filter { members.contains($0.subject) && $0.time <= last }
      .sorted { ($0.time, $0.key) > ($1.time, $1.key) }
    for delete in past.lazy.filter({ $0.body.verb == .delete }).prefix(Self.mostDeletes) {
      let giver = past.first { fact in
        fact.body.verb != .delete && fact.subject == delete.subject
          && causality.areConcurrent(fact.key, delete.key)
      }
      if let giver { return (delete.mark, giver.mark) }
    }
    return nil
  }

  /// Whether an event gave a field several values, which only an undo does.
  private func isBroughtBack(_ field: Field, by event: EventKey) -> Bool {
    facts[event].map { $0.body.values(of: field).count > 1 } ?? false
  }
}

extension Fact {
  var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
