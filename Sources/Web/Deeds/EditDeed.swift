import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Changes fields of a record.
struct EditDeed {
  let site: PageSite
  private var book: Book { site.book }

  func edit(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try book.present(id)
    let scope = try wish.scope()
    let assignments = try assignments(wish, of: document)
    let performed = try book.commands.perform(.edit(id, assignments, scope: scope))
    guard !performed.isNothing else { return Done(said: "Nothing to change.", id: id) }
    if document.isOccurrence {
      return Done(said: "Changed \(performed.changes[0].title.asTitle).", id: id)
    }
    let title = performed.changes[0].named.title.asTitle
    let due = scope == .series ? assignments.dueDay : nil
    let note = try due.flatMap { try self.note(on: $0, of: document) } ?? ""
    return Done(said: "Changed \(title)\(try rest(performed)).\(note)", id: id)
  }

  private func assignments(_ wish: Wish, of document: Document) throws -> [Request.Assignment] {
    var given: [Request.Assignment] = []
    var rule: RepeatWish?
    for (name, words) in try wish.fields() {
      guard let field = Schema.schema(of: document.kind)?.field(named: name),
        field.inputName != nil
      else { throw PageFault.badMember(name) }
      if field.type == .repeatRule {
        rule = try RepeatWish(words, FieldReader(book.machine.timekeeper))
      } else {
        given += try PageField(field).assignments(words, in: book)
      }
    }
    // The first date is the due date that the same edit sets or, if it sets none, the current due date.
    guard let rule else { return given }
    if try wish.scope() == .occurrence { throw DaybookError.refused(.ofSeries(Field.Todo.repeat)) }
    return try rule.values(given, dueBefore: try book.view().todos.todo(document.key)?.due)
  }

  // MARK: Words

  /// Returns how a to-do now repeats, or that only one date was changed; empty for other edits.
  private func rest(_ performed: Performed) throws -> String {
    let receipt = DateReceipt(site: site)
    if performed.changes.allSatisfy({ $0.occurrence != nil }) { return ", this date only" }
    let isMixed = performed.changes.contains { $0.occurrence != nil }
    let fields = Set(performed.changes.flatMap(\.fields))
    if fields.contains(Field.Todo.repeat) { return try receipt.rule(performed.changes[0].document) }
    if fields.contains(Field.Todo.until) { return try receipt.end(performed.changes[0].document) }
    return isMixed ? "; its dates and times changed for this date only" : ""
  }

  /// Returns a sentence stating that the rule of a series does not fall on its new date, so only the first date moves.
  private func note(on due: CivilDate, of document: Document) throws -> String? {
    guard let rule = try book.present(document.id).text(Field.Todo.repeat),
      let rule = RepeatRule(canonicalIfValid: rule), !rule.canFall(on: due)
    else { return nil }
    let (words, day) = (rule.words(from: due), due.nearWords(in: site.year))
    return " The rule “\(words)” has no date on \(day), so only the first date moves."
  }
}
