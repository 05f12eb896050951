internal import Bytes

extension Records {
  /// Whether users see a document: it is alive, and so is the parent that it belongs to.
  ///
  /// A to-do whose list was never folded is shown without a list. A choice or a pick is not shown without its
  /// question.
  package func isShown(_ document: Document) -> Bool {
    guard document.isAlive else { return false }
    switch document.kind {
    case .choice, .pick:
      guard let owner = document.value(.owner).reference else { return false }
      return isDocumentAlive(owner)
    case .todo:
      return document.value(Field.Todo.list).reference.map(isDocumentAlive) ?? true
    default: return true
    }
  }

  private func isDocumentAlive(_ key: EventKey) -> Bool {
    joined.entities[key].flatMap { joined.home(of: $0) }?.isAlive ?? false
  }
}
