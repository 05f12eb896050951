package import Bytes
package import Domain

/// The contents of a book for the writers of foreign formats.
package struct ExportContents: Sendable {
  private let records: Records
  /// The kinds to export.
  package let kinds: Set<Kind>
  /// The list to export with its to-dos; nil for all lists.
  private let list: UniqueID?
  /// Whether closed to-dos are left out.
  private let isOpenOnly: Bool
  /// The tag by which other books recognise this book; nil if the export does not name the book.
  let book: String?
  /// The only document to export, if set.
  private var document: Document?
  /// The documents of each kind, if they have been gathered.
  private var gathered: [Kind: [Document]]?

  package init(
    _ records: Records, kinds: Set<Kind> = Set(Schema.kinds.map(\.kind)), list: UniqueID? = nil,
    isOpenOnly: Bool = false, book: String? = nil
  ) {
    self.records = records
    self.kinds = kinds
    self.list = list
    self.isOpenOnly = isOpenOnly
    self.book = book
  }

  /// Returns contents that compute their documents only once, for a whole export, which lists them several times.
  package func gatheringDocuments() -> ExportContents {
    var contents = self
    contents.gathered = Dictionary(uniqueKeysWithValues: kinds.map { ($0, documents($0)) })
    return contents
  }

  /// Returns contents with a single document.
  func only(_ document: Document) -> ExportContents {
    var contents = self
    contents.document = document
    return contents
  }

  /// Returns the shown documents of a kind, in the order in which they were added; empty for a kind that is not
  /// exported.
  ///
  /// Occurrences are not among the to-dos, because files for other programs contain them inside their series.
  package func documents(_ kind: Kind) -> [Document] {
    guard kinds.contains(kind) else { return [] }
    if let document { return document.kind == kind && !document.isOccurrence ? [document] : [] }
    if let gathered { return gathered[kind] ?? [] }
    let exported = records.documents(kind).filter {
      records.isExported($0, list, isOpenOnly: isOpenOnly) && !$0.isOccurrence
    }
    return exported.map { (added: added($0), document: $0) }.sorted { $0.added < $1.added }
      .map(\.document)
  }

  /// Returns the number of fields of the given kinds that have several values, of which only the shown value is
  /// exported.
  package func conflictCount(of kinds: some Sequence<Kind>) -> Int {
    let documents = kinds.flatMap(documents)
    let occurrences = documents.flatMap(occurrences)
    return (documents + occurrences).reduce(0) { $0 + $1.conflicts.count }
  }

  /// Returns how a to-do repeats; nil if it does not.
  func recurrence(of todo: Document) -> Recurrence? { records.recurrence(of: todo.key) }

  /// Returns the stored occurrences of a repeating to-do; empty for any other record.
  func occurrences(of todo: Document) -> [Document] {
    todo.kind == .todo ? RecurrenceFinder(records).occurrences(of: todo) : []
  }

  /// Returns a key that sorts documents by the time at which they were added.
  ///
  /// Documents of one import keep the order of the imported file.
  private func added(_ document: Document) -> (Int64, UniqueID, UInt64) {
    let key = document.key
    let replica = records.causality.identity(of: key.log)?.replica
    return (
      records.entity(of: key)?.birth?.effectiveTime ?? 0, replica ?? UniqueID(high: 0, low: 0),
      key.sequence
    )
  }

  /// Returns the document that a field refers to.
  package func document(_ field: Field, of document: Document) -> Document? {
    document.value(field).reference.flatMap(records.document)
  }

  /// Returns the parent of a sub-task, unless ``TodoParents`` ignores it.
  func parent(of todo: Document) -> Document? {
    let parent = document(Field.Todo.parent, of: todo)
    var written: [EventKey: EventKey] = [:]
    var next: Document? = todo
    while let todo = next, written[todo.key] == nil {
      next = document(Field.Todo.parent, of: todo)
      written[todo.key] = next?.key
    }
    let isInCycle = next?.key == todo.key
    guard isInCycle else { return parent }
    let acyclic = TodoParents.withoutCycles(written) { cycle in
      var stamps: [EventKey: Stamp] = [:]
      for key in cycle { stamps[key] = records.stampOfParent(of: key) }
      return stamps
    }
    return acyclic[todo.key] == nil ? nil : parent
  }

  /// The number of sub-tasks exported without their parent because they are sub-tasks of each other.
  ///
  /// A to-do that was merged with its sub-task names itself as its parent. Nothing is lost if that parent is not
  /// exported.
  package var ignoredParentCount: Int {
    documents(.todo).count { todo in
      guard let written = document(Field.Todo.parent, of: todo), written.key != todo.key else {
        return false
      }
      return parent(of: todo) == nil
    }
  }

  /// The number of exported sub-tasks whose parent is shown but not exported.
  package var absentParentCount: Int {
    documents(.todo).count { todo in
      guard let parent = parent(of: todo) else { return false }
      return records.isShown(parent)
        && !records.isExported(parent, list, isOpenOnly: isOpenOnly)
    }
  }

  /// Returns the name of a to-do's list.
  package func listName(of todo: Document) -> String? {
    document(Field.Todo.list, of: todo)?.text(Field.List.name)
  }

  /// Returns the creation time of a to-do; nil if neither a user nor a file gave the time.
  func toldCreation(of todo: Document) -> Int64? {
    let shown = todo.shown(Field.Todo.createdAt)?.survivors.first
    return shown.flatMap { isSupposed($0) ? nil : $0.value.integer }
  }

  /// Returns the creation time of a to-do from its field; nil if only the time of its add event is known.
  func writtenCreation(of todo: Document) -> Int64? {
    guard let created = todo.shown(Field.Todo.createdAt)?.survivors.first else { return nil }
    let isWritten = todo.members.compactMap(records.entity).contains { member in
      member.writes(of: Field.Todo.createdAt).contains { $0.key == created.key }
    }
    return isWritten ? created.value.integer : nil
  }

  /// Returns the completion time of a to-do; nil if it is open, or if neither a user nor a file gave the time.
  func toldCompletion(of todo: Document) -> Int64? {
    guard todo.value(Field.Todo.done).boolean == true else { return nil }
    let shown = todo.shown(Field.Todo.completedAt)?.survivors.first
    return shown.flatMap { isSupposed($0) ? nil : $0.value.integer }
  }

  /// Counts the times of a to-do of which a file with days keeps only the day.
  ///
  /// The time of an add event is not counted, because almost every to-do would then be reported.
  func countTimes(
    ofCreation hasCreation: Bool = true, ofCompletion hasCompletion: Bool = true,
    of todo: Document, _ settings: ExportSettings, _ written: inout ForeignText.Written
  ) {
    if hasCreation, writtenCreation(of: todo).map(settings.isWithinDay) ?? false {
      written.lose(
        "given time of day when a to-do was added", "given times of day when to-dos were added")
    }
    if hasCompletion, toldCompletion(of: todo).map(settings.isWithinDay) ?? false {
      written.lose("time of day when a to-do was done", "times of day when to-dos were done")
    }
  }

  /// Returns whether an instant is only the time of the import that added a to-do, because its file gave no other
  /// time.
  private func isSupposed(_ instant: Stored) -> Bool {
    guard let entity = records.entity(of: instant.key), let birth = entity.birth,
      let source = birth.source, source.importer != FileFormat.operations.importer,
      !entity.writes(of: instant.field).contains(where: { $0.key == instant.key })
    else { return false }
    // A file with the creation time of a to-do may still lack its completion time.
    return instant.field == Field.Todo.completedAt || birth.time == birth.effectiveTime
  }

  /// Returns the book that wrote a record: another book if nothing has been written to the record since that book's
  /// version was read, otherwise this book.
  ///
  /// - Parameters:
  ///   - document: The record.
  ///   - told: The fields that a reader of the file finds.
  ///   - kept: The properties that the record keeps for the format.
  /// - Returns: The origin; nil if the export does not name the book.
  func origin(
    of document: Document, as told: FieldDigests, _ kept: ForeignExtra
  ) -> RecordOrigin? {
    guard let book else { return nil }
    let known = kept.knownWithFile
    var origin = RecordOrigin(book, at: records.position(of: document), others: known.states)
    if let writer = known.writer, let state = known[writer], state.digests.isSame(as: told),
      ([document] + occurrences(of: document)).allSatisfy(isAsRead)
    {
      origin = RecordOrigin(writer, at: state.position, others: known.states)
    }
    origin.others.removeAll { $0.book == origin.book }
    return origin
  }

  /// Returns whether nothing has been written to a record since it was last read from a file.
  private func isAsRead(_ document: Document) -> Bool {
    let read = document.shown(.extra)?.survivors.first?.time
    return read.map { $0 >= records.lastWrite(to: document) } ?? false
  }

  /// Returns the digests of a record in its written form, and the book that writes it, as one word, such as
  /// `5-0123456789@1a2b3c4d.mi9x2k3f`.
  ///
  /// - Parameters:
  ///   - document: The record.
  ///   - told: The record that a reader of the file finds.
  ///   - format: The format of the file.
  /// - Returns: The word, which ``ForeignRecord/takeMark(_:)`` reads.
  func mark(of document: Document, as told: ForeignRecord, in format: FileFormat) -> String {
    let base = FieldDigests(told.fields, of: told.kind)
    let kept = ForeignExtra(of: document, format: format)
    return base.text + (origin(of: document, as: base, kept)?.text(beside: base) ?? "")
  }

  /// Returns the time of the last write to a document.
  package func lastChange(of document: Document) -> Int64? {
    document.members.compactMap { records.entity(of: $0) }
      .flatMap { $0.writes.map(\.effectiveTime) }.max()
  }
}

