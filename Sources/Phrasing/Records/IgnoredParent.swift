package import Domain
package import ReadModel

/// The parent that was written for a to-do but is ignored, because the to-do would be below itself; see
/// ``TodoParents``.
package struct IgnoredParent {
  package let key: EventKey
  /// Whether the parent is the to-do itself, for example after a to-do was merged with its sub-task.
  package let isItself: Bool

  /// Finds the ignored parent of a to-do; nil if its parent is not ignored or if it has none.
  package init?(of document: Document, in model: ReadModel) throws(ReadModelError) {
    guard document.kind == .todo, document.isAlive, !document.isOccurrence,
      let parent = document.value(Field.Todo.parent).reference
    else { return nil }
    key = parent
    isItself = document.members.contains(parent)
    if isItself { return }
    // A deleted parent is not among the ancestors. Such a parent has no sub-tasks, but is not ignored.
    let subtasks = model.subtasks
    guard try subtasks.parents(of: [document.key]).isEmpty,
      try subtasks.ancestors(of: document.key).count > 1
    else { return nil }
  }

  /// The reason why the parent is ignored, as a clause about the parent.
  package var reason: String {
    isItself ? "it is this to-do itself" : "it is below this to-do"
  }
}
