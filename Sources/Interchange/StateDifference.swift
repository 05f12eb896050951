internal import Bytes
package import Domain

/// The operations that turn one state of a book into another.
package struct StateDifference: Sendable {
  /// Adds and edits, parents before children, then deletes, children before parents.
  package private(set) var operations: [Operation] = []
  /// The number of records that are merged into others in the former state but separate in the wanted state; no
  /// operation separates records.
  package private(set) var partedCount = 0

  /// Compares two states of one book, which may be folds of different logs.
  ///
  /// - Parameters:
  ///   - former: The state to start from.
  ///   - wanted: The state that results from the operations.
  package init(from former: Records, to wanted: Records) {
    var former = former
    former.indexIDs()
    var (before, after) = (StateWriter(former), StateWriter(wanted))
    for schema in Schema.kinds { before.add(schema) }
    for schema in Schema.kinds {
      after.add(schema) { document in
        guard let other = Self.standIn(for: document, in: former) else { return nil }
        if other.isPart { partedCount += 1 }
        return before.ids[other.key]
      }
    }
    compare(SaidState(before), SaidState(after))
  }

  /// Finds the record of the former state that corresponds, under another id, to a record of the wanted state.
  ///
  /// This is the record into which the wanted record was merged, or the record that an import of operations made from
  /// it.
  private static func standIn(
    for document: Document, in former: Records
  ) -> (key: EventKey, isPart: Bool)? {
    if let key = former.entity(withID: document.id) {
      guard let shown = former.shownMember(of: key).flatMap(former.document),
        shown.isAlive, shown.id != document.id
      else { return nil }
      return (shown.key, true)
    }
    let source = Source(importer: 0, uidText: Source.UID.bytes(document.id).text)
    return former.entity(withSource: source, kind: document.kind).flatMap(former.document)
      .map { ($0.key, false) }
  }

  private mutating func compare(_ before: SaidState, _ after: SaidState) {
    for add in after.adds {
      let name = OperationEnds.Name(add)
      guard let old = before.byName[name], !before.dead.contains(name) else {
        operations.append(add)
        continue
      }
      let changes = Self.changes(from: old, to: add)
      if !changes.isEmpty { operations.append(Operation(.edit, add.kind, id: add.id, changes)) }
    }
    let gone = before.adds.filter { add in
      let name = OperationEnds.Name(add)
      return !before.dead.contains(name)
        && (after.byName[name] == nil || after.dead.contains(name))
    }
    let goneNames = Set(gone.map(OperationEnds.Name.init))
    // Deleting a record hides its children, which return with it.
    operations += gone.reversed().filter { add in
      add.owner.map { !goneNames.contains($0) } ?? true
    }.map { Operation(.delete, $0.kind, id: $0.id) }
    operations += after.deletes.filter { before.byName[OperationEnds.Name($0)] == nil }
  }

  /// Returns the assignments of an edit that turns one record into another.
  private static func changes(from old: Operation, to new: Operation) -> [Operation.Assignment] {
    let former = Dictionary(uniqueKeysWithValues: old.assignments.map { ($0.field, $0.content) })
    let wanted = Set(new.assignments.map(\.field))
    let set = new.assignments.filter { former[$0.field] != $0.content }
    let cleared = old.assignments.filter { !wanted.contains($0.field) }
      .map { Operation.Assignment($0.field, .value(.null)) }
    return (set + cleared).filter { Schema.field($0.field, of: new.kind)?.isFixed == false }
  }
}

/// A state of a book in the form of its export.
private struct SaidState {
  let adds: [Operation]
  let deletes: [Operation]
  let byName: [OperationEnds.Name: Operation]
  /// Deleted records, exported only because others refer to them.
  let dead: Set<OperationEnds.Name>

  init(_ writer: StateWriter) {
    (adds, deletes) = (writer.operations, writer.deletes)
    byName = Dictionary(
      adds.map { (OperationEnds.Name($0), $0) }, uniquingKeysWith: { first, _ in first })
    dead = Set(deletes.map(OperationEnds.Name.init))
  }
}

extension Operation {
  /// The owner of the record, if it has one.
  fileprivate var owner: OperationEnds.Name? {
    guard case .source(let id)? = assignments.first(where: { $0.field == .owner })?.content,
      case .reference(let kind)? = Schema.field(.owner, of: kind)?.type
    else { return nil }
    return OperationEnds.Name(Operation(.delete, kind, id: id))
  }
}
