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
  /// Whether the to-do was cancelled and is not done; if one device completed it and another cancelled it, the
  /// completion counts.
  package let isCancelled: Bool
  package let start: CivilDate?
  /// The minute of the day at which the to-do is due; nil without a due date.
  package let dueTime: Int64?
  package let zone: String?
  package let remind: [String]
  package let parent: EventKey?

  /// Whether the to-do is done or cancelled.
  package var isClosed: Bool { isDone || isCancelled }

  /// Whether a to-do is hidden on the given day, because its start is later, and the day, month or year in which it is
  /// due, if any, has not begun.
  package static func isHidden(start: CivilDate?, due: CivilDate?, on day: CivilDate) -> Bool {
    guard let start, start > day else { return false }
    return due.map { $0 > day } ?? true
  }

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
    isCancelled = document.isCancelled
    start = document.value(Field.Todo.start).date
    dueTime = due == nil ? nil : document.integer(Field.Todo.dueTime)
    zone = document.text(Field.Todo.zone)
    remind = document.texts(Field.Todo.remind)
    parent = document.value(Field.Todo.parent).reference
  }
}
