internal import Bytes

// Documents as they are shown, worked out from the kept writes when asked for.

extension Records {
  /// The document an entity belongs to, dead or alive; nil when its add is not folded.
  package func document(of key: EventKey) -> Document? {
    guard let entity = entities[key], entity.kind != nil else { return nil }
    let component = component(of: key)
    return document(members(of: entity, in: component), in: component)
  }

  /// The documents of a kind, dead or alive, sorted by id.
  package func documents(_ kind: Kind) -> [Document] { documents { $0 == kind } }

  func documents(where isWanted: (Kind) -> Bool) -> [Document] {
    var documents: [Document] = []
    for place in 0..<entities.count {
      guard let kind = entities.kind(at: place), isWanted(kind) else { continue }
      let key = entities.key(at: place)
      let component = component(of: key)
      let members = members(of: entities.entity(at: place), in: component)
      guard members.first?.key == key else { continue }
      if let document = document(members, in: component) { documents.append(document) }
    }
    return documents.sorted { ($0.id, $0.key) < ($1.id, $1.key) }
  }

  /// The shown member of the document that carries a source.
  package func entity(withSource source: Source, kind: Kind) -> EventKey? {
    entities(with: source, kind).first.flatMap(shownMember)
  }

  private func document(_ members: [Entity], in component: [EventKey]) -> Document? {
    guard let first = members.first, let kind = first.kind, let id = first.id else { return nil }
    let isAlive = members.contains { self.isAlive($0) }
    let fields = fieldsShown(of: members, kind).map { field in
      shown(field, kind, survivors(of: field, among: members, kind))
    }
    return Document(
      kind: kind, key: first.key, id: id, members: members.map(\.key), isAlive: isAlive,
      sources: members.compactMap(\.source).uniqued(), fields: fields,
      deleteAgainstEdit: isAlive ? dispute(among: members, in: component) : nil)
  }

  private func fieldsShown(of members: [Entity], _ kind: Kind) -> [Field] {
    var fields = fieldsWritten(in: members)
    guard kind == .todo else { return fields }
    if fields.contains(Field.Todo.done) { fields.insertSorted(Field.Todo.completedAt) }
    fields.insertSorted(Field.Todo.createdAt)
    return fields
  }

  private func survivors(of field: Field, among members: [Entity], _ kind: Kind) -> [Stored] {
    func survivors(in member: Entity) -> [Stored] {
      let derived = kind == .todo ? member.derived(field) : []
      let writes = member.writes(of: field)
      return self.survivors(derived.isEmpty ? writes : writes + derived)
    }
    return members.count == 1 ? survivors(in: members[0]) : members.flatMap(survivors)
  }

  private func shown(_ field: Field, _ kind: Kind, _ survivors: [Stored]) -> Document.Shown {
    let distinct = distinctValues(survivors)
    return Document.Shown(
      field: field, survivors: distinct,
      isConflict: distinct.count > 1 && !(Schema.field(field, of: kind)?.isQuiet ?? false))
  }
}

extension Records {
  /// The fields that some member has a write of, sorted.
  func fieldsWritten(in members: [Entity]) -> [Field] {
    var fields: [Field] = []
    for member in members {
      for write in member.writes where fields.last != write.field { fields.append(write.field) }
    }
    return members.count > 1 ? Set(fields).sorted() : fields
  }

  /// Those of one entity's writes of a field that no other of them had seen.
  func survivors(_ writes: ArraySlice<Stored>) -> [Stored] {
    guard writes.count > 1 else { return Array(writes) }
    return writes.filter { write in
      !writes.contains { causality.past(of: $0.key, includes: write.key) }
    }
  }

  /// One write for each value, the highest stamp first, with references to documents.
  func distinctValues(_ writes: [Stored]) -> [Stored] {
    if writes.count == 1, writes[0].value.reference == nil { return writes }
    let mapped = writes.map { write in
      guard let key = write.value.reference else { return write }
      var write = write
      write.value = shownMember(of: key).map(Value.reference) ?? .null
      return write
    }
    guard mapped.count > 1 else { return mapped }
    // Compared as bytes, since texts that Swift takes as equal can be different values.
    var known: Set<[UInt8]> = []
    return mapped.map { ($0, stamp(of: $0)) }.sorted { $0.1 > $1.1 }.map(\.0)
      .filter { known.insert(encoded($0.value)).inserted }
  }

  private func encoded(_ value: Value) -> [UInt8] {
    var writer = CBORWriter()
    encode(value, into: &writer)
    return writer.bytes
  }
}

extension Entity {
  /// What other writes of a to-do say about a field without writing it.
  ///
  /// A write of *done* is also a write of *completedAt*, and the add one of *createdAt*, unless the same event
  /// gives the value. Where the log has a later write of the field itself, that one beats what is derived here.
  func derived(_ field: Field) -> [Stored] {
    let given = writes(of: field)
    switch field {
    case Field.Todo.completedAt:
      return writes(of: Field.Todo.done).compactMap { done in
        guard !given.contains(where: { $0.key == done.key }) else { return nil }
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
