package import Bytes
package import Domain

/// The records of a book, as the adds that would create them.
package enum StateExport {
  /// Returns the operations, parents before children, and sorted by id within a kind.
  ///
  /// A sub-task follows its parent, and an occurrence follows its series. Occurrences are exported with their series,
  /// regardless of their own state, because the state of the series follows from them.
  ///
  /// If a choice was deleted after it was picked, it is added before the pick and deleted at the end. A record that no
  /// command would write, such as a to-do without a title, is exported unchanged.
  ///
  /// - Parameters:
  ///   - records: The book.
  ///   - list: The list to export with its to-dos; nil for everything.
  ///   - isOpenOnly: Whether closed to-dos are left out.
  /// - Returns: The adds, and deletes for deleted records.
  package static func operations(
    of records: Records, list: UniqueID? = nil, isOpenOnly: Bool = false
  ) -> [Operation] {
    var states = StateWriter(records, list, isOpenOnly: isOpenOnly)
    for schema in Schema.kinds { states.add(schema) }
    return states.operations + states.deletes
  }
}

/// Writes the records of a book as adds, one kind after another.
struct StateWriter {
  private let records: Records
  private let list: UniqueID?
  private let isOpenOnly: Bool
  private var names = ExportNames()
  /// The ids under which records have been written so far.
  private(set) var ids: [EventKey: String] = [:]
  private(set) var operations: [Operation] = []
  private(set) var deletes: [Operation] = []

  init(_ records: Records, _ list: UniqueID? = nil, isOpenOnly: Bool = false) {
    (self.records, self.list, self.isOpenOnly) = (records, list, isOpenOnly)
  }

  /// Writes the records of a kind.
  ///
  /// - Parameters:
  ///   - schema: The kind.
  ///   - namedAs: Returns the id under which a record already exists in another state. Such a record gets that id,
  ///     and is not written.
  mutating func add(_ schema: KindSchema, except namedAs: (Document) -> String? = { _ in nil }) {
    var documents = records.documents(schema.kind).filter {
      records.isExported(records.series(of: $0) ?? $0, list, isOpenOnly: isOpenOnly)
        && records.isShown($0)
    }
    if schema.kind == .choice { documents += choicesOfThePast() }
    documents.removeAll { document in
      guard let id = namedAs(document) else { return false }
      ids[document.key] = id
      return true
    }
    for source in documents.lazy.flatMap(\.sources) { names.reserve(source, schema.kind) }
    let named = documents.map { ($0, id: names.name(schema.kind, $0.sources, $0.id)) }
      .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    for (document, id) in inOrder(named) {
      operations.append(operation(document, schema, id: id))
      ids[document.key] = id
      if !document.isAlive { deletes.append(delete(document, id: id)) }
    }
  }

  private typealias Named = (document: Document, id: String)

  /// Returns the records of a kind, with each sub-task after its parent and each occurrence after its series.
  ///
  /// In a cycle of sub-tasks, the sub-task whose parent is ignored comes first, and is written without a parent.
  private func inOrder(_ named: [Named]) -> [Named] {
    var above: [EventKey: EventKey] = [:]
    for (document, _) in named where document.kind == .todo {
      let other = document.isOccurrence ? Field.owner : Field.Todo.parent
      above[document.key] = document.value(other).reference
    }
    guard !above.isEmpty else { return named }
    above = TodoParents.withoutCycles(above) { cycle in
      Dictionary(cycle.map { ($0, records.stampOfParent(of: $0)) }) { first, _ in first }
        .compactMapValues(\.self)
    }
    let places = Dictionary(named.indices.map { (named[$0].document.key, $0) }) { first, _ in first
    }
    var ordered: [Named] = []
    var known: Set<EventKey> = []
    for (document, _) in named {
      var chain: [Named] = []
      var next: EventKey? = document.key
      while let key = next, let place = places[key], known.insert(key).inserted {
        chain.append(named[place])
        next = above[key]
      }
      ordered += chain.reversed()
    }
    return ordered
  }

  /// Returns the deleted choices that picks still show.
  private func choicesOfThePast() -> [Document] {
    var known: Set<EventKey> = []
    return records.documents(.pick).filter(records.isShown).compactMap { pick in
      guard let key = pick.value(Field.Pick.choice).reference,
        let choice = records.document(of: key), !choice.isAlive,
        let owner = choice.value(.owner).reference, ids[owner] != nil,
        known.insert(choice.key).inserted
      else { return nil }
      return choice
    }
  }

  private func operation(_ document: Document, _ schema: KindSchema, id: String) -> Operation {
    let time = records.entity(of: document.key)?.birth?.effectiveTime
    var operation = Operation(.add, schema.kind, id: id, time: time)
    for field in schema.fields {
      let value = document.value(field.field)
      guard value != .null, let content = field.content(of: value, ids: ids) else { continue }
      // The time of the operation already has this value.
      let isCreation = schema.kind == .todo && field.field == Field.Todo.createdAt
      if isCreation, value.integer == time { continue }
      operation.assignments.append(Operation.Assignment(field.field, content))
    }
    return operation
  }

  private func delete(_ document: Document, id: String) -> Operation {
    let deletes = document.members.lazy.compactMap(records.entity).flatMap(\.deletes)
    return Operation(
      .delete, document.kind, id: id, time: deletes.map(\.effectiveTime).max())
  }
}
