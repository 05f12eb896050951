import Bytes
import Domain

/// The shown content of a document, in a form that both the fold and the oracle provide.
struct View: Hashable {
  struct Entry: Hashable {
    var field: Field
    var values: [Value]
    var writers: [EventKey]
    var isConflict: Bool
  }

  var kind: Kind
  /// The member under which the document is shown.
  var key: EventKey
  var members: [EventKey]
  var isAlive: Bool
  var isOccurrence: Bool
  var sources: [Source]
  var entries: [Entry]
  var dispute: [EventKey]

  init(_ document: Document) {
    kind = document.kind
    key = document.key
    members = document.members
    isAlive = document.isAlive
    isOccurrence = document.isOccurrence
    sources = document.sources
    entries = document.fields.map {
      Entry(
        field: $0.field, values: $0.survivors.map(\.value), writers: $0.survivors.map(\.key),
        isConflict: $0.isConflict)
    }
    dispute = document.deleteAgainstEdit.map { [$0.delete.key, $0.giver.key] } ?? []
  }

  init(
    kind: Kind, key: EventKey, members: [EventKey], isAlive: Bool, isOccurrence: Bool,
    sources: [Source],
    entries: [Entry],
    dispute: [EventKey]
  ) {
    self.kind = kind
    self.key = key
    self.members = members
    self.isAlive = isAlive
    self.isOccurrence = isOccurrence
    self.sources = sources
    self.entries = entries
    self.dispute = dispute
  }
}

/// The merge rules as plain definitions over the whole set.
///
/// They are slow and share no code with the fold.
struct Oracle {
  let logs: [Causality.LogIdentity]
  let facts: [EventKey: Fact]
  /// The notes of each log.
  private let notes: [UInt32: [Note]]
  /// The facts about each entity, and the facts that refer to it.
  private let subjects: [EventKey: [Fact]]
  private let mentions: [EventKey: [Fact]]
  private let written: [EventKey: [Written]]
  private let sources: [EventKey: Source]

  /// A value that an event gives to a field of an entity.
  typealias Written = (key: EventKey, field: Field, value: Value)

