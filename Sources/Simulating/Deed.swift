import Bytes
import Daybook
import Domain
import Interchange
import Journaling
import ReadModel
import SimulatedPlatform

/// An everyday action of a user, chosen at random.
struct Deed {
  private let dice: Seeded
  /// A number that makes titles distinct.
  private let number: Int

  init(_ dice: Seeded, number: Int) { (self.dice, self.number) = (dice, number) }

  /// Performs one action, and returns a description of it.
  func perform(on book: Book) throws(DaybookError) -> String {
    switch dice.below(100) {
    case ..<3:
      let check = try UndoCheck(book)
      let undone = try book.undoEngine.undo(pastDevices: true)
      if let record = try check.unnamed(by: undone, on: book) { return "\(Self.silent): \(record)" }
      return "undo"
    case 3:
      _ = try book.undoEngine.redo()
      return "redo"
    case ..<7: return try takeIn(book)
    case ..<10: return try settle(book)
    case 10:
      _ = try book.healer.compact()
      return "nothing, compact"
    default:
      guard let request = try request(book) else { return "nothing" }
      let reason = dice.chance(5) ? "as I like it" : nil
      let performed = try book.commands.perform(request, because: reason)
      let isNothing = performed.isNothing
      if let other = Self.otherTitle(shown: performed, for: request) {
        return "\(Self.wrong): \(other)"
      }
      if !isNothing, let time = try DateCheck(book).wrongTime() {
        return "\(Self.misdated): \(time)"
      }
      return (isNothing ? "nothing, " : "") + Self.name(of: request)
    }
  }

  /// The description begins with this if the record shows a title other than the one that was just written.
  private static let wrong = "shows a different title"
  /// The description begins with this if an undo has changed a record of another device without naming it.
  private static let silent = "undid without naming it"
  /// The description begins with this if the date of a new event does not agree with the clock.
  private static let misdated = "has a wrong date"

  /// The invariant that an action has violated, according to its description.
  static func fault(in words: String) -> Invariant? {
    let faults = [wrong: Invariant.shown, silent: .undone, misdated: .dated]
    return faults.first { words.hasPrefix($0.key) }?.value
  }

  /// The title that is shown after the title was edited, if it differs from the one that was written.
  private static func otherTitle(shown performed: Performed, for request: Request) -> String? {
    guard case .edit(let id, let assignments, _) = request, let first = assignments.first,
      first.field == Field.Todo.title, case .value(let wanted) = first.content,
      let document = performed.changes.first(where: { $0.document.id == id })?.document
    else { return nil }
    let shown = document.value(Field.Todo.title)
    return shown == wanted ? nil : "\(shown)"
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
    var lists: [UniqueID]
    var todos: [UniqueID]
    var questions: [UniqueID]
    var dead: [UniqueID]
  }

  private func request(_ book: Book) throws(DaybookError) -> Request? {
    let model = try book.view()
    do throws(ReadModelError) {
      return draw(
        Records(
          lists: try model.lists.lists().map(\.head.id),
          todos: try model.todos.todos().map(\.head.id),
          questions: try model.questions.questions().map(\.head.id),
          dead: try model.titleSearch.deletedDocuments().map(\.id)))
    } catch {
      throw .view(error)
    }
  }

  private func draw(_ records: Records) -> Request? {
    switch dice.below(100) {
    case ..<12: return dice.pick(records.todos).map { .setDone([$0], dice.chance(60)) }
    case ..<15: return dice.pick(records.todos).map { .cancel([$0]) }
    case ..<36: return dice.pick(records.todos).map { edit($0, records.lists) }
    case ..<44: return dice.pick(records.todos + records.lists).map { .delete([$0]) }
    case ..<50: return dice.pick(records.dead).map { .restore([$0]) }
    case ..<54:
      guard let one = dice.pick(records.todos), let other = dice.pick(records.todos), one != other
      else { return nil }
      return .merge(one, other)
    case ..<60: return .addList(name: "list \(number)", colour: nil)
    case ..<64:
      return dice.pick(records.lists).map {
        .edit($0, [.init(Field.List.name, .value(.text("list \(dice.below(4))")))])
      }
    case ..<68: return .addQuestion(content: "what \(number)?", choices: [("a", 1), ("b", 2)])
    case ..<73: return dice.pick(records.questions).map { .pick($0) }
    case ..<76:
      return dice.pick(records.questions).map { .addChoice(question: $0, name: "c", weight: 3) }
    default:
      let list = dice.chance(60) ? dice.pick(records.lists) : nil
      return .addTodo(
        title: "to-do \(number)", list: list.map { .existing($0) } ?? .none,
        priority: Int64(dice.below(3)), due: nil)
    }
  }

  /// Two of these are one tag.
  private static let tags = ["a", "b", "c", "é", "É"]

  private func changedTag() -> Request.Assignment {
    let tag = Self.tags[dice.below(Self.tags.count)]
    return dice.chance(60) ? .tag(tag) : .untag(tag)
  }

  /// A due date with or without a time, and a start that may lie before or behind it.
  private func changedDays() -> [Request.Assignment] {
    let days = [6, 7].compactMap { CivilDate(epochDay: 20_000 + $0 + dice.below(5)) }.map(
      Value.date)
    guard days.count == 2 else { return [] }
    let time = dice.chance(50) ? Value.integer(Int64(dice.below(1440))) : .null
    return [
      .init(Field.Todo.due, .value(days[0])), .init(Field.Todo.dueTime, .value(time)),
      .init(Field.Todo.start, .value(dice.chance(50) ? days[1] : .null)),
    ]
  }

  private func edit(_ id: UniqueID, _ lists: [UniqueID]) -> Request {
    switch dice.below(6) {
    case 0: .edit(id, [.init(Field.Todo.title, .value(.text("title \(dice.below(5))")))])
    case 1: .edit(id, [.init(Field.Todo.priority, .value(.integer(Int64(dice.below(3)))))])
    case 2: .edit(id, [changedTag()])
    case 3: .edit(id, [.init(.tags, .value(.texts(Self.tags.filter { _ in dice.chance(40) })))])
    case 4: .edit(id, changedDays())
    default:
      .edit(
        id, [.init(Field.Todo.list, dice.pick(lists).map { .record($0) } ?? .value(.null))])
    }
  }
}
