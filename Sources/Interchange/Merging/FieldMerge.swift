internal import Domain

/// Which fields of a record an import is to write.
struct FieldMerge {
  /// The fields to write, and those to clear.
  private(set) var changed: [Field] = []
  private(set) var disputes: [FieldDispute] = []

  private let record: ForeignRecord
  private let document: Document
  private let contents: ExportContents
  private let file: ForeignFile
  private let isWhole: Bool
  /// What a file of the format would say that is written now, once somebody has asked.
  private lazy var told = toldRecord()

  /// Decides about a record.
  ///
  /// - Parameters:
  ///   - record: The record as the file has it.
  ///   - document: The record as the book shows it.
  ///   - kept: What it keeps of the file that was read last.
  ///   - contents: The book.
  ///   - file: What the record stands in.
  ///   - isWhole: Whether what the file does not say is taken for gone.
  init(
    _ record: ForeignRecord, _ document: Document, _ kept: ForeignExtra, _ contents: ExportContents,
    of file: ForeignFile, isWhole: Bool
  ) {
    (self.record, self.document, self.contents) = (record, document, contents)
    (self.file, self.isWhole) = (file, isWhole)
    if file.isPreferred {
      takeAll(kept)
    } else if let origin = record.origin, let book = contents.book, origin.book != book,
      let base = record.base
    {
      settle(CommonStates(origin, base, kept.knownWithFile, in: book))
    } else {
      // What was read of it last counts where it is no book's.
      let base = record.base ?? kept.known[KnownState.file]?.digests ?? kept.base
      take(since: base)
      if base == nil, isWhole { for field in unsaid() { dispute(field, .unsaid, own(field), nil) } }
    }
    // What the file cannot say is not gone.
    let silent = (file.silent[record.kind] ?? []).filter { record.fields[$0] == nil }
    changed.removeAll { silent.contains($0) }
    disputes.removeAll { silent.contains($0.field) }
    changed.removeAll { Schema.field($0, of: record.kind)?.isFixed ?? true }
    disputes.removeAll { Schema.field($0.field, of: record.kind)?.isFixed ?? true }
  }

  /// Takes what is not as it was.
  private mutating func take(since base: FieldDigests?) {
    changed = record.fields.keys.filter { field in
      !(base?.isSame(field, record.fields[field], in: record.kind) ?? false)
    }
    if isMadeWhenDone { changed.removeAll { $0 == Field.Todo.createdAt } }
    // What it said once and says no more.
    if isWhole { changed += base?.fields.filter { record.fields[$0] == nil } ?? [] }
    if let base { leaveWhatBothChanged(since: base) }
  }

  /// Leaves what the book has changed, too, and otherwise.
  private mutating func leaveWhatBothChanged(since base: FieldDigests) {
    let kind = record.kind
    var taken: [Field] = []
    for field in changed {
      let (own, other) = (own(field), record.fields[field])
      let isOwnOld = isOld(field) { base.isSame(field, $0, in: kind) }
      if isOwnOld || isShown(other, own, field) || isToldAlike(field, other) {
        taken.append(field)
      } else {
        dispute(field, .changedInBoth, own, other)
      }
    }
    changed = taken
  }

  /// Whether the file has a to-do made when it was done, only since the book has it made later, which few programs take.
  private var isMadeWhenDone: Bool {
    guard record.kind == .todo, let made = record.fields[Field.Todo.createdAt],
      made == record.fields[Field.Todo.completedAt], case .value(.integer(let told)) = made,
      let own = document.value(Field.Todo.createdAt).integer
    else { return false }
    return own >= told && document.shows(.integer(told), Field.Todo.completedAt)
  }

  /// Takes all that the file says, and for gone what it said once.
  private mutating func takeAll(_ kept: ForeignExtra) {
    let bases = [record.base, kept.base].compactMap(\.self) + kept.known.states.map(\.digests)
    changed = Array(record.fields.keys)
    guard isWhole else { return }
    if bases.isEmpty { changed += unsaid() }
    changed += Set(bases.flatMap(\.fields)).filter { record.fields[$0] == nil }
  }

