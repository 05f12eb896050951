import Bytes

/// The values that a joined record has taken from the second record, because the first had no values of its own.
package struct TakenValues: Sendable {
  /// The values of all fields except *tags*, in the order of the schema.
  package var fields: [(field: FieldSchema, value: Value)] = []
  /// The tags that the first record did not have.
  package var tags: [String] = []

  package static let none = TakenValues()
}

/// Finds the values that joined records have taken from the second record, as the author of the join knew them.
///
/// The records may since have changed, so they are folded as they were, from the facts about them.
package struct TakenValueFinder {
  private let causality: Causality
  /// The facts about the records of the queried aliases, and about the records to which those records refer.
  private var facts: [EventKey: [Fact]] = [:]
  /// The aliases and sources that lead from one entity to others.
  private var links: [EventKey: [EventKey]] = [:]

  /// Prepares queries about the given aliases.
  ///
  /// - Parameters:
  ///   - aliases: The aliases that will be queried.
  ///   - facts: All facts that count.
  ///   - causality: The events that the authors of the facts had seen.
  package init(of aliases: [Fact], among facts: [Fact], causality: Causality) {
    self.causality = causality
    guard !aliases.isEmpty else { return }
    note(linksOf: facts)
    var wanted: Set<EventKey> = []
    for alias in aliases { links.forEachReached(from: alias.key, known: &wanted) }
    var named: Set<EventKey> = []
    for fact in facts where wanted.contains(fact.entity) {
      self.facts[fact.entity, default: []].append(fact)
      named.formUnion(fact.body.writes.compactMap(\.value.reference))
    }
    named.subtract(wanted)
    for fact in facts where named.contains(fact.entity) {
      self.facts[fact.entity, default: []].append(fact)
    }
  }

  private mutating func note(linksOf facts: [Fact]) {
    var twins: [SourceIndex.Name: EventKey] = [:]
    for fact in facts {
      if let (first, second) = fact.ends {
        link(fact.key, first)
        link(fact.key, second)
      }
      guard fact.body.verb == .add, case .kind(let kind) = fact.body.target,
        let source = fact.body.writes.last(where: { $0.field == .source }).flatMap({
          Source($0.value)
        })
      else { continue }
      let name = SourceIndex.Name(kind: kind, source: source)
      if let twin = twins[name] { link(fact.key, twin) } else { twins[name] = fact.key }
    }
  }

  private mutating func link(_ left: EventKey, _ right: EventKey) {
    links[left, default: []].append(right)
    links[right, default: []].append(left)
  }

  /// The values that the first record of an alias has taken from the second.
  ///
  /// Returns no values if the two were already one record.
  package func values(takenBy alias: Fact) -> TakenValues {
    guard !facts.isEmpty, let (end, other) = alias.ends else { return .none }
    var records = Records.fold(factsKnown(to: alias), causality: causality)
    guard let first = records.document(of: end), let second = records.document(of: other),
      first.key != second.key
    else { return .none }
    records.absorb(alias)
    guard let joined = records.document(of: end) else { return .none }
    var taken = TakenValues()
    for field in FieldSchema.taken(by: joined, of: second, since: first) {
      if field.field == .tags {
        taken.tags = joined.tags.filter { !first.tags.contains($0) }
      } else {
        taken.fields.append((field, joined.value(field.field)))
      }
    }
    return taken
  }

  /// The facts about the records of an alias that its author knew, log by log.
  private func factsKnown(to alias: Fact) -> [Fact] {
    var reached: Set<EventKey> = []
    links.forEachReached(from: alias.key, known: &reached)
    let own = reached.flatMap { facts[$0] ?? [] }
    let named = Set(own.flatMap { $0.body.writes.compactMap(\.value.reference) })
    let others = named.subtracting(reached).flatMap { facts[$0] ?? [] }
    return (own + others).filter { causality.past(of: alias.key, includes: $0.key) }
      .sorted { $0.key < $1.key }
  }
}

extension Fact {
  /// The entity or alias that the fact adds or acts on.
  fileprivate var entity: EventKey {
    if body.verb != .alias, case .entity(let target) = body.target { target } else { key }
  }

  /// The two entities that an alias joins; nil for any other event.
  fileprivate var ends: (EventKey, EventKey)? {
    guard body.verb == .alias, case .entity(let first) = body.target,
      let second = body.writes.last(where: { $0.field == .with })?.value.reference
    else { return nil }
    return (first, second)
  }
}