extension Records {
  /// Returns whether a record is shown, and belongs to the export, which may be limited to one list or to open to-dos.
  func isExported(_ document: Document, _ list: UniqueID?, isOpenOnly: Bool) -> Bool {
    isShown(document) && isIn(document, list) && !(isOpenOnly && isClosed(document))
  }

  /// Returns the series of an occurrence; nil for any other record.
  func series(of document: Document) -> Document? {
    document.isOccurrence
      ? document.value(.owner).reference.flatMap { self.document(of: $0) } : nil
  }

  /// Returns whether a to-do is closed, or is a series with no dates left.
  private func isClosed(_ document: Document) -> Bool {
    guard let todo = Todo(document) else { return false }
    guard let recurrence = recurrence(of: document.key) else { return todo.isClosed }
    return recurrence.isOfSubtask
      ? recurrence.closing != nil || todo.isClosed : recurrence.state.isFinished
  }

  /// Returns whether a document is a list, or a to-do on it; always true if no list is given.
  func isIn(_ document: Document, _ list: UniqueID?) -> Bool {
    guard let list else { return true }
    switch document.kind {
    case .list: return document.id == list
    case .todo:
      return document.value(Field.Todo.list).reference.flatMap { self.document(of: $0) }?.id == list
    default: return false
    }
  }
}

