internal import Bytes
package import Domain

/// Merges the records of a foreign file into a book, one after another.
///
/// Unless the file takes precedence, a field is written only if its value in the file has changed since the file was
/// last read or since the book wrote it, so changes made here in the meantime are kept. A record that was deleted here
/// is not added again, unless it was deleted by undoing its import.
package struct ForeignMerge: ImportSource {
  package let file: ForeignFile
  package var importer: UInt64 { file.format.importer }
  package var count: Int { file.records.count }
  private let planner: OperationPlanner
  /// Returns whether an event belongs to an import that was undone.
  private let isTakenBack: @Sendable (EventKey) -> Bool
  private var lists: [String: String]?
  private var sharedUIDs: SharedUIDs
  private var names: NamesInBook
  /// The records with an unreadable field.
  ///
  /// In these records, a missing field does not count as removed.
  private let unread: Set<ForeignPlace>

  /// The tag of this book, by which files from other books may refer to it.
  private let book: String?

  package init(
    _ file: ForeignFile, in book: String? = nil, isTakenBack: @escaping @Sendable (EventKey) -> Bool
  ) {
    (self.file, self.book) = (file, book)
    self.isTakenBack = isTakenBack
    planner = OperationPlanner(keepsUIDs: true, importer: file.format.importer)
    sharedUIDs = SharedUIDs(file)
    names = NamesInBook(file)
    unread = Set(
      file.remarks.filter { $0.note.fault != nil }.map(\.place))
  }

  package mutating func step(
    at place: Int, on records: Records
  ) throws(OperationFault) -> ImportStep {
    let named = try sharedUIDs.named(place, of: file, in: records, planner).admitted()
    let (admitted, closed) = names.named(named, in: records, planner)
    let known = planner.entity(admitted.kind, admitted.uid, in: records)
      .flatMap { records.document(of: $0) }
    if let (series, document) = AbsentSeriesFinder(planner, records, file)
      .series(of: admitted, known)
    {
      return try withOccurrences(of: series, in: document, on: records, .operations([], main: 0))
    }
    let parent = ForeignParent(of: admitted, known, in: file.format, planner, records)
    let step = try step(parent.record, known, on: records)
    let told = [closed, parent.dispute].compactMap(\.self)
    return told.isEmpty ? step : step.adding([], told)
  }

  private mutating func step(
    _ record: ForeignRecord, _ known: Document?, on records: Records
  ) throws(OperationFault) -> ImportStep {
    guard let document = known else {
      if record.standing == .incidental { return .passed }
      return try withOccurrences(of: record, in: nil, on: records, adding(record, on: records))
    }
    if record.standing == .deleted {
      return .operations(document.isAlive ? [record.deletion] : [], main: 0)
    }
    if document.isAlive, record.standing == .asWritten, !file.isPreferred,
      !mayBeNews(record, document)
    {
      return isOutdated(record, document, on: records)
        ? .outdated(nil) : .operations([], main: 0)
    }
    if document.isAlive {
      return try withOccurrences(
        of: record, in: document, on: records, editing(record, document, on: records))
    }
    guard isTakenBack(document, in: records) else { return .keptDeleted }
    return try withOccurrences(
      of: record, in: document, on: records, adding(record, reviving: document, on: records))
  }

  /// Returns a step with the operations on the occurrences of its record.
  private mutating func withOccurrences(
    of record: ForeignRecord, in document: Document?, on records: Records, _ step: ImportStep
  ) throws(OperationFault) -> ImportStep {
    guard record.kind == .todo, step.leavesRepeating(document) else { return step }
    let told = ToldOccurrences(
      of: record, in: document, on: records, file.format, planner, book: book)
    var (operations, disputes): ([Operation], [FieldDispute]) = ([], [])
    for (occurrence, known) in told.all {
      let occurrence = try occurrence.admitted()
      if let known, !known.isAlive, !isTakenBack(known, in: records) { continue }
      let one =
        if let known, known.isAlive {
          try editing(occurrence, known, on: records)
        } else {
          try adding(occurrence, on: records)
        }
      operations += one.allOperations
      // Different devices can store different days on which the same occurrence was closed.
      disputes += one.disputes.filter { Schema.field($0.field, of: .todo)?.isQuiet == false }
    }
    return step.adding(operations, disputes)
  }

  /// Returns whether the book has newer changes to a record that is unchanged in the file.
  private func isOutdated(
    _ record: ForeignRecord, _ document: Document, on records: Records
  ) -> Bool {
    let contents = ExportContents(records, book: book)
    var merge = FieldMerge(
      record, document, ForeignExtra(of: document, format: file.format), contents, of: file,
      isWhole: false)
    return merge.isOutdated()
  }

  /// Returns whether another book wrote a record in a version that this book may not have read.
  private func mayBeNews(_ record: ForeignRecord, _ document: Document) -> Bool {
    guard let origin = record.origin, origin.book != book else { return false }
    let known = ForeignExtra(of: document, format: file.format).known
    return known[origin.book].map { $0.position <= origin.position } ?? true
  }

  /// Returns whether a record was last brought to life by an import that has been undone.
  private func isTakenBack(_ document: Document, in records: Records) -> Bool {
    document.members.contains { member in
      let givers = records.entity(of: member)?.givers.map(\.key) ?? []
      let logs = Dictionary(grouping: givers + [member], by: \.log)
      return logs.values.contains { $0.max().map(isTakenBack) ?? false }
    }
  }

  private mutating func adding(
    _ record: ForeignRecord, reviving document: Document? = nil, on records: Records
  ) throws(OperationFault) -> ImportStep {
    var operations = try makingList(of: record, on: records)
    var operation = Operation(.add, record.kind, id: record.uid, time: record.time)
    operation.assignments = try assignments(record, record.fields.keys.sorted())
    operation.keepDueWhole(in: document)
    let kept = document.map { ForeignExtra(of: $0, format: file.format) }
    let extra = extra(of: record, in: document, kept, on: records)
    operation.assignments.append(
      Operation.Assignment(.extra, .value(try extra.value(in: document, record.kind))))
    // The time of the operation already has this value.
    if record.time != nil {
      operation.assignments.removeAll {
        record.kind == .todo && $0.field == Field.Todo.createdAt
      }
    }
    let completion = operation.takeCompletion()
    operations.append(operation)
    let main = operations.count - 1
    if let completion { operations.append(completion) }
    if record.standing == .deleted { operations.append(record.deletion) }
    return .operations(operations, main: main)
  }

  private mutating func editing(
    _ record: ForeignRecord, _ document: Document, on records: Records
  ) throws(OperationFault) -> ImportStep {
    let kept = ForeignExtra(of: document, format: file.format)
    let record = record.takingFullName(kept, document).keepingSupposed(of: document)
      .leavingUnread()
    let contents = ExportContents(records, book: book)
    var merge = FieldMerge(
      record, document, kept, contents, of: file, isWhole: !unread.contains(record.place))
    let changed = merge.changed
    var operations =
      changed.contains(Field.Todo.list) ? try makingList(of: record, on: records) : []
    var operation = Operation(.edit, record.kind, id: record.uid)
    operation.assignments = try assignments(record, changed.sorted()).filter { assignment in
      switch assignment.content {
      case .value(let value): !document.shows(value, assignment.field)
      case .source(let uid): !leads(assignment.field, of: document, to: uid, records)
      }
    }
    operation.keepDueWhole(in: document)
    let changes = !operation.assignments.isEmpty
    let isOutdated = !changes && merge.isOutdated()
    // A file of this book contains its own base.
    if isOutdated, record.origin?.book == book { return .outdated(nil) }
    let extra = extra(of: record, in: document, kept, on: records)
    var saysMore =
      !record.extra.isEmpty
      && KeptComponent.withoutStamps(record.extra) != KeptComponent.withoutStamps(kept.properties)
    // An export writes properties that follow from the fields even if the book does not keep them.
    if saysMore, !changes { saysMore = !merge.isToldBeside() }
    if saysMore || isNews(extra, kept, record, changes: changes) {
      operation.assignments.append(
        Operation.Assignment(.extra, .value(try extra.value(in: document, record.kind))))
    }
    var step = ImportStep.operations([], main: 0)
    // In a file from another book, most other properties follow from the fields, and so do the corresponding
    // properties of this book.
    let isOwn = record.origin.map { $0.book == book } ?? true
    if changes || (saysMore && isOwn) {
      operations.append(operation)
      step = .operations(operations, main: operations.count - 1)
    } else if !operation.assignments.isEmpty {
      step = .noted(operation)
    }
    if isOutdated {
      return .outdated(operation.assignments.isEmpty ? nil : operation)
    }
    return merge.disputes.isEmpty ? step : .disputed(step, merge.disputes)
  }

  /// Returns the properties that a record keeps from the file.
  private func extra(
    of record: ForeignRecord, in document: Document?, _ kept: ForeignExtra?, on records: Records
  ) -> ForeignExtra {
    var base = FieldDigests(record.fields, of: record.kind)
    // The next import compares a field that cannot be read now with the value that was last read.
    if let last = kept?.base {
      base = base.completed(by: last, in: unread.contains(record.place) ? nil : record.unread)
    }
    var extra = ForeignExtra(format: file.format, record.extra, base)
    guard file.format.namesWriters else { return extra }
    if let kept {
      extra.known = record.origin == nil ? kept.known : kept.knownWithFile
    }
    extra.known.writer = record.origin?.book
    if record.origin == nil { extra.known.forget(KnownState.file) }
    guard let origin = record.origin, origin.book != book, let base = record.base else {
      return extra
    }
    let position = document.map(records.position) ?? 0
    let seen = origin.others.first { $0.book == book }?.position ?? 0
    for var state in origin.others.reversed() + [KnownState(origin.book, at: origin.position, base)]
    where state.book != book {
      (state.learned, state.seen) = (position, seen)
      if let last = extra.known[state.book], last.position >= state.position { continue }
      extra.known.note(state)
    }
    return extra
  }

  /// Returns whether an import has new data about a file to store.
  private func isNews(
    _ extra: ForeignExtra, _ kept: ForeignExtra, _ record: ForeignRecord, changes: Bool
  ) -> Bool {
    // An unchanged file of this book only repeats what the book contained.
    if !changes, let origin = record.origin, origin.book == book { return false }
    if kept.base.map({ $0 != extra.base }) ?? changes { return true }
    guard let origin = record.origin, origin.book != book else { return false }
    // The same content in a later state of that book is not new.
    guard let state = extra.known[origin.book], let last = kept.known[origin.book] else {
      return true
    }
    return changes || !last.digests.isSame(as: state.digests)
  }

  /// Returns whether a field refers to the record with the given uid.
  private func leads(
    _ field: Field, of document: Document, to uid: String, _ records: Records
  ) -> Bool {
    guard case .reference(let kind)? = Schema.field(field, of: document.kind)?.type,
      let key = planner.entity(kind, uid, in: records)
    else { return false }
    return document.value(field).reference == key
  }

  private func assignments(
    _ record: ForeignRecord, _ fields: [Field]
  ) throws(OperationFault) -> [Operation.Assignment] {
    fields.map { field in
      switch record.fields[field] {
      case .value(let value)?: Operation.Assignment(field, .value(value))
      case .record(let uid)?: Operation.Assignment(field, .source(uid))
      case .list(let name)?: Operation.Assignment(field, .source(lists?[name] ?? Self.uid(name)))
      case nil: Operation.Assignment(field, .value(.null))
      }
    }
  }
}

