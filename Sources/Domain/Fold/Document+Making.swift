internal import Bytes

// Documents are computed from the kept writes on demand.

extension Document {
  /// The document that an entity belongs to, dead or alive; nil if its add is not folded.
  static func containing(_ key: EventKey, in joined: JoinedEntities) -> Document? {
    guard let entity = joined.entities[key], let kind = entity.kind, let id = entity.id else {
      return nil
    }
    guard !joined.isAlone(entity) else {
      let isAlive = entity.isAlive(by: joined.causality)
      return made(kind, id, [entity], isAlive: isAlive, settledBy: [], joined)
    }
    let component = joined.component(of: key)
    guard let membership = component.documents[kind] else { return nil }
    let members = membership.members.compactMap { joined.entities[$0] }
    guard let id = members.first?.id else { return nil }
    return made(
      kind, id, members, isAlive: membership.isAlive, settledBy: component.settlers, joined)
  }

  /// The documents of the given kinds, dead or alive, sorted by id.
  static func all(in joined: JoinedEntities, where isWanted: (Kind) -> Bool) -> [Document] {
    var documents: [Document] = []
    for place in 0..<joined.entities.count {
      guard let kind = joined.entities.kind(at: place), isWanted(kind) else { continue }
      let key = joined.entities.key(at: place)
      guard joined.shownMember(of: key) == key, let document = containing(key, in: joined) else {
        continue
      }
      documents.append(document)
    }
    return documents.sorted { ($0.id, $0.key) < ($1.id, $1.key) }
  }

  private static func made(
    _ kind: Kind, _ id: UniqueID, _ members: [Entity], isAlive: Bool, settledBy aliases: [Mark],
    _ joined: JoinedEntities
  ) -> Document {
    let occurrence = OccurrenceReading.members(
      of: members, kind, isAlive: isAlive, by: joined.causality)
    let read = occurrence ?? members
    let isOccurrence = occurrence != nil
    let registers = Register.all(of: read, by: joined.causality) {
      kind == .todo ? $0.runsWithDerived : $0.runs
    }
    var fields = registers.filter { $0.field != .disputed }.map { register in
      let distinct = joined.distinctValues(register.survivors)
      return Shown(
        field: register.field, survivors: distinct,
        isConflict: distinct.count > 1 && !register.field.isTag && register.field != .tags
          && !(Schema.field(register.field, of: kind)?.isQuiet ?? false))
    }
    ShownTags.insert(into: &fields, joined)
    if isOccurrence { fields = fields.map(OccurrenceReading.shown) }
    return Document(
      kind: kind, key: members[0].key, id: id, members: read.map(\.key), isAlive: isAlive,
      isOccurrence: isOccurrence,
      sources: members.compactMap(\.source).uniqued(), fields: fields,
      deleteAgainstEdit: isAlive && !isOccurrence
        ? DisputeFinder.dispute(among: members, settledBy: aliases, by: joined.causality) : nil,
      seriesTitle: isOccurrence ? seriesTitle(fields, joined) : nil)
  }

  /// The title of the series that the fields of an occurrence name.
  ///
  /// The title is found without the document of the series, because in a book written by another program, two
  /// occurrences can name each other as their series.
  private static func seriesTitle(_ fields: [Shown], _ joined: JoinedEntities) -> String? {
    let owner = fields.first { $0.field == .owner }?.value.reference
    guard let series = owner.flatMap({ joined.entities[$0] }), series.kind == .todo else {
      return nil
    }
    var members = [series]
    if !joined.isAlone(series) {
      let keys = joined.component(of: series.key).documents[.todo]?.members ?? []
      members = keys.compactMap { joined.entities[$0] }
    }
    let registers = Register.all(of: members, by: joined.causality) { $0.runs }
    let titles = registers.first { $0.field == Field.Todo.title }?.survivors ?? []
    return joined.distinctValues(titles).first?.value.text
  }

  /// Whether users see the document, which requires that both it and the parent that it belongs to are alive.
  ///
  /// A to-do whose list has never been folded is shown without a list. A choice or a pick is not shown without its
  /// question, and an occurrence is not shown without its series.
  func isShown(in joined: JoinedEntities) -> Bool {
    guard isAlive else { return false }
    switch kind {
    case .choice, .pick:
      guard let owner = value(.owner).reference else { return false }
      return joined.isDocumentAlive(of: owner)
    case .todo:
      guard !isOccurrence else {
        return value(.owner).reference.flatMap { Document.containing($0, in: joined) }
          .map { $0.kind == .todo && !$0.isOccurrence && $0.isShown(in: joined) } ?? false
      }
      return value(Field.Todo.list).reference.map { joined.isDocumentAlive(of: $0) } ?? true
    default: return true
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
