import Bytes
import Daybook
import Domain
import Phrasing

/// Makes the history of one record, with the values that can be restored.
struct ItemHistory {
  let page: PageSnapshot

  private static let stepsShown = 200

  /// Returns the most recent events of a record, latest first.
  func events(of document: Document) throws -> [JSON] {
    let wish = HistoryWish(id: document.id, limit: Self.stepsShown, includesTaken: true)
    let history = try page.book.historyReader.history(wish, at: page.moment)
    let past = Snapshot(book: page.book, model: page.model, loaded: history.documents)
    return try history.entries.map { entry in
      .object(
        ("instant", .string(Instant.text(entry.fact.effectiveTime))),
        ("when", .string(page.momentWords(entry.fact.effectiveTime))),
        ("words", .string(try EntryWords(past, page).sentence(entry))),
        ("device", .string(entry.device.visible)), ("restore", try restoring(entry)))
    }
  }

  /// Returns the fields to write to give the record back the values that an event gave it.
  ///
  /// Returns null if a past state is shown, if the record already has these values, and for an erased event, an event
  /// that joined records, and an occurrence, which can be reopened instead.
  private func restoring(_ entry: HistoryEntry) throws -> JSON {
    guard page.isNow, !entry.isErased, entry.fact.body.verb != .alias,
      let document = entry.document, !document.isOccurrence
    else { return .null }
    var members = try entry.fact.body.fieldWrites.compactMap { write -> JSON.Member? in
      guard let field = Schema.field(write.field, of: document.kind), field.inputName != nil else {
        return nil
      }
      let value = field.meaning(of: write.value)
      let text = try field.type == .repeatRule ? rule(entry) : page.inputText(value, field)
      return JSON.Member(field.name, .string(text))
    }
    let tags = TagChanges(entry)
    if !tags.isEmpty {
      let wanted = tags.applied(to: document.tags).joined(separator: ", ")
      members.append(JSON.Member("tags", .string(wanted)))
    }
    return try members.isEmpty || shows(document, members) ? .null : .object(members)
  }

  /// Returns the rule that an event wrote, including its end.
  private func rule(_ entry: HistoryEntry) -> String {
    func written(_ field: Field) -> Value? {
      entry.fact.body.fieldWrites.first { $0.field == field }?.value
    }
    let text = written(Field.Todo.repeat)?.text ?? ""
    return RepeatRule(canonicalIfValid: text)?.words(
      from: written(Field.Todo.due)?.date, until: written(Field.Todo.until)?.date) ?? text
  }

  /// Returns whether a record has the given field values.
  private func shows(_ document: Document, _ members: [JSON.Member]) throws -> Bool {
    let schema = Schema.schema(of: document.kind)
    return try members.allSatisfy { member in
      guard let field = schema?.field(named: member.name) else { return false }
      if field.type == .repeatRule {
        return Series(document)?.words ?? "" == member.value.string
      }
      let value = field.meaning(of: document.value(field.field))
      return try page.inputText(value, field) == member.value.string
    }
  }
}
