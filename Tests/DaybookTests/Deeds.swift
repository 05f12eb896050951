import Bytes
import Daybook
import Domain
import ReadModel
import TestDice

/// Random commands on lists and to-dos, as in daily use.
struct Deeds {
  var dice: Dice
  private var count = 0

  init(seed: UInt64) { dice = Dice(seed: seed) }

  /// Runs one command, and ignores a refusal.
  mutating func perform(on book: Book) throws {
    count += 1
    do throws(DaybookError) {
      // Undo and redo are rare here, because they fold all events.
      if dice.number(100) == 0 {
        _ = try book.undoEngine.undo(pastDevices: true)
      } else if dice.number(200) == 0 {
        _ = try book.undoEngine.redo()
      } else {
        _ = try book.commands.perform(try request(book))
      }
    } catch .refused, .nothingToUndo, .nothingInThisLog, .nothingToRedo, .editedSince,
      .erasureInTheWay
    {
      return
    } catch {
      throw error
    }
  }

  private mutating func request(_ book: Book) throws(DaybookError) -> Request {
    let model = try book.view()
    let (lists, todos, dead): ([UniqueID], [UniqueID], [UniqueID])
    do throws(ReadModelError) {
      lists = try model.lists.lists().map(\.head.id)
      todos = try model.todos.todos().map(\.head.id)
      dead = try model.titleSearch.deletedDocuments().map(\.id)
    } catch {
      throw .view(error)
    }
    return draw(lists, todos, dead)
  }

  private mutating func draw(
    _ lists: [UniqueID], _ todos: [UniqueID], _ dead: [UniqueID]
  ) -> Request {
    switch dice.number(100) {
    case ..<15: if let id = dice.pick(todos) { return .setDone([id], dice.chance(60)) }
    case ..<40: if let id = dice.pick(todos) { return edit(id, lists) }
    case ..<50: if let id = dice.pick(todos) { return .delete([id]) }
    case ..<55: if let id = dice.pick(dead) { return .restore([id]) }
    case ..<58: return .addList(name: "List \(count % 5)", colour: nil)
    case ..<61:
      if let id = dice.pick(lists) {
        return .edit(id, [.init(Field.List.name, .value(.text("List \(count % 7)")))])
      }
    case ..<63: if let id = dice.pick(lists) { return .delete([id]) }
    case ..<65: return .addBirthday(firstName: "Ada \(count)", lastName: nil, birthdate: nil)
    default: break
    }
    let list = dice.chance(80) ? dice.pick(lists) : nil
    return .addTodo(
      title: "to-do \(count % 90)", list: list.map { .existing($0) } ?? .none,
      priority: Int64(dice.number(3)), due: nil)
  }

  private mutating func edit(_ id: UniqueID, _ lists: [UniqueID]) -> Request {
    switch dice.number(3) {
    case 0: .edit(id, [.init(Field.Todo.title, .value(.text("changed \(count)")))])
    case 1: .edit(id, [.init(Field.Todo.priority, .value(.integer(Int64(dice.number(3)))))])
    default:
      .edit(
        id, [.init(Field.Todo.list, dice.pick(lists).map { .record($0) } ?? .value(.null))])
    }
  }
}
