internal import Bytes

// Documents are computed from the kept writes on demand.

extension Records {
  /// The document that an entity belongs to, dead or alive; nil if its add is not folded.
  package func document(of key: EventKey) -> Document? {
    guard let entity = joined.entities[key], let kind = entity.kind, let id = entity.id else {
      return nil
    }
    guard !joined.isAlone(entity) else {
      return document(
        kind, id, [entity], isAlive: entity.isAlive(by: joined.causality), settledBy: [])
    }
    let component = joined.component(of: key)
    guard let membership = component.documents[kind] else { return nil }
    let members = membership.members.compactMap { joined.entities[$0] }
    guard let id = members.first?.id else { return nil }
    return document(
      kind, id, members, isAlive: membership.isAlive, settledBy: component.settlers)
  }

  /// The documents of a kind, dead or alive, sorted by id.
  package func documents(_ kind: Kind) -> [Document] { documents { $0 == kind } }

  func documents(where isWanted: (Kind) -> Bool) -> [Document] {
    var documents: [Document] = []
    for place in 0..<joined.entities.count {
      guard let kind = joined.entities.kind(at: place), isWanted(kind) else { continue }
      let key = joined.entities.key(at: place)
      guard joined.shownMember(of: key) == key, let document = document(of: key) else { continue }
      documents.append(document)
    }
    return documents.sorted { ($0.id, $0.key) < ($1.id, $1.key) }
  }

  /// The shown member of the document of a kind that has a source; nil if there is none.
  package func entity(withSource source: Source, kind: Kind) -> EventKey? {
    joined.entities.keys(named: SourceIndex.Name(kind: kind, source: source)).first
      .flatMap { joined.shownMember(of: $0) }
  }

  private func document(
    _ kind: Kind, _ id: UniqueID, _ members: [Entity], isAlive: Bool, settledBy aliases: [Mark]
  ) -> Document {
    let registers = registers(of: members) { kind == .todo ? $0.runsWithDerived : $0.runs }
    let fields = registers.filter { $0.field != .disputed }
      .map { shown($0.field, kind, $0.survivors) }
    return Document(
      kind: kind, key: members[0].key, id: id, members: members.map(\.key), isAlive: isAlive,
      sources: members.compactMap(\.source).uniqued(), fields: fields,
      deleteAgainstEdit: isAlive
        ? DisputeFinder.dispute(among: members, settledBy: aliases, by: joined.causality) : nil)
  }

  private func shown(_ field: Field, _ kind: Kind, _ survivors: [Stored]) -> Document.Shown {
    let distinct = distinctValues(survivors)
    return Document.Shown(
      field: field, survivors: distinct,
      isConflict: distinct.count > 1 && !(Schema.field(field, of: kind)?.isQuiet ?? false))
  }
}

extension Records {
  /// The surviving writes of all members, sorted by field.
  ///
  /// - Parameters:
  ///   - members: The members of a document.
  ///   - runs: Returns the competing writes of one member, sorted by field.
  /// - Returns: Each field that was written, with its surviving writes.
  func registers(
    of members: [Entity], _ runs: (Entity) -> [Entity.Run]
  ) -> [(field: Field, survivors: [Stored])] {
    if members.count == 1 { return runs(members[0]).map { ($0.field, survivors($0.writes)) } }
    var registers: [Field: [Stored]] = [:]
    for member in members {
      for run in runs(member) { registers[run.field, default: []] += survivors(run.writes) }
    }
    return registers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The surviving writes of the fields that have references, with the references as they were written.
  ///
  /// A ``Document`` shows the document that a reference leads to, which can change without a write to this document.
  package func writtenReferences(of document: Document) -> [(field: Field, survivors: [Stored])] {
    let members = document.members.compactMap { joined.entities[$0] }
    let fields = Set(
      members.flatMap { member in
        member.writes.compactMap { $0.value.reference == nil ? nil : $0.field.base }
      })
    return fields.isEmpty
      ? [] : registers(of: members) { $0.runs.filter { fields.contains($0.field) } }
  }

  /// The writes of one field of an entity that none of its other writes has seen.
  func survivors(_ writes: ArraySlice<Stored>) -> [Stored] {
    guard writes.count > 1 else { return Array(writes) }
    let keys = writes.map(\.key)
    return zip(writes, joined.causality.areSeen(keys, by: keys)).compactMap { $1 ? nil : $0 }
  }

  /// One write for each value, the highest stamp first, with references to the members that are shown.
  func distinctValues(_ writes: [Stored]) -> [Stored] {
    if writes.count == 1, writes[0].value.reference == nil { return writes }
    let mapped = writes.map { write in
      guard let key = write.value.reference else { return write }
      var write = write
      write.value = joined.shownMember(of: key).map(Value.reference) ?? .null
      return write
    }
    guard mapped.count > 1 else { return mapped }
    // Compare bytes, because texts that Swift considers equal can be different values.
    var known: Set<[UInt8]> = []
    return joined.causality.highestFirst(mapped).filter { known.insert(encoded($0.value)).inserted }
  }

  /// The value as it is encoded in the digest; values with equal bytes are the same.
  func encoded(_ value: Value) -> [UInt8] {
    var writer = CBORWriter()
    encode(value, into: &writer)
    return writer.bytes
  }
}

extension Entity {
  /// The writes of one field.
  typealias Run = (field: Field, writes: ArraySlice<Stored>)

