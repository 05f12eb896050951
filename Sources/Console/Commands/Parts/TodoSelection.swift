import Bytes
import Daybook
import Domain
import ReadModel

/// The to-dos that the options of a command select.
struct TodoSelection {
  /// The to-dos that the command can change.
  enum Scope {
    /// The to-dos that `list todos` shows with the same options, without past dates of repeating to-dos.
    case listed
    case open
    /// The to-dos that are open and repeat.
    case repeating
    case done
    case deleted
  }

  private let filter: TodoFilter
  /// The list, by its id, because keys can change when the records are read again.
  private let list: UniqueID?
  private let among: Scope

  init(_ wish: TodoWish, _ among: Scope, in context: CommandContext) throws {
    let unfit: String? =
      switch among {
      case .listed, .deleted: nil
      case .open, .repeating: wish.isDone ? "--done" : nil
      case .done: wish.isOpen ? "--open" : wish.isOverdue ? "--overdue" : nil
      }
    if let unfit {
      throw UsageFault.contradiction(context.invocation.command?.path ?? "", unfit)
    }
    var filter = try TodoQuery(context: context).filter(wish)
    switch among {
    case .listed: break
    case .open, .repeating: (filter.includesOpen, filter.includesClosed) = (true, false)
    case .done:
      (filter.includesOpen, filter.includesClosed) = (false, true)
      filter.hidden = .included
    case .deleted:
      filter.hidden = .included
      filter.includesOpen = !wish.isDone
      filter.includesClosed = !wish.isOpen && !wish.isOverdue
    }
    self.among = among
    if wish.list == TodoQuery.noList {
      filter.place = .withoutList
      list = nil
    } else {
      list = try wish.list.map { try context.find($0, kind: .list).id }
    }
    self.filter = filter
  }

  /// Returns the selected to-dos, in the usual order of `list todos`.
  func rows(in model: ReadModel) throws(ReadModelError) -> [TodoRow] {
    var filter = filter
    if let list {
      guard let key = try model.documents.document(id: list)?.key else { return [] }
      filter.place = .list(key)
    }
    switch among {
    case .deleted: return try model.deletedTodos.todos(filter)
    case .listed: return try model.todos.todos(filter).filter { $0.series == nil }
    case .repeating: return try model.todos.todos(filter).filter { $0.slot != nil }
    case .open, .done: return try model.todos.todos(filter)
    }
  }
}