extension Document {
  /// Returns the uid under which a record was imported from files of a format.
  package func uid(from format: FileFormat) -> String? {
    sources.first { $0.importer == format.importer }?.uid.text
  }
}

/// The settings for writing records for other programs.
package struct ExportSettings: Sendable {
  /// The version of the format, if it has several; if nil, each record keeps the version in which it was read.
  package var version: Int?
  /// The time of the export, in milliseconds.
  package var now: Int64
  package var localOffset: @Sendable (Int64) -> Int = { _ in 0 }
  /// Returns the offset of a time zone from UTC, as ``localOffset`` does for local time; nil if the zone is unknown.
  package var zoneOffset: @Sendable (String) -> (@Sendable (Int64) -> Int)? = { _ in nil }
  /// Whether birthdays in calendars have alarms.
  package var hasAlarms = false
  /// The lead times of birthdays without lead times of their own.
  package var lead = LeadTimes.usual
  /// The number of years for which each birthday also becomes an event that shows the age.
  package var ageYears = 0
  /// The leap rule of birthdays without a rule of their own.
  package var leapRule = LeapRule.february28
  /// Whether tables contain exact values, including those that a spreadsheet would evaluate as formulas.
  package var isRaw = false
  /// Whether lines of text omit the ids and everything else by which only this program recognises records.
  package var omitsIDs = false

  package init(now: Int64) { self.now = now }

  /// The local date of the export.
  package var today: CivilDate? { CivilDate(ofInstant: now + Int64(localOffset(now)) * 1000) }
}

extension ForeignText {
  /// The result of writing a file.
  package struct Written: Sendable {
    package var bytes: [UInt8] = []
    /// The number of records in the file.
    package var count = 0
    /// The data that is lost because the format cannot express it, with the number of affected records for each kind.
    package var lost: [Loss] = []

    package init() {}

    package init(_ text: String, count: Int) {
      bytes = Array(text.utf8)
      self.count = count
    }

    /// Counts a loss, with its name in the singular and plural.
    mutating func lose(_ one: String, _ many: String, count: Int = 1) {
      if let place = lost.firstIndex(where: { $0.one == one }) {
        lost[place].count += count
      } else if count > 0 {
        lost.append(Loss(one: one, many: many, count: count))
      }
    }
  }

  /// A kind of data that a format cannot express.
  package struct Loss: Sendable {
    fileprivate let one: String
    fileprivate let many: String
    package fileprivate(set) var count: Int

    /// The name of the loss, in the singular or plural according to its count.
    package var what: String { count == 1 ? one : many }
  }
}

extension ForeignText.Written {
  /// Counts as lost the records of kinds that a format does not support.
  mutating func loseAll(of contents: ExportContents, but kinds: Set<Kind>) {
    for schema in Schema.kinds where !kinds.contains(schema.kind) {
      lose(schema.name, schema.plural, count: contents.documents(schema.kind).count)
    }
  }
}
