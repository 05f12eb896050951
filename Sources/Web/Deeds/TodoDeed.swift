import Bytes
import Daybook
import Domain
import Phrasing

/// Closes and reopens to-dos, and deletes records.
struct TodoDeed {
  let site: PageSite
  private var book: Book { site.book }

  func setDone(_ wish: Wish) throws -> Done {
    let (id, isDone) = (try wish.id(), wish.flag("done"))
    let document = try book.present(id)
    let performed = try book.commands.perform(.setDone([id], isDone))
    if performed.isNothing { return Done(said: "Nothing to change.", id: id) }
    guard isDone else {
      let others = Set(performed.changes.dropFirst().map(\.named.key))
        .subtracting([performed.changes[0].named.key])
      return Done(said: try reopened(performed.changes[0], with: others.count), id: id)
    }
    return Done(said: said("Completed", document, performed), id: id)
  }

  func skip(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    return try close(id, .skip([id]), "Skipped")
  }

  func cancel(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    return try close(id, .cancel([id]), "Cancelled", endingRepeats: true)
  }

  private func close(
    _ id: UniqueID, _ request: Request, _ verb: String, endingRepeats: Bool = false
  ) throws -> Done {
    let document = try book.present(id)
    let performed = try book.commands.perform(request)
    if performed.isNothing { return Done(said: "Nothing to change.", id: id) }
    return Done(said: said(verb, document, performed, endingRepeats: endingRepeats), id: id)
  }

  func delete(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try book.present(id)
    let children = try children(of: document)
    let performed = try book.commands.perform(.delete([id]))
    guard document.kind != .todo else {
      return Done(said: said("Deleted", document, performed, endingRepeats: true), id: id)
    }
    return Done(said: "Deleted \(document.title.asTitle)\(children).", id: id)
  }

  // MARK: Words

  /// Returns a sentence about the change to a to-do, with the number of changed sub-tasks.
  ///
  /// `endingRepeats` states whether the change applied to all dates of a repeating to-do.
  private func said(
    _ verb: String, _ document: Document, _ performed: Performed, endingRepeats: Bool = false
  ) -> String {
    // The deed can be about an occurrence, or about a to-do with one changed date.
    func isOwn(_ change: Performed.Change) -> Bool {
      [change.document.key, change.named.key].contains(document.key)
    }
    let own = performed.changes.first(where: isOwn)
    let others = Set(performed.changes.filter { !isOwn($0) }.map(\.named.key))
    let subtasks = counted(others.count, "sub-task", "sub-tasks")
    let repeats = endingRepeats && Series(document) != nil ? " and its repeats" : ""
    let isDate = own?.document.key == document.key
    let name = (isDate ? own?.title ?? "" : document.title).asTitle + repeats
    guard let own else { return "\(verb) \(subtasks) of \(name)." }
    let rest = endingRepeats ? nil : own.occurrence.map(DateReceipt(site: site).rest)
    return "\(verb) \(name)\(others.isEmpty ? "" : " and \(subtasks)")\(rest ?? "")."
  }

  private func reopened(_ change: Performed.Change, with subtasks: Int) throws -> String {
    let still = try DateReceipt(site: site).stillClosed(change)
    let others = subtasks == 0 ? "" : " and \(counted(subtasks, "sub-task", "sub-tasks"))"
    return "Opened \(change.title.asTitle)\(others) again.\(still ?? "")"
  }

  /// Returns the text about records that are deleted together with a record, to append to the record's title.
  private func children(of document: Document) throws -> String {
    let words = try Children(of: document.key, document.kind, in: try book.view()).words
    return words.isEmpty ? "" : ", and with it \(words)"
  }
}
