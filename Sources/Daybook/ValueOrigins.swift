import Domain

/// Who wrote values first that an undo has brought back.
///
/// An undo of what settled a conflict writes all its values in one event, so that event says nothing of whose they were.
/// They are looked for in what the command had replaced that was undone, and on from there.
struct ValueOrigins {
  private let facts: [EventKey: Fact]
  private let pasts: FieldPasts

  /// Prepares the answers about some entities.
  init(of entities: Set<EventKey>, in told: Told, _ causality: Causality) {
    let readable = told.facts.prefix(told.readable)
    let asked = readable.filter { entities.contains($0.subject) }
    facts = Dictionary(uniqueKeysWithValues: asked.map { ($0.key, $0) })
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

  /// Whether an event gave a field several values, as only an undo does.
  private func isBroughtBack(_ field: Field, by event: EventKey) -> Bool {
    facts[event].map { $0.body.values(of: field).count > 1 } ?? false
  }
}