  init(_ history: History) {
    logs = history.logs
    facts = Dictionary(history.facts.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    notes = Dictionary(grouping: history.notes) { $0.event.log }
    var (subjects, mentions): ([EventKey: [Fact]], [EventKey: [Fact]]) = ([:], [:])
    var sources: [EventKey: Source] = [:]
    for fact in facts.values {
      if let subject = Self.subject(fact) { subjects[subject, default: []].append(fact) }
      for parent in Set(fact.body.writes.compactMap(\.value.reference)) {
        mentions[parent, default: []].append(fact)
      }
      guard case (.add, .kind) = (fact.body.verb, fact.body.target) else { continue }
      sources[fact.key] = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
    }
    (self.subjects, self.mentions, self.sources) = (subjects, mentions, sources)
    written = subjects.mapValues { $0.flatMap(Self.writes(of:)) }
  }

  // A1, A3, A4: an event has seen the earlier events of its log and the events in its log's entries so far. In a
  // branch, it has also seen all events of the trunks and all events seen there.
  func saw(_ event: EventKey, _ other: EventKey) -> Bool {
    if event.log == other.log { return other.sequence < event.sequence }
    let trunks = trunks(of: event.log)
    if trunks.contains(other.log) { return true }
    return ([event.log] + trunks).contains { log in
      notes[log, default: []].contains { note in
        (log != event.log || note.event.sequence <= event.sequence)
          && note.other == other.log && other.sequence <= note.upTo
          && !note.except.contains { $0.contains(other.sequence) }
      }
    }
  }

  func trunks(of log: UInt32) -> [UInt32] {
    guard let trunk = logs[Int(log)].trunk else { return [] }
    return [trunk] + trunks(of: trunk)
  }

  // Rule A6.
  func precedes(_ left: EventKey, _ right: EventKey) -> Bool {
    guard let one = facts[left], let two = facts[right] else { return false }
    let (first, second) = (logs[Int(left.log)].replica, logs[Int(right.log)].replica)
    if one.time != two.time { return one.time < two.time }
    if first != second { return first < second }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return one.hash < two.hash
  }

  /// The order of stamps, where the id of the log decides between branches.
  func precedesAsMark(_ left: EventKey, _ right: EventKey) -> Bool {
    guard let one = facts[left], let two = facts[right] else { return false }
    let (first, second) = (logs[Int(left.log)], logs[Int(right.log)])
    if one.time != two.time { return one.time < two.time }
    if first.replica != second.replica { return first.replica < second.replica }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return first.id < second.id
  }

  func kind(_ entity: EventKey) -> Kind? {
    guard let fact = facts[entity], fact.body.verb == .add else { return nil }
    if case .kind(let kind) = fact.body.target { return kind }
    return nil
  }

  static func subject(_ fact: Fact) -> EventKey? {
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind): fact.key
    case (.edit, .entity(let key)), (.delete, .entity(let key)), (.restore, .entity(let key)): key
    default: nil
    }
  }

  // D17: registers belong to the entity. D13, D22: only the add writes owner and source.
  func writes(_ entity: EventKey) -> [Written] { written[entity, default: []] }

  /// The values of one event, with the first value of each field before its alternatives.
  private static func writes(of fact: Fact) -> [Written] {
    guard fact.body.verb == .add || fact.body.verb == .edit else { return [] }
    let lowest = fact.body.verb == .add ? Field.owner : Field.note
    var last: [Field: Value] = [:]
    for write in fact.body.writes where write.field.base >= lowest {
      last[write.field] = write.value
    }
    // An event gives a field one value, possibly with alternatives. Alternatives without that value are ignored.
    return last.sorted { $0.key < $1.key }.compactMap { field, value in
      last[field.base] == nil ? nil : (fact.key, field.base, value)
    }
  }

  // Rule D21.
  func derived(_ entity: EventKey) -> [(key: EventKey, field: Field, value: Value)] {
    guard kind(entity) == .todo, let birth = facts[entity] else { return [] }
    let written = writes(entity)
    var derived: [(key: EventKey, field: Field, value: Value)] = []
    var known: Set<EventKey> = []
    // Only the first value of each event counts.
    for write in written where write.field == Field.Todo.done && known.insert(write.key).inserted {
      guard let fact = facts[write.key] else { continue }
      let value: Value = write.value == .boolean(true) ? .integer(fact.when ?? fact.time) : .null
      derived.append((write.key, Field.Todo.completedAt, value))
    }
    derived.append((entity, Field.Todo.createdAt, .integer(birth.when ?? birth.time)))
    return derived.filter { guess in
      !written.contains { $0.key == guess.key && $0.field == guess.field }
    }
  }

  // Rule D18.
  func givers(_ entity: EventKey) -> [EventKey] {
    var givers = facts[entity].map { isBirth($0) ? [entity] : [] } ?? []
    givers += subjects[entity, default: []].filter { [.edit, .restore].contains($0.body.verb) }
      .map(\.key)
    givers += mentions[entity, default: []].filter { fact in
      guard [.add, .edit].contains(fact.body.verb), let child = Self.subject(fact) else {
        return false
      }
      return fact.body.writes.contains { write in
        write.value == .reference(entity)
          && (write.field == .owner && fact.body.verb == .add
            || write.field.base == Field.Todo.list && kind(child) == .todo)
      }
    }.map(\.key)
    return Set(givers).sorted()
  }

  func isBirth(_ fact: Fact) -> Bool {
    if case .kind = fact.body.target { return fact.body.verb == .add }
    return fact.body.verb == .alias
  }

  func deletes(_ entity: EventKey) -> [EventKey] {
    subjects[entity, default: []].filter { $0.body.verb == .delete }.map(\.key)
  }

  func isAlive(_ entity: EventKey) -> Bool {
    let deletes = deletes(entity)
    return givers(entity).contains { giver in !deletes.contains { saw($0, giver) } }
  }
}

extension Oracle {
  func source(_ entity: EventKey) -> Source? { sources[entity] }

  // D22: live aliases and equal sources join entities.
  func joins() -> [(alias: EventKey?, ends: [EventKey])] {
    var joins: [(alias: EventKey?, ends: [EventKey])] = []
    for fact in facts.values where fact.body.verb == .alias && isAlive(fact.key) {
      guard case .entity(let one) = fact.body.target,
        let two = fact.body.writes.last(where: { $0.field == .with })?.value.reference
      else { continue }
      joins.append((fact.key, [one, two]))
    }
    for (one, source) in sources {
      for (two, other) in sources where one < two && source == other && kind(one) == kind(two) {
        joins.append((nil, [one, two]))
      }
    }
    return joins
  }

  func component(
    _ entity: EventKey, _ joins: [(alias: EventKey?, ends: [EventKey])]
  ) -> Set<EventKey> {
    var component: Set = [entity]
    while true {
      let before = component
      for join in joins where !component.isDisjoint(with: join.ends) {
        component.formUnion(join.ends)
      }
      if component == before { return component }
    }
  }

