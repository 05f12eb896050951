/// The values that fields had before the given events wrote to them, as the authors of those events knew them.
///
/// The fold keeps only the last write to a field in each log, so this type goes through all facts once. Each query is
/// then a search in every log that has written to the field.
package struct FieldPasts: Sendable {
  private struct Slot: Hashable {
    let entity: EventKey
    let field: Field
  }

  /// The indices of one log's facts that write to a slot, in the order of the log.
  private struct Run {
    let log: UInt32
    var places: [Int]
  }

  private let facts: [Fact]
  private let causality: Causality
  private var runs: [Slot: [Run]] = [:]
  /// The to-dos whose implied fields are asked for.
  private var todos: Set<EventKey> = []

  /// Prepares queries about the given facts.
  ///
  /// - Parameters:
  ///   - asked: The facts that will be queried.
  ///   - facts: All facts, grouped by log and in the order of each log.
  ///   - causality: The events that the authors of the facts had seen.
  package init(of asked: [Fact], among facts: [Fact], causality: Causality) {
    self.facts = facts
    self.causality = causality
    var entities: Set<EventKey> = []
    for fact in asked {
      guard let entity = fact.overwritten else { continue }
      for write in fact.body.writes where !write.field.isAlternative {
        runs[Slot(entity: entity, field: write.field)] = []
        // The tag may have been in the list of tags.
        if write.field.isTag { runs[Slot(entity: entity, field: .tags)] = [] }
      }
      entities.insert(entity)
    }
    guard !runs.isEmpty else { return }
    // An edit does not contain the kind of its record.
    if runs.keys.contains(where: { Fact.impliedFields.contains($0.field) }) {
      for fact in facts where fact.body.target == .kind(.todo) && entities.contains(fact.key) {
        todos.insert(fact.key)
      }
    }
    for (place, fact) in facts.enumerated() {
      if let entity = fact.written, entities.contains(entity) { note(fact, of: entity, at: place) }
    }
  }

  private mutating func note(_ fact: Fact, of entity: EventKey, at place: Int) {
    for write in fact.body.writes where !write.field.isAlternative {
      note(write.field, of: entity, in: fact.key.log, at: place)
    }
    guard todos.contains(entity) else { return }
    for field in Fact.impliedFields where fact.implied(field) != nil {
      note(field, of: entity, in: fact.key.log, at: place)
    }
  }

  private mutating func note(_ field: Field, of entity: EventKey, in log: UInt32, at place: Int) {
    let slot = Slot(entity: entity, field: field)
    guard let last = runs[slot]?.indices.last else {
      if runs[slot] != nil { runs[slot] = [Run(log: log, places: [place])] }
      return
    }
    if runs[slot]?[last].log == log {
      runs[slot]?[last].places.append(place)
    } else {
      runs[slot]?.append(Run(log: log, places: [place]))
    }
  }

  /// The writes that a fact replaced, one per value, with the shown write first.
  ///
  /// They include the writes that other writes imply, such as the time of completion of a to-do that was done.
  ///
  /// - Complexity: O(logs · log writes); linear in the writes of each log in ``Causality/logsWithExceptions``.
  package func replaced(by fact: Fact, _ field: Field) -> [Stored] {
    guard let entity = fact.overwritten, let runs = runs[Slot(entity: entity, field: field)] else {
      return []
    }
    let seen = runs.compactMap { lastSeen(of: $0, by: fact.key) }.flatMap { place in
      facts[place].stored(field, isOfTodo: todos.contains(entity))
    }
    let keys = seen.map(\.key)
    let surviving = zip(seen, causality.areSeen(keys, by: keys)).compactMap { $1 ? nil : $0 }
    var known: Set<ExactValue> = []
    return surviving.map { ($0, stamp(of: $0)) }.sorted { ($0.1, $1.0.field) > ($1.1, $0.0.field) }
      .map(\.0).filter { known.insert(ExactValue($0.value)).inserted }
  }

  private func lastSeen(of run: Run, by event: EventKey) -> Int? {
    // Pasts grow along a log, so the seen events of a log are its first events, unless the log has exceptions.
    if causality.logsWithExceptions.contains(run.log) {
      return run.places.last { causality.past(of: event, includes: facts[$0].key) }
    }
    let end = run.places.firstPlace { !causality.past(of: event, includes: facts[$0].key) }
    return end > 0 ? run.places[end - 1] : nil
  }

  private func stamp(of write: Stored) -> Stamp {
    Stamp(
      time: write.time, replica: causality.identity(of: write.key.log)?.replica ?? write.hash,
      sequence: write.key.sequence, hash: write.hash)
  }
}

extension Fact {
  /// The entity whose fields the fact writes.
  fileprivate var written: EventKey? {
    switch (body.verb, body.target) {
    case (.add, _): key
    case (.edit, .entity(let target)): target
    default: nil
    }
  }

  /// The entity whose fields may have held values before; nil unless the fact is an edit.
  fileprivate var overwritten: EventKey? { body.verb == .edit ? written : nil }

  /// The fields of a to-do whose values other writes can imply.
  fileprivate static let impliedFields = [Field.Todo.completedAt, Field.Todo.createdAt]

  /// The value that a fact about a to-do implies for a field without writing it; nil if there is none.
  fileprivate func implied(_ field: Field) -> Value? {
    guard body.values(of: field).isEmpty else { return nil }
    switch field {
    case Field.Todo.completedAt:
      return body.values(of: Field.Todo.done).first.map { done in
        done == .boolean(true) ? .integer(effectiveTime) : .null
      }
    case Field.Todo.createdAt: return body.verb == .add ? .integer(effectiveTime) : nil
    default: return nil
    }
  }

  /// The fact's writes to a field, which may be none, one or several.
  fileprivate func stored(_ field: Field, isOfTodo: Bool) -> [Stored] {
    var values = body.values(of: field)
    if isOfTodo, let implied = implied(field) { values = [implied] }
    return values.enumerated().map { place, value in
      Stored(
        field: place == 0 ? field : field.alternative(place), key: key, time: time,
        effectiveTime: effectiveTime, hash: hash, value: value)
    }
  }
}
