package import Bytes
package import Domain

/// What a book shows, as the writers of foreign formats ask for it.
package struct ExportContents: Sendable {
  private let records: Records
  /// The kinds that are wanted.
  package let kinds: Set<Kind>
  /// The list that alone is wanted, with its to-dos.
  private let list: UniqueID?
  /// The tag by which other books know this one; nil for one that is not to be named.
  let book: String?
  /// The only document that is wanted.
  private var document: Document?

  package init(
    _ records: Records, kinds: Set<Kind> = Set(Schema.kinds.map(\.kind)), list: UniqueID? = nil,
    book: String? = nil
  ) {
    self.records = records
    self.kinds = kinds
    self.list = list
    self.book = book
  }

  /// Nothing but one document.
  func only(_ document: Document) -> ExportContents {
    var contents = self
    contents.document = document
    return contents
  }

  /// The documents of a kind that are shown, in the order in which they were added; none of a kind not wanted.
  package func documents(_ kind: Kind) -> [Document] {
    guard kinds.contains(kind) else { return [] }
    if let document { return document.kind == kind ? [document] : [] }
    return records.documents(kind).filter { records.isShown($0) && records.isIn($0, list) }
      .sorted { added($0) < added($1) }
  }

  /// How many fields of some kinds have several values, of which only the one that is shown is exported.
  package func conflictCount(of kinds: some Sequence<Kind>) -> Int {
    kinds.flatMap(documents).reduce(0) { $0 + $1.conflicts.count }
  }

  /// When a document was added; of an import, which adds many at once, in the order of its file.
  private func added(_ document: Document) -> (Int64, UniqueID, UInt64) {
    let key = document.key
    let replica = records.causality.identity(of: key.log)?.replica
    return (
      records.entity(of: key)?.birth?.effectiveTime ?? 0, replica ?? UniqueID(high: 0, low: 0),
      key.sequence
    )
  }

  /// The document that a field leads to.
  package func document(_ field: Field, of document: Document) -> Document? {
    document.value(field).reference.flatMap(records.document)
  }

  /// The name of the list that a to-do is on.
  package func listName(of todo: Document) -> String? {
    document(Field.Todo.list, of: todo)?.text(Field.List.name)
  }

  /// When a to-do was made; nil where neither a user nor the file it came from has told.
  func toldCreation(of todo: Document) -> Int64? {
    let shown = todo.shown(Field.Todo.createdAt)?.survivors.first
    return shown.flatMap { isSupposed($0) ? nil : $0.value.integer }
  }

  /// When a to-do was made, if a field says it; nil where only the event that added it tells.
  func writtenCreation(of todo: Document) -> Int64? {
    guard let created = todo.shown(Field.Todo.createdAt)?.survivors.first else { return nil }
    let isWritten = todo.members.compactMap(records.entity).contains { member in
      member.writes(of: Field.Todo.createdAt).contains { $0.key == created.key }
    }
    return isWritten ? created.value.integer : nil
  }

  /// When a to-do was done; nil where it is not, or neither a user nor the file it came from has told.
  func toldCompletion(of todo: Document) -> Int64? {
    guard todo.value(Field.Todo.done).boolean == true else { return nil }
    let shown = todo.shown(Field.Todo.completedAt)?.survivors.first
    return shown.flatMap { isSupposed($0) ? nil : $0.value.integer }
  }

  /// Whether an instant is only that of the import which brought a to-do, from a file that does not tell another.
  private func isSupposed(_ instant: Stored) -> Bool {
    guard let entity = records.entity(of: instant.key), let birth = entity.birth,
      let source = birth.source, source.importer != FileFormat.operations.importer,
      !entity.writes(of: instant.field).contains(where: { $0.key == instant.key })
    else { return false }
    // A file that tells when a to-do was made still does not tell when it was done.
    return instant.field == Field.Todo.completedAt || birth.time == birth.effectiveTime
  }

  /// What a record says of who wrote it, which is this book unless nothing was written to it since another's was read.
  ///
  /// - Parameters:
  ///   - document: The record.
  ///   - told: The fields that a reader of the file finds.
  ///   - kept: What it keeps for the format.
  /// - Returns: Nil where the book is not to be named.
  func origin(
    of document: Document, as told: FieldDigests, _ kept: ForeignExtra
  ) -> RecordOrigin? {
    guard let book else { return nil }
    let known = kept.knownWithFile
    let position = records.position(of: document)
    let read = document.shown(.extra)?.survivors.first?.time
    var origin = RecordOrigin(book, at: position, others: known.states)
    if let writer = known.writer, let state = known[writer], state.digests.isSame(as: told),
      let read, read >= position
    {
      origin = RecordOrigin(writer, at: state.position, others: known.states)
    }
    origin.others.removeAll { $0.book == origin.book }
    return origin
  }

  /// What a record was as it is written, and which book wrote it, in a word: `5-0123456789@1a2b3c4d.mi9x2k3f`.
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

  /// When a document was written to last.
  package func lastChange(of document: Document) -> Int64? {
    document.members.compactMap { records.entity(of: $0) }
      .flatMap { $0.writes.map(\.effectiveTime) }.max()
  }
}

extension Records {
  /// Whether a document is a list, or a to-do on it; anything is, where no list is named.
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
  /// The uid under which a record came from files of a format.
  package func uid(from format: FileFormat) -> String? {
    sources.first { $0.importer == format.importer }?.uid.text
  }
}

/// How records are to be written for other programs.
package struct ExportSettings: Sendable {
  /// The version of a format of which several are written; nil where each record keeps that in which it came.
  package var version: Int?
  /// When it is written, in milliseconds.
  package var now: Int64
  package var localOffset: @Sendable (Int64) -> Int = { _ in 0 }
  /// Whether calendars shall ring.
  package var hasAlarms = false
  /// The lead times of birthdays without their own.
  package var lead = LeadTimes.usual
  /// For how many years birthdays become events of their own that tell the age; none if 0.
  package var ageYears = 0
  /// For those without a leap rule of their own.
  package var leapRule = LeapRule.february28
  /// Whether tables have the exact values, also those that a spreadsheet computes.
  package var isRaw = false

  package init(now: Int64) { self.now = now }

  /// The day it is here.
  package var today: CivilDate? { CivilDate(ofInstant: now + Int64(localOffset(now)) * 1000) }
}

extension ForeignText {
  /// A file as it was written.
  package struct Written: Sendable {
    package var bytes: [UInt8] = []
    /// Records in it.
    package var count = 0
    /// What the format has no place for, in words, and how many records that concerns.
    package var lost: [Loss] = []

    package init() {}

    package init(_ text: String, count: Int) {
      bytes = Array(text.utf8)
      self.count = count
    }

    /// Counts what is lost of a record, called so where it is one and where there are many.
    mutating func lose(_ one: String, _ many: String, count: Int = 1) {
      if let place = lost.firstIndex(where: { $0.one == one }) {
        lost[place].count += count
      } else if count > 0 {
        lost.append(Loss(one: one, many: many, count: count))
      }
    }
  }

  /// Something that a format has no place for.
  package struct Loss: Sendable {
    fileprivate let one: String
    fileprivate let many: String
    package fileprivate(set) var count: Int

    /// What it is called, being so many.
    package var what: String { count == 1 ? one : many }
  }
}

extension ForeignText.Written {
  /// Counts what is of other kinds than a format knows.
  mutating func loseAll(of contents: ExportContents, but kinds: Set<Kind>) {
    for schema in Schema.kinds where !kinds.contains(schema.kind) {
      lose(schema.name, schema.plural, count: contents.documents(schema.kind).count)
    }
  }
}