extension ForeignMerge {
  /// Returns the uid of a list that a file identifies only by its name.
  private static func uid(_ name: String) -> String { "list:" + name }

  /// Returns the add for the list to which a record refers by name, if no list has that name.
  private mutating func makingList(
    of record: ForeignRecord, on records: Records
  ) throws(OperationFault) -> [Operation] {
    guard case .list(let name)? = record.fields[Field.Todo.list] else { return [] }
    if lists == nil { lists = Self.lists(of: records) }
    // The map is changed in place, because copying it for each new list would take too long for very many lists.
    guard lists?[name] == nil else { return [] }
    lists?[name] = Self.uid(name)
    // A list that was renamed here is still the same list.
    if let key = planner.entity(.list, Self.uid(name), in: records),
      records.document(of: key)?.isAlive == true
    {
      return []
    }
    let content = Operation.Content.value(.text(name))
    return [
      Operation(.add, .list, id: Self.uid(name), [Operation.Assignment(Field.List.name, content)])
    ]
  }

  /// Returns the shown lists by name.
  ///
  /// If several lists have the same name, the list that was added first is used.
  private static func lists(of records: Records) -> [String: String] {
    var lists: [String: String] = [:]
    for document in records.documents(.list).sorted(by: { $0.key < $1.key }) {
      guard document.isAlive, let list = TodoList(document), lists[list.name] == nil else {
        continue
      }
      lists[list.name] = list.id.uuid
    }
    return lists
  }
}

extension ForeignRecord {
  fileprivate var deletion: Operation { Operation(.delete, kind, id: uid) }

  /// Returns the record with its values as a book stores them.
  fileprivate func admitted() throws(OperationFault) -> ForeignRecord {
    var record = self
    for (field, content) in fields.sorted(by: { $0.key < $1.key }) {
      guard case .value(let value) = content else { continue }
      guard let schema = Schema.field(field, of: kind) else { continue }
      do throws(ValueFault) {
        let admitted = try schema.type.admit(value)
        record.fields[field] = admitted == .null ? nil : .value(admitted)
      } catch {
        throw .badValue(kind, schema.name, .value(error))
      }
    }
    return record
  }
}

extension Document {
  /// Returns whether the document shows a value of a file, which may contain instants only to the second.
  func shows(_ value: Value, _ field: Field) -> Bool {
    guard let schema = Schema.field(field, of: kind) else { return false }
    let shown = schema.meaning(of: self.value(field))
    if schema.type == .instant, let shown = shown.integer, let told = value.integer,
      told.isMultiple(of: 1000)
    {
      return told <= shown && shown < told + 1000
    }
    return shown.isIdentical(to: schema.meaning(of: value))
  }
}
