import Bytes
import Daybook
import Domain
import Interchange
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Wording

/// An everyday action of a user, chosen at random.
struct Deed {
  private let dice: Seeded
  /// A number that makes titles distinct.
  private let number: Int

  init(_ dice: Seeded, number: Int) { (self.dice, self.number) = (dice, number) }

  /// Performs one action, and returns a description of it.
  func perform(on book: Book) throws(DaybookError) -> String {
    switch dice.below(100) {
    case ..<5:
      let check = try UndoCheck(book)
      let undone = try book.undoEngine.undo(pastDevices: true)
      if let fault = try check.fault(in: undone, on: book) { return "\(Self.wrongUndo): \(fault)" }
      return "undo"
    case 5:
      _ = try book.undoEngine.redo()
      return "redo"
    case ..<9: return try takeIn(book)
    case ..<12: return try settle(book)
    case 12:
      _ = try book.healer.compact()
      return "nothing, compact"
    default:
      let records = try records(book)
      guard let request = draw(records) else { return "nothing" }
      let reason = dice.chance(5) ? "as I like it" : nil
      let performed = try book.commands.perform(request, because: reason)
      let isNothing = performed.isNothing
      let check = ShownCheck(
        request, closingOn: book.commands.closingDay, series: records.series)
      if let other = check.difference(performed) { return "\(Self.wrong): \(other)" }
      if !isNothing, let time = try DateCheck(book).wrongTime() {
        return "\(Self.misdated): \(time)"
      }
      return (isNothing ? "nothing, " : "") + Self.name(of: request)
    }
  }

  /// The beginning of the description if a record shows a value other than the one just written.
  private static let wrong = "shows a different value"
  /// The beginning of the description if an undo has changed a record that it must not change, or has not named one
  /// that it must name.
  private static let wrongUndo = "has undone"
  /// The beginning of the description if the date of a new event does not agree with the clock.
  private static let misdated = "has a wrong date"

  /// The invariant that an action has violated, according to the action's description.
  static func fault(in words: String) -> Invariant? {
    let faults = [wrong: Invariant.shown, wrongUndo: .undone, misdated: .dated]
    return faults.first { words.hasPrefix($0.key) }?.value
  }

  private static func name(of request: Request) -> String {
    let text = "\(request)"
    return String(text.prefix { $0 != "(" })
  }

  private func takeIn(_ book: Book) throws(DaybookError) -> String {
    let lines = (0..<1 + dice.below(6)).map { place in
      """
      {"op": "add", "kind": "todo", "id": "s\(dice.below(9))", "title": "taken \(number) \(place)"}
      """
    }
    let report = try book.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    return "\(report.done.isEmpty ? "nothing, " : "")import of \(report.lines)"
  }

  private func settle(_ book: Book) throws(DaybookError) -> String {
    let conflicts = try book.conflictReader.conflicts()
    guard let conflict = dice.pick(conflicts), let side = dice.pick(conflict.sides) else {
      return "nothing to settle"
    }
    switch conflict.subject {
    case .life:
      let isKept = dice.chance(50)
      if try book.commands.perform(.settleLife(conflict.document.id, isKept: isKept)).isNothing {
        return "nothing to settle"
      }
    case .field(let field):
      guard let writer = side.writers.first else { return "nothing to settle" }
      let request = Request.settle(conflict.document.id, field, .written(by: writer))
      if try book.commands.perform(request).isNothing { return "nothing to settle" }
    }
    return "settle one of \(conflicts.count)"
  }

  private struct Records {
    var todos: TodoDeed.Records
    var questions: [UniqueID]
    var dead: [UniqueID]
    /// The to-dos to which occurrences belong, by the occurrences' ids.
    var series: [UniqueID: UniqueID]
  }

  private func records(_ book: Book) throws(DaybookError) -> Records {
    let model = try book.view()
    do throws(ReadModelError) {
      let todos = try model.todos.todos()
      let occurrences = todos.filter { $0.series != nil }
      return Records(
        todos: TodoDeed.Records(
          lists: try model.lists.lists().map(\.head.id),
          todos: todos.filter { $0.series == nil }.map(\.head.id),
          occurrences: occurrences.map(\.head.id)),
        questions: try model.questions.questions().map(\.head.id),
        dead: try model.titleSearch.deletedDocuments().map(\.id),
        series: Dictionary(
          occurrences.compactMap { row in row.seriesID.map { (row.head.id, $0) } },
          uniquingKeysWith: { first, _ in first }))
    } catch {
      throw .view(error)
    }
  }

  private func draw(_ records: Records) -> Request? {
    let todos = TodoDeed(dice, number: number, among: records.todos)
    switch dice.below(100) {
    case ..<16: return todos.closing()
    case ..<38: return todos.edit()
    case ..<43: return todos.deletion()
    case ..<45: return dice.pick(records.todos.lists).map { .delete([$0]) }
    case ..<51: return dice.pick(records.dead).map { .restore([$0]) }
    case ..<55:
      guard let one = dice.pick(records.todos.todos), let other = dice.pick(records.todos.todos),
        one != other
      else { return nil }
      return .merge(one, other)
    case ..<60: return .addList(name: "list \(number)", colour: nil)
    case ..<64:
      return dice.pick(records.todos.lists).map {
        .edit($0, [.init(Field.List.name, .value(.text("list \(dice.below(4))")))])
      }
    case ..<68: return .addQuestion(content: "what \(number)?", choices: [("a", 1), ("b", 2)])
    case ..<73: return dice.pick(records.questions).map { .pick($0) }
    case ..<76:
      return dice.pick(records.questions).map { .addChoice(question: $0, name: "c", weight: 3) }
    default: return todos.addition()
    }
  }
}
