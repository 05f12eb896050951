internal import Domain

extension ForeignRecord {
  /// Returns the record with the formatted name of its card if only this name has changed since the card was written or
  /// read.
  ///
  /// A card contains the name twice. The structured name is normally used, because the formatted name may contain
  /// titles.
  func takingFullName(_ kept: ForeignExtra, _ document: Document) -> ForeignRecord {
    guard kept.format == .vCard, kind == .birthday,
      let lines = extra[KeptComponent.lines].map({ ContentLine.lines(of: $0) }),
      let parts = lines.first(where: { $0.name == "N" }),
      let told = lines.first(where: { $0.name == "FN" })?.text.trimmed, !told.isEmpty
    else { return self }
    let name = VCardName(parts, nil)
    let old = ContentLine.lines(of: kept.properties[KeptComponent.lines])
      .first { $0.name == "FN" }?.text.trimmed
    guard told != name.full, told != old ?? name.full, isNamedAsBefore(kept, document) else {
      return self
    }
    var record = self
    let (first, last) = ForeignName.split(told)
    record.fields[Field.Birthday.firstName] = first.map { .value(.text($0)) }
    record.fields[Field.Birthday.lastName] = last.map { .value(.text($0)) }
    let names = [last ?? "", first ?? ""].map(ContentLine.escaped)
    record.extra[KeptComponent.lines] = lines.map { line in
      var line = line
      if line == parts {
        let rest = ContentLine.split(line.value, at: ";").dropFirst(2)
        line.value = (names + rest).joined(separator: ";")
      }
      return line.unfolded
    }.joined(separator: "\n")
    return record
  }

  /// Returns whether the structured name is unchanged since the card was last written or read.
  ///
  /// If that is unknown, returns whether it equals the name in the book.
  private func isNamedAsBefore(_ kept: ForeignExtra, _ document: Document) -> Bool {
    [Field.Birthday.firstName, Field.Birthday.lastName].allSatisfy { field in
      if let base = base ?? kept.base { return base.isSame(field, fields[field], in: kind) }
      if case .value(let value)? = fields[field] { return document.shows(value, field) }
      return document.value(field) == .null
    }
  }
}
