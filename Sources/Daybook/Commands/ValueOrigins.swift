import Domain

/// Finds the first authors of values that an undo has restored.
///
/// The undo of a settled conflict writes all values in one event, which does not say whose they were. The authors are
/// found in what the undone command had replaced, and so on.
struct ValueOrigins {
  /// The numbers of logs for the results.
  let causality: Causality
  private let facts: [EventKey: Fact]
  private let pasts: FieldPasts

  /// Prepares the answers for some entities.
  init(of entities: Set<EventKey>, in told: Told, _ causality: Causality) {
    let readable = told.facts.prefix(told.readable)
    let asked = readable.filter { entities.contains($0.subject) }
    facts = Dictionary(uniqueKeysWithValues: asked.map { ($0.key, $0) })
    self.causality = causality
    pasts = FieldPasts(of: asked, among: Array(readable), causality: causality)
  }

  /// The write that gave a field a value before an event gave it the same value; nil if there is none.
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

  /// The maximum number of deletes that are compared with edits.
  ///
  /// A device can write any number of both.
  private static let mostDeletes = 64

  /// The latest delete and the latest edit of a member that did not know of each other when an undo reopened their
  /// conflict.
  ///
  /// The command that settled the conflict knew of both, and so did the undo, so neither is taken for one of them.
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