  /// The writes of the entity, grouped and sorted by field.
  ///
  /// An alternative counts only while its event is the last one of its log to write to the field.
  var runs: [Run] {
    var runs: [Run] = []
    var start = writes.startIndex
    let alternatives = writes.firstPlace { $0.field.isAlternative }
    while start < alternatives {
      let field = writes[start].field
      var end = start + 1
      while end < alternatives, writes[end].field == field { end += 1 }
      runs.append((field, writes[start..<end]))
      start = end
    }
    for write in writes[alternatives...] {
      let place = runs.firstPlace { $0.field >= write.field.base }
      guard place < runs.count, runs[place].field == write.field.base,
        runs[place].writes.contains(where: { $0.key == write.key })
      else { continue }
      runs[place].writes.append(write)
    }
    return runs
  }

  /// The competing writes of a field, including alternatives.
  func competing(in field: Field) -> ArraySlice<Stored> {
    let isPlain = writes.last.map { !$0.field.isAlternative } ?? true
    return isPlain ? writes(of: field) : runs.first { $0.field == field }?.writes ?? []
  }

  /// The same as ``runs``, with the derived writes of a to-do.
  var runsWithDerived: [Run] {
    var runs = runs
    for field in [Field.Todo.completedAt, Field.Todo.createdAt] {
      let derived = derived(field)
      let place = runs.firstPlace { $0.field >= field }
      if place < runs.count, runs[place].field == field {
        runs[place].writes += derived
      } else if !derived.isEmpty {
        runs.insert((field, derived[...]), at: place)
      }
    }
    return runs
  }

  /// The writes of a field of a to-do that follow from writes of other fields.
  ///
  /// A write of *done* is also a write of *completedAt*, and the add is also a write of *createdAt*, unless the same
  /// event gives the value. A later write of the field itself in the log beats the derived one.
  func derived(_ field: Field) -> [Stored] {
    let given = writes(of: field)
    switch field {
    case Field.Todo.completedAt:
      return writes(of: Field.Todo.done).compactMap { done in
        // Sorted by log, with one write for each.
        let place = given.firstPlace { $0.key.log >= done.key.log }
        guard place == given.endIndex || given[place].key != done.key else { return nil }
        var write = done
        write.field = field
        write.value = done.value == .boolean(true) ? .integer(done.effectiveTime) : .null
        return write
      }
    case Field.Todo.createdAt:
      guard let birth, !given.contains(where: { $0.key == key }) else { return [] }
      return [
        Stored(
          field: field, key: key, time: birth.time, effectiveTime: birth.effectiveTime,
          hash: birth.hash, value: .integer(birth.effectiveTime))
      ]
    default: return []
    }
  }
}

extension [Source] {
  fileprivate func uniqued() -> [Source] {
    guard count > 1 else { return self }
    var known: Set<Source> = []
    return filter { known.insert($0).inserted }
  }
}
