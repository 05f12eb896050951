package import Bytes

/// The priority of a to-do.
package enum Priority: Int64, Comparable, Sendable {
  case low = 0
  case normal = 1
  case high = 2

  package static func < (left: Priority, right: Priority) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A to-do as a document shows it.
package struct Todo: Sendable {
  package let key: EventKey
  package let id: UniqueID
  package let title: String
  package let list: EventKey?
  package let isDone: Bool
  package let completedAt: Int64?
  package let priority: Priority
  package let createdAt: Int64?
  package let due: CivilDate?
  package let position: Int64?

  /// Reads a to-do from a document; nil if the document is of a different kind.
  package init?(_ document: Document) {
    guard document.kind == .todo else { return nil }
    key = document.key
    id = document.id
    title = document.text(Field.Todo.title) ?? ""
    list = document.value(Field.Todo.list).reference
    isDone = document.value(Field.Todo.done).boolean ?? false
    completedAt = document.integer(Field.Todo.completedAt)
    priority = document.integer(Field.Todo.priority).flatMap(Priority.init) ?? .normal
    createdAt = document.integer(Field.Todo.createdAt)
    due = document.value(Field.Todo.due).date
    position = document.integer(Field.Todo.position)
  }
}
