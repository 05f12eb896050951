import Bytes
import Daybook
import Domain
import Phrasing

/// Settles conflicts.
struct SettleDeed {
  let site: PageSite

  /// Settles the conflict that the wish names, or every conflict that can be settled by its latest side.
  func settle(_ wish: Wish) throws -> Done {
    if wish.flag("all") { return try settleAll() }
    let document = try site.book.present(try wish.id())
    let conflicts = try site.book.conflictReader.conflicts(about: document.key)
    let name = wish.textOrNil("field")
    guard let conflict = conflicts.first(where: { $0.schema?.name == name }) else {
      throw PageFault.overtaken("This conflict has been settled in the meantime.")
    }
    try settle(conflict, as: wish)
    return Done(said: "Settled \(document.datedTitle.asTitle).", id: document.id)
  }

  private func settle(_ conflict: Conflict, as wish: Wish) throws {
    let id = conflict.document.id
    if let field = conflict.schema, let words = wish.textOrNil("value") {
      _ = try site.book.commands.perform(
        .settle(id, field.field, .content(try PageField(field).content(words, in: site.book))))
      return
    }
    let take = try wish.text("take")
    guard let side = conflict.sides.first(where: { $0.take == take }) else {
      throw PageFault.overtaken(
        "The versions in this conflict have changed in the meantime. Compare them again.")
    }
    try settle(conflict, by: side)
  }

  private func settle(_ conflict: Conflict, by side: Conflict.Side) throws {
    let id = conflict.document.id
    switch (conflict.subject, side.writers.first) {
    case (.life, _):
      _ = try site.book.commands.perform(.settleLife(id, isKept: side.content == .edited))
    case (.field(let field), let writer?):
      _ = try site.book.commands.perform(.settle(id, field, .written(by: writer)))
    case (.field, nil): throw PageFault.badMember("take")
    }
  }

  private func settleAll() throws -> Done {
    var count = 0
    for conflict in try site.book.conflictReader.conflicts()
    where conflict.schema.map({ !$0.isFixed }) ?? true {
      let newest = conflict.sides.max {
        ($0.writers.first?.time ?? 0) < ($1.writers.first?.time ?? 0)
      }
      guard let newest else { continue }
      try settle(conflict, by: newest)
      count += 1
    }
    // Each conflict is settled by a separate command, but the page can undo only one command.
    return Done(
      said:
        "Settled \(counted(count, "conflict", "conflicts")). The newest \(count == 1 ? "version was" : "versions were") kept.",
      isUndoable: count == 1)
  }
}