  /// What a file of the book would say, and this one does not.
  private mutating func unsaid() -> [Field] {
    (told?.fields.keys.sorted() ?? []).filter { field in
      record.fields[field] == nil && !isShown(nil, own(field), field)
        && Schema.field(field, of: record.kind)?.isQuiet == false
    }
  }

  /// Whether the file differs from the book only because the book has newer changes.
  mutating func isOutdated() -> Bool {
    guard changed.isEmpty, disputes.isEmpty else { return false }
    let others = record.fields.filter { field, other in
      guard let schema = Schema.field(field, of: record.kind) else { return false }
      return !schema.isQuiet && !schema.isFixed && !isShown(other, own(field), field)
    }
    // Formats that are not written cannot be compared.
    guard !others.isEmpty, told != nil else { return false }
    return others.contains { !isToldAlike($0.key, $0.value) }
  }

  private func own(_ field: Field) -> ForeignRecord.Content? {
    contents.content(of: field, in: document)
  }

  /// Takes what only the file has changed since both had the same.
  private mutating func settle(_ common: CommonStates) {
    let kind = record.kind
    var fields = common.fields.union(record.fields.keys)
    // Only what a file can say at all is amiss in it.
    if common.states.isEmpty { fields.formUnion(told?.fields.keys.map(\.self) ?? []) }
    for field in fields.sorted() where isWhole || record.fields[field] != nil {
      let (own, other) = (contents.content(of: field, in: document), record.fields[field])
      if isShown(other, own, field) { continue }
      guard common.isKnown(field) else {
        if !isToldAlike(field, other) { dispute(field, .unknown, own, other) }
        continue
      }
      let isOtherOld = common.contain(field, other, in: kind)
      let isOwnOld = isOld(field) { common.contain(field, $0, in: kind) }
      if isOwnOld, !isOtherOld {
        changed.append(field)
      } else if isOwnOld == isOtherOld, !isToldAlike(field, other) {
        dispute(field, .changedInBoth, own, other)
      }
    }
  }

  /// Whether the book has a field as it was, or so that a file of the book would say what it was.
  private mutating func isOld(
    _ field: Field, _ wasSame: (ForeignRecord.Content?) -> Bool
  ) -> Bool {
    wasSame(own(field)) || told.map { wasSame($0.fields[field]) } ?? false
  }

  private mutating func dispute(
    _ field: Field, _ reason: FieldDispute.Reason, _ own: ForeignRecord.Content?,
    _ other: ForeignRecord.Content?
  ) {
    disputes.append(
      FieldDispute(
        title: document.name, kind: document.kind, key: document.key, field: field,
        reason: reason, own: own, told: other))
  }

  /// Whether the file says what the book shows.
  private func isShown(
    _ other: ForeignRecord.Content?, _ own: ForeignRecord.Content?, _ field: Field
  ) -> Bool {
    switch other {
    case .value(let value)?: document.shows(value, field)
    case nil: own.map { FieldDigests([field: $0], of: document.kind).isEmpty } ?? true
    default: other == own
    }
  }

  /// Whether a file of the book would say the same of a field, which may be less than the book knows.
  private mutating func isToldAlike(_ field: Field, _ other: ForeignRecord.Content?) -> Bool {
    guard let told else { return false }
    return FieldDigests(told.fields, of: document.kind).isSame(field, other, in: document.kind)
  }

  /// Whether a file of the book would say the same beside the fields.
  mutating func isToldBeside() -> Bool {
    guard let told else { return false }
    return KeptComponent.withoutStamps(told.extra) == KeptComponent.withoutStamps(record.extra)
  }

  /// The record as a file of the format would have it that is written now; nil where it would not have it.
  private func toldRecord() -> ForeignRecord? {
    var settings = ExportSettings(now: 0)
    settings.localOffset = file.localOffset
    var reading = ForeignSettings()
    reading.localOffset = file.localOffset
    reading.takesAll = true
    guard let written = try? file.format.write(contents.only(document), settings),
      let read = try? file.format.read(written.bytes, reading)
    else { return nil }
    return read.records.first { $0.kind == document.kind }
  }
}
