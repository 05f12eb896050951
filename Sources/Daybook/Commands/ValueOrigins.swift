import Domain

/// Who wrote values first that an undo has brought back.
///
/// An undo of what settled a conflict writes all its values in one event, so that event says nothing of whose they were.
/// They are looked for in what the command had replaced that was undone, and on from there.
struct ValueOrigins {
  /// The numbers by which events are named here.
  let causality: Causality
  private let facts: [EventKey: Fact]
  private let pasts: FieldPasts

  /// Prepares the answers about some entities.
  init(of entities: Set<EventKey>, in told: Told, _ causality: Causality) {
    let readable = told.facts.prefix(told.readable)
    let asked = readable.filter { entities.contains($0.subject) }
    facts = Dictionary(uniqueKeysWithValues: asked.map { ($0.key, $0) })
    self.causality = causality
    pasts = FieldPasts(of: asked, among: Array(readable), causality: causality)
  }

  /// The write that gave a field a value before an event gave it the same; nil where there is none.
  func origin(of value: Value, _ field: Field, writtenBy event: EventKey) -> Stored? {
    var found: Stored?
    var known: Set<EventKey> = []
    var level = [event]
    while !level.isEmpty {
      let before = level.filter { known.insert($0).inserted }.compactMap { facts[$0] }
        .flatMap { pasts.replaced(by: $0, field) }
      let same = before.first { $0.value.isIdentical(to: value) }
      // A device that settled the conflict took the value from an earlier write.
      if same == nil, let found, !isBroughtBack(field, by: found.key) { return found }
      found = same ?? found
      level = same.map { [$0.key] } ?? before.map(\.key)
    }
    return found
  }

  /// The most deletes that are compared with the edits, since a device can write any number of both.
  private static let mostDeletes = 64

  /// The latest delete of a member, and the latest edit of it, that did not know of each other when an undo brought their
  /// conflict back.
  ///
  /// What settled the conflict knew of both, and so did the undo, so neither is taken for one of them.
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

  /// Whether an event gave a field several values, as only an undo does.
  private func isBroughtBack(_ field: Field, by event: EventKey) -> Bool {
    facts[event].map { $0.body.values(of: field).count > 1 } ?? false
  }
}

extension Fact {
  var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