  func views() -> [View] {
    let joins = joins()
    var memberships: [EventKey: [EventKey]] = [:]
    for entity in facts.keys where kind(entity) != nil {
      memberships[entity] = component(entity, joins).filter { kind($0) == kind(entity) }
        .sorted(by: precedes)
    }
    return memberships.filter { $0.key == $0.value.first }.values
      .sorted { $0[0] < $1[0] }
      .map { view($0, memberships, joins) }
  }

  private func view(
    _ members: [EventKey], _ memberships: [EventKey: [EventKey]],
    _ joins: [(alias: EventKey?, ends: [EventKey])]
  ) -> View {
    let kind = kind(members[0]) ?? .todo
    let isAlive = members.contains(where: isAlive)
    let occurrence = membersOfOccurrence(members)
    let (isOccurrence, read) = (occurrence != nil, occurrence ?? members)
    var survivors: [Field: [(key: EventKey, value: Value)]] = [:]
    for member in read {
      let writes = writes(member) + derived(member)
      for write in writes where write.field != .disputed {
        let isBeaten = writes.contains { $0.field == write.field && saw($0.key, write.key) }
        if !isBeaten { survivors[write.field, default: []].append((write.key, write.value)) }
      }
    }
    // Rules D20 and D24.
    let entries = survivors.sorted { $0.key < $1.key }.map { field, writes in
      var shown: [(key: EventKey, value: Value)] = []
      // Values of one event keep their order.
      let sorted = writes.enumerated().sorted { left, right in
        left.element.key == right.element.key
          ? left.offset < right.offset : precedes(right.element.key, left.element.key)
      }
      for write in sorted.map(\.element) {
        let value =
          write.value.reference.map { memberships[$0]?.first.map(Value.reference) ?? .null }
          ?? write.value
        if !shown.contains(where: { $0.value == value }) { shown.append((write.key, value)) }
      }
      let isQuiet = kind == .todo && [8, 10, 12, 19].contains(field.rawValue)
      return View.Entry(
        field: field, values: shown.map(\.value), writers: shown.map(\.key),
        isConflict: shown.count > 1 && !isQuiet)
    }
    var sources: [Source] = []
    for case let source? in members.map(source) where !sources.contains(source) {
      sources.append(source)
    }
    return View(
      kind: kind, key: members[0], members: read, isAlive: isAlive, isOccurrence: isOccurrence,
      sources: sources,
      entries: isOccurrence ? withClosing(withTags(entries)) : withTags(entries),
      dispute: isAlive && !isOccurrence ? dispute(members, component(members[0], joins), joins) : []
    )
  }

  /// The dispute that an undo has reopened, where the last statement of each log counts.
  private func reopened(_ member: EventKey, _ settlers: [EventKey]) -> [EventKey]? {
    let said = writes(member).filter { $0.field == .disputed }
    let last = lastOfEachLog(said.map(\.key))
    let undos = said.filter { last.contains($0.key) && $0.value == .boolean(true) }.map(\.key)
    let isOpen = undos.contains { undo in !settlers.contains { saw($0, undo) } }
    let deletes = deletes(member)
    let others = deletes.filter { delete in !undos.contains { $0.log == delete.log } }
    guard isOpen,
      let delete = (others.isEmpty ? deletes : others).max(by: precedesAsMark)
    else { return nil }
    let giver = givers(member).filter { $0.log != delete.log }.max(by: precedesAsMark)
    return giver.map { [delete, $0] }
  }

  private func lastOfEachLog(_ events: [EventKey]) -> [EventKey] {
    Dictionary(grouping: events, by: \.log).values.compactMap { $0.max() }
  }

  // Rule D19.
  private func dispute(
    _ members: [EventKey], _ component: Set<EventKey>,
    _ joins: [(alias: EventKey?, ends: [EventKey])]
  ) -> [EventKey] {
    let aliases = joins.filter { !component.isDisjoint(with: $0.ends) }.compactMap(\.alias)
    let settlers =
      aliases + members.flatMap { member in givers(member).filter { $0 != member } }
      + members.flatMap(deletes)
    var open: [[EventKey]] = []
    for member in members {
      let known = open.count
      for delete in lastOfEachLog(deletes(member))
      where !members.flatMap(givers).contains(where: { saw($0, delete) }) {
        for giver in lastOfEachLog(givers(member))
        where !saw(delete, giver) && !saw(giver, delete) {
          if !settlers.contains(where: { saw($0, delete) && saw($0, giver) }) {
            open.append([delete, giver])
          }
        }
      }
      if open.count == known { open += reopened(member, settlers).map { [$0] } ?? [] }
    }
    return open.max { left, right in
      left[0] == right[0]
        ? precedesAsMark(left[1], right[1]) : precedesAsMark(left[0], right[0])
    } ?? []
  }
}
