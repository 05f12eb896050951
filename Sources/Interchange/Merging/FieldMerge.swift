internal import Domain

/// Decides which fields of a record an import writes.
struct FieldMerge {
  /// The fields to write or clear.
  private(set) var changed: [Field] = []
  private(set) var disputes: [FieldDispute] = []

  private let record: ForeignRecord
  private let document: Document
  private let contents: ExportContents
  private let file: ForeignFile
  private let isWhole: Bool
  /// The record as an export to the format would contain it now, computed when first needed.
  private lazy var told = toldRecord()

  /// Decides which fields of a record to write.
  ///
  /// - Parameters:
  ///   - record: The record in the file.
  ///   - document: The record in the book.
  ///   - kept: The properties that the record keeps from the file that was last read.
  ///   - contents: The book.
  ///   - file: The file that contains the record.
  ///   - isWhole: Whether fields that are missing in the file count as removed.
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
      // If the record has no base, it is compared with the version that was last read, preferably one that daybook did
      // not write.
      let base = record.base ?? kept.known[KnownState.file]?.digests ?? kept.base
      take(since: base)
      if base == nil, isWhole { for field in unsaid() { dispute(field, .unsaid, own(field), nil) } }
    }
    // A field that the file cannot contain has not been removed from it.
    let silent = (file.silent[record.kind] ?? []).filter { record.fields[$0] == nil }
    changed.removeAll { silent.contains($0) }
    disputes.removeAll { silent.contains($0.field) }
    // A field that cannot be read was not removed either.
    changed.removeAll { record.unread.contains($0) }
    disputes.removeAll { record.unread.contains($0.field) }
    changed.removeAll { Schema.field($0, of: record.kind)?.isFixed ?? true }
    disputes.removeAll { Schema.field($0.field, of: record.kind)?.isFixed ?? true }
  }

  /// Selects the fields that differ from the base.
  private mutating func take(since base: FieldDigests?) {
    changed = record.fields.keys.filter { field in
      !(base?.isSame(field, record.fields[field], in: record.kind) ?? false)
    }
    if isMadeWhenDone { changed.removeAll { $0 == Field.Todo.createdAt } }
    // A field that is in the base, but no longer in the file, was removed.
    if isWhole { changed += base?.fields.filter { record.fields[$0] == nil } ?? [] }
    if let base { leaveWhatBothChanged(since: base) }
  }

  /// Turns into disputes the fields that the book has also changed, to a different value.
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

  /// Whether the file gives a to-do's completion time as its creation time only because the book's creation time is
  /// later.
  ///
  /// Few programs accept a to-do that was created after it was completed.
  private var isMadeWhenDone: Bool {
    guard record.kind == .todo, let made = record.fields[Field.Todo.createdAt],
      made == record.fields[Field.Todo.completedAt], case .value(.integer(let told)) = made,
      let own = document.value(Field.Todo.createdAt).integer
    else { return false }
    return own >= told && document.shows(.integer(told), Field.Todo.completedAt)
  }

  /// Selects all fields that the file contains, or once contained, unless an export of the book would be the same.
  private mutating func takeAll(_ kept: ForeignExtra) {
    let bases = [record.base, kept.base].compactMap(\.self) + kept.known.states.map(\.digests)
    var taken = Array(record.fields.keys)
    if isWhole {
      if bases.isEmpty { taken += unsaid() }
      taken += Set(bases.flatMap(\.fields)).filter { record.fields[$0] == nil }
    }
    // The book may have the same value more precisely than the format.
    changed = taken.filter { !isToldAlike($0, record.fields[$0]) }
  }

  /// Returns the fields that an export of the book would contain and this file does not.
  private mutating func unsaid() -> [Field] {
    (told?.fields.keys.sorted() ?? []).filter { field in
      record.fields[field] == nil && !isShown(nil, own(field), field)
        && Schema.field(field, of: record.kind)?.isQuiet == false
    }
  }

  /// Returns whether the file differs from the book only because the book has newer changes.
  mutating func isOutdated() -> Bool {
    guard changed.isEmpty, disputes.isEmpty else { return false }
    let others = record.fields.filter { field, other in
      guard let schema = Schema.field(field, of: record.kind) else { return false }
      return !schema.isQuiet && !schema.isFixed && !isShown(other, own(field), field)
    }
    // Formats that cannot be written cannot be compared.
    guard !others.isEmpty, told != nil else { return false }
    return others.contains { !isToldAlike($0.key, $0.value) }
  }

  private func own(_ field: Field) -> ForeignRecord.Content? {
    contents.content(of: field, in: document, as: file.format)
  }

  /// Selects the fields that only the writer of the file has changed since the last common state.
  private mutating func settle(_ common: CommonStates) {
    let kind = record.kind
    var fields = common.fields.union(record.fields.keys)
    // Without a common state, only fields that the format can contain can be missing.
    if common.states.isEmpty { fields.formUnion(told?.fields.keys.map(\.self) ?? []) }
    for field in fields.sorted() where isWhole || record.fields[field] != nil {
      let (own, other) = (own(field), record.fields[field])
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

  /// Returns whether the book has not changed a field, or an export of the book would show it unchanged.
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
        title: contents.title(of: document), kind: document.kind, key: document.key, field: field,
        reason: reason, own: own, told: other))
  }

  /// Returns whether the book shows the same value as the file.
  private func isShown(
    _ other: ForeignRecord.Content?, _ own: ForeignRecord.Content?, _ field: Field
  ) -> Bool {
    switch other {
    case .value(let value)?: document.shows(value, field)
    case nil: own.map { FieldDigests([field: $0], of: document.kind).isEmpty } ?? true
    default: other == own
    }
  }

  /// Returns whether an export of the book would contain the same value, which may be less precise than the value in
  /// the book.
  private mutating func isToldAlike(_ field: Field, _ other: ForeignRecord.Content?) -> Bool {
    guard let told else { return false }
    return FieldDigests(told.fields, of: document.kind).isSame(field, other, in: document.kind)
  }

  /// Returns whether an export of the book would have the same properties in addition to the fields.
  mutating func isToldBeside() -> Bool {
    guard let told else { return false }
    return KeptComponent.withoutStamps(told.extra) == KeptComponent.withoutStamps(record.extra)
  }

  /// Returns the record as an export to the format would contain it now; nil if it would not contain the record.
  private func toldRecord() -> ForeignRecord? {
    var settings = ExportSettings(now: 0)
    var reading = ForeignSettings()
    (settings.localOffset, reading.localOffset) = (
      file.settings.localOffset, file.settings.localOffset
    )
    (settings.zoneOffset, reading.zoneOffset) = (
      file.settings.zoneOffset, file.settings.zoneOffset
    )
    reading.takesAll = true
    guard let written = try? file.format.write(contents.only(document), settings),
      let read = try? file.format.read(written.bytes, reading)
    else { return nil }
    return read.records.first { $0.kind == document.kind }
  }
}
