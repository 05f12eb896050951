import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Carries out wishes, each exactly once.
struct DeedPerformer {
  let site: PageSite
  private var book: Book { site.book }

  /// Carries out a wish.
  ///
  /// If the wish has already been carried out, returns the answer to it.
  func perform(_ wish: Wish) throws -> JSON {
    if let known = site.wishes[wish.request] { return known }
    try site.refresh(saying: true)
    let before = site.present.entries.count
    let done: Done
    do { done = try carryOut(wish) } catch DaybookError.refused(let refusal) {
      // Some refusals name options of the command line, which the page does not have.
      guard let words = refusal.pageWords else { throw DaybookError.refused(refusal) }
      throw WordsFault.said(words)
    }
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

  /// Returns the name of this device's latest entry, which an undo would revert.
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
    case "edit": try EditDeed(site: site).edit(wish)
    case "done": try TodoDeed(site: site).setDone(wish)
    case "skip": try TodoDeed(site: site).skip(wish)
    case "cancel": try TodoDeed(site: site).cancel(wish)
    case "delete": try TodoDeed(site: site).delete(wish)
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

  private func restore(_ wish: Wish) throws -> Done {
    let id = try wish.id()
    let performed = try book.commands.perform(.restore([id]))
    let others = performed.changes.count { $0.document.id != id }
    let subtasks = others == 0 ? "" : " and \(counted(others, "sub-task", "sub-tasks"))"
    return Done(
      said:
        "Restored \(performed.changes.first.map { ($0.document.title).asTitle } ?? "it")\(subtasks).",
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
    var done = try told("Undid", undone)
    done.more.append(JSON.Member("undid", true))
    return done
  }

  private func redo() throws -> Done {
    try told("Redid", book.undoEngine.redo(care: .refusing))
  }

  private func told(_ verb: String, _ undone: [Undone]) throws -> Done {
    let changes = undone.flatMap(\.changes)
    guard let first = changes.first else {
      return Done(said: "Nothing was changed, because the records would look the same afterwards.")
    }
    let others = Set(changes.map(\.named.key)).count - 1
    let more = others > 0 ? " and \(others) more" : ""
    let still = try DateReceipt(site: site).stillClosed(first) ?? ""
    return Done(
      said: "\(verb): \(first.title.asTitle)\(more).\(still)", id: first.document.id)
  }
}
