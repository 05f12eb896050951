import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// What was done for a page, in words.
struct Done {
  var said: String
  /// The record it was done to.
  var id: UniqueID?
  /// What only some commands tell.
  var more: [JSON.Member] = []
  /// Whether it can be undone by name; an undo is undone by the next.
  var isUndoable = true
}

extension PageSite {
  /// Does what a page asks for, once.
  func perform(_ wish: Wish) throws -> JSON {
    if let known = wishes[wish.request] { return known }
    try refresh(saying: true)
    let before = present.entries.count
    let done = try carryOut(wish)
    try refresh(saying: false)
    let name = present.entries.count > before && done.isUndoable ? try lastOwnEntry() : nil
    let answer = JSON.object(
      [
        JSON.Member("said", .string(done.said)), JSON.Member("undo", .words(name)),
        JSON.Member("revision", .string(revisionName)), JSON.Member("id", .words(done.id?.uuid)),
      ] + done.more)
    wishes.remember(answer, to: wish.request)
    return answer
  }

  /// The name of the last command of this device.
  private func lastOwnEntry() throws -> String? {
    let own = Set(try book.devices().filter(\.isThis).map(\.replica))
    for number in stride(from: present.entries.count, to: 0, by: -1) {
      guard let entry = present.entries.entry(number) else { break }
      if own.contains(entry.replica) { return "\(entry.replica.hex):\(entry.first)" }
    }
    return nil
  }

  private func carryOut(_ wish: Wish) throws -> Done {
    switch wish.command {
    case "add": try add(wish)
    case "edit": try edit(wish)
    case "done": try setDone(wish)
    case "delete": try delete(wish)
    case "restore": try restore(wish)
    case "move": try move(wish)
    case "settle": try settle(wish)
    case "pick": try pick(wish)
    case "undo": try undo(wish)
    case "redo": try redo()
    default: throw PageFault.badMember("command")
    }
  }

  // MARK: Changes

  private func edit(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try document(id)
    let assignments = try wish.fields().map { name, words in
      guard let field = Schema.schema(of: document.kind)?.field(named: name),
        field.inputName != nil
      else { throw PageFault.badMember(name) }
      return Request.Assignment(field.field, try content(words, for: field))
    }
    let performed = try book.perform(.edit(id, assignments))
    if performed.isNothing { return Done(said: "It is like that already.", id: id) }
    return Done(said: "Changed \(title(performed, document)).", id: id)
  }

  /// What words mean for a field.
  func content(_ words: String, for field: FieldSchema) throws -> Request.Assignment.Content {
    // A list is chosen by its id, which no title can be mistaken for.
    if case .reference = field.type, let id = UniqueID(uuid: words) { return .record(id) }
    do {
      return try FieldReader(book.machine.timekeeper).content([words], for: field, in: book)
    } catch WordsFault.badValue(_, let words, let advice) {
      // What the page calls a field is not what an option is called.
      throw WordsFault.badValue("the \(field.phrase)", words, advice)
    }
  }

  private func setDone(_ wish: Wish) throws -> Done {
    let (id, isDone) = (try wish.id(), wish.flag("done"))
    let document = try document(id)
    let performed = try book.perform(.setDone([id], isDone))
    let name = title(performed, document)
    return Done(said: isDone ? "Did \(name)." : "Opened \(name) again.", id: id)
  }

  private func delete(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let document = try document(id)
    let children = try children(of: document)
    _ = try book.perform(.delete([id]))
    return Done(said: "Deleted \(quoted(document.title))\(children).", id: id)
  }

  /// What goes with a record that is deleted, to stand behind its title.
  private func children(of document: Document) throws -> String {
    let words = try Children(of: document.key, document.kind, in: try book.view()).words
    return words.isEmpty ? "" : ", and with it \(words)"
  }

  private func restore(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let performed = try book.perform(.restore([id]))
    return Done(
      said: "Restored \(performed.changes.first.map { quoted($0.document.title) } ?? "it").",
      id: id)
  }

  private func move(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let step = try wish.number("by")
    let leaf = try leaf(at: nil)
    let key = try document(id).key
    let order = try leaf.neighbours(of: key)
    guard let place = order.firstIndex(where: { $0.head.key == key }),
      order.indices.contains(place + Int(clamping: step.signum()))
    else { return Done(said: "It is there already.", id: id) }
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
    _ = try book.perform(.editEach(edits))
    return Done(said: "Moved \(quoted(order[place].title ?? "")).", id: id)
  }

  private func pick(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let question = try document(id)
    let performed = try book.perform(.pick(id))
    // So that the entry has its number.
    try refresh(saying: false)
    let leaf = try leaf(at: nil)
    let answer = try leaf.questionView(id).more["question"]?["answer"] ?? .null
    let title = answer["title"]?.string ?? "something unknown"
    return Done(
      said: "The answer to \(question.title.visible) is \(title).",
      id: performed.changes.first?.document.id, more: [JSON.Member("answer", answer)])
  }

  // MARK: Taking back

  private func undo(_ wish: Wish) throws -> Done {
    let care = UndoCare.refusing
    let undone: [Undone]
    if let name = wish.textOrNil("step") {
      undone = [try book.undo(.command(name), care: care)]
    } else {
      undone = try book.undo(care: care)
    }
    var done = told("Undid", undone)
    done.more.append(JSON.Member("undid", true))
    return done
  }

  private func redo() throws -> Done { told("Did again", try book.redo(care: .refusing)) }

  private func told(_ verb: String, _ undone: [Undone]) -> Done {
    let changes = undone.flatMap(\.changes)
    guard let first = changes.first else {
      return Done(said: "That looks the same already; nothing was written.")
    }
    let more = changes.count > 1 ? " and \(changes.count - 1) more" : ""
    return Done(
      said: "\(verb): \(quoted(first.document.title))\(more).", id: first.document.id)
  }

  // MARK: Names

  /// The record of an id, as it is now.
  func document(_ id: UniqueID) throws -> Document {
    guard let document = try book.document(withID: id) else {
      throw DaybookError.unknown(id.uuid, kind: nil)
    }
    return document
  }

  /// What a record is called after a change.
  private func title(_ performed: Performed, _ before: Document) -> String {
    quoted(performed.changes.first?.document.title ?? before.title)
  }

  func quoted(_ title: String) -> String { title.isEmpty ? "it" : "“\(title.visible)”" }
}
