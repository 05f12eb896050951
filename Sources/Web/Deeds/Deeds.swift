import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// The result of a wish.
struct Done {
  var said: String
  /// The record that the wish was about.
  var id: UniqueID?
  /// The members of the answer that only this command has.
  var more: [JSON.Member] = []
  /// Whether an undo of the last entry reverts everything that was done.
  var isUndoable = true
}

/// Carries out wishes, each exactly once.
struct DeedPerformer {
  let site: PageSite
  private var book: Book { site.book }

  /// Carries out a wish, or returns the answer to it if it was carried out before.
  func perform(_ wish: Wish) throws -> JSON {
    if let known = site.wishes[wish.request] { return known }
    try site.refresh(saying: true)
    let before = site.present.entries.count
    let done = try carryOut(wish)
    try site.refresh(saying: false)
    let name = site.present.entries.count > before && done.isUndoable ? try lastOwnEntry() : nil
    let answer = JSON.object(
      [
        JSON.Member("said", .string(done.said)), JSON.Member("undo", .words(name)),
        JSON.Member("revision", .string(site.revisionName)),
        JSON.Member("id", .words(done.id?.uuid)),
      ] + done.more)
    site.wishes.remember(answer, to: wish.request)
    return answer
  }

  /// Returns the name of the latest entry of this device, for an undo.
  private func lastOwnEntry() throws -> String? {
    let own = Set(try book.deviceList.devices().filter(\.isThis).map(\.replica))
    for number in stride(from: site.present.entries.count, to: 0, by: -1) {
      guard let entry = site.present.entries.entry(number) else { break }
      if own.contains(entry.replica) { return "\(entry.replica.hex):\(entry.first)" }
    }
    return nil
  }

  private func carryOut(_ wish: Wish) throws -> Done {
    switch wish.command {
    case "add": try AddDeed(site: site).add(wish)
    case "edit": try edit(wish)
    case "done": try setDone(wish)
    case "cancel": try cancel(wish)
    case "delete": try delete(wish)
    case "restore": try restore(wish)
    case "move": try move(wish)
    case "settle": try SettleDeed(site: site).settle(wish)
    case "pick": try pick(wish)
    case "undo": try undo(wish)
    case "redo": try redo()
    default: throw PageFault.badMember("command")
    }
  }

  // MARK: Changes

  private func edit(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try book.present(id)
    let assignments = try wish.fields().flatMap { name, words in
      guard let field = Schema.schema(of: document.kind)?.field(named: name),
        field.inputName != nil
      else { throw PageFault.badMember(name) }
      return try PageField(field).assignments(words, in: book)
    }
    let performed = try book.commands.perform(.edit(id, assignments))
    if performed.isNothing { return Done(said: "Nothing to change.", id: id) }
    return Done(said: "Changed \(title(performed, document)).", id: id)
  }

  private func setDone(_ wish: Wish) throws -> Done {
    let (id, isDone) = (try wish.id(), wish.flag("done"))
    let document = try book.present(id)
    let performed = try book.commands.perform(.setDone([id], isDone))
    guard isDone else { return Done(said: "Opened \(title(performed, document)) again.", id: id) }
    return Done(said: said("Completed", document, performed), id: id)
  }

  private func cancel(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try book.present(id)
    let performed = try book.commands.perform(.cancel([id]))
    if performed.isNothing { return Done(said: "Nothing to change.", id: id) }
    return Done(said: said("Cancelled", document, performed), id: id)
  }

  private func delete(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try book.present(id)
    let children = try children(of: document)
    let performed = try book.commands.perform(.delete([id]))
    guard document.kind != .todo else {
      return Done(said: said("Deleted", document, performed), id: id)
    }
    return Done(said: "Deleted \(document.title.asTitle)\(children).", id: id)
  }

  /// Returns what happened to a to-do, and to how many of its sub-tasks.
  private func said(_ verb: String, _ document: Document, _ performed: Performed) -> String {
    let changed = Set(performed.changes.map(\.document.key))
    let count = changed.subtracting([document.key]).count
    let subtasks = counted(count, "sub-task", "sub-tasks")
    let name = document.title.asTitle
    if count == 0 { return "\(verb) \(name)." }
    guard changed.contains(document.key) else { return "\(verb) \(subtasks) of \(name)." }
    return "\(verb) \(name) and \(subtasks)."
  }

  /// Returns the text about records that are deleted with a record, to append to its title.
  private func children(of document: Document) throws -> String {
    let words = try Children(of: document.key, document.kind, in: try book.view()).words
    return words.isEmpty ? "" : ", and with it \(words)"
  }

  private func restore(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let performed = try book.commands.perform(.restore([id]))
    return Done(
      said: "Restored \(performed.changes.first.map { ($0.document.title).asTitle } ?? "it").",
      id: id)
  }

  private func move(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let step = try wish.number("by")
    let page = try site.page(at: nil)
    let key = try book.present(id).key
    let order = try ItemView(page: page).neighbours(of: key)
    guard let place = order.firstIndex(where: { $0.head.key == key }),
      order.indices.contains(place + Int(clamping: step.signum()))
    else { return Done(said: "It cannot be moved further.", id: id) }
    let positions = Arrangement(order.map(Arrangement.Row.init))
      .moving([Arrangement.Row(order[place])], to: place + Int(step.signum()))
    let edits = positions.map { other, position in
      (
        id: other,
        assignments: [
          Request.Assignment(Field.Todo.position, .value(.integer(position)))
        ]
      )
    }
    _ = try book.commands.perform(.editEach(edits))
    return Done(said: "Moved \((order[place].title ?? "").asTitle).", id: id)
  }

  private func pick(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let question = try book.present(id)
    let performed = try book.commands.perform(.pick(id))
    // The answer contains the number of the new entry.
    try site.refresh(saying: false)
    let page = try site.page(at: nil)
    let answer = try QuestionViews(page: page).one(id).more["question"]?["answer"] ?? .null
    let title = answer["title"]?.string ?? "something unknown"
    return Done(
      said: "The answer to \(question.title.visible) is \(title).",
      id: performed.changes.first?.document.id, more: [JSON.Member("answer", answer)])
  }

  // MARK: Undo

  private func undo(_ wish: Wish) throws -> Done {
    let care = UndoCare.refusing
    let undone: [Undone]
    if let name = wish.textOrNil("step") {
      undone = [try book.undoEngine.undo(.command(name), care: care)]
    } else {
      undone = try book.undoEngine.undo(care: care)
    }
    var done = told("Undid", undone)
    done.more.append(JSON.Member("undid", true))
    return done
  }

  private func redo() throws -> Done {
    told("Redid", try book.undoEngine.redo(care: .refusing))
  }

  private func told(_ verb: String, _ undone: [Undone]) -> Done {
    let changes = undone.flatMap(\.changes)
    guard let first = changes.first else {
      return Done(said: "The records already look that way, so nothing was changed.")
    }
    let more = changes.count > 1 ? " and \(changes.count - 1) more" : ""
    return Done(
      said: "\(verb): \((first.document.title).asTitle)\(more).", id: first.document.id)
  }

  /// Returns the title of a record after a change.
  private func title(_ performed: Performed, _ before: Document) -> String {
    (performed.changes.first?.document.title ?? before.title).asTitle
  }
}
