import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum EraseCommands {
  static let all = [erase]

  private static let erase = CommandSpec(
    "erase", "Permanently erase records and their whole history from the book.",
    texts("ID"), flag("yes", "Erase without asking."),
    flag(
      "held",
      "List the held erasures, which await your decision, without erasing anything.",
      onlyShows: true),
    option(
      "accept", "DEVICE",
      "Apply the held erasures by DEVICE on this device too; 'all' stands for all devices."),
    examples: [
      "daybook erase ada", "daybook erase k7 --yes", "daybook erase --held",
      "daybook erase --accept laptop",
    ]
  ) { context, words, isSure, listsHeld, accepted in
    try EraseRecords(context: context).run(words, isSure, listsHeld, accepting: accepted)
  }
}

/// Erases records permanently.
private struct EraseRecords {
  let context: CommandContext
  private var output: Output { context.output }

  /// The copies that an erasure does not reach.
  private static let unreachable = [
    "bundles given to others", "backups and file-system snapshots",
    "other devices and shared folders until they sync",
  ]

  func run(
    _ words: [String], _ isSure: Bool, _ listsHeld: Bool, accepting accepted: String?
  ) throws {
    let chosen = [
      words.isEmpty ? nil : "ID", listsHeld ? "--held" : nil, accepted == nil ? nil : "--accept",
    ].compactMap(\.self)
    guard chosen.count < 2 else {
      throw ConsoleError.usage(.contradiction(chosen[0], chosen[1]))
    }
    if listsHeld { return try HeldErasurePresenter(context: context).listHeld() }
    if let accepted {
      let report = try AcceptErasures(context: context).run(of: accepted, isSure)
      if report == nil, !output.isJSON { return output.say("No erasures are held.") }
      return try tell([report].compactMap(\.self))
    }
    guard !words.isEmpty else {
      throw ConsoleError.usage(.missingOperand("ID", usage: "erase ID …"))
    }
    try erase(words, isSure)
  }

  private func erase(_ words: [String], _ isSure: Bool) throws {
    let book = try context.book()
    var ids: [UniqueID] = []
    var records: [Found] = []
    for word in words {
      do throws(DaybookError) {
        let found = try book.finder.find(word, among: .all)
        // Two of the operands may name the same record.
        guard !ids.contains(found.id) else { continue }
        ids.append(found.id)
        records.append(found)
      } catch .erased(let word) {
        // The earlier erase may have been interrupted, so finish it now.
        guard let id = try book.finder.findErased(word) else { throw DaybookError.erased(word) }
        ids.append(id)
      } catch {
        throw error
      }
    }
    let names = try records.map { try whatGoes(with: $0, in: book) }
    let lists = records.filter { $0.kind == .list }
    let pending = PendingDeletionPresenter(context: context)
    let deletions = try PendingDeletionReader(of: book).deletions(erasing: records.map(\.id))
    let question =
      "Erase \(names.joined(separator: ", ")), including all earlier values? This cannot be undone."
      + (try stayingWords(about: lists, besides: Set(ids), in: book))
      + (try pending.warning(of: deletions))
    if !names.isEmpty, !isSure, !output.confirms(question) {
      guard output.isAnswering else { throw ConsoleError.needsYes(question) }
      throw DaybookError.declined
    }
    let left = try countsStaying(on: lists, besides: Set(ids), in: book)
    let report = try book.eraser.erase(ids)
    try pending.tell(deletions)
    try tell([report])
    // With `isSure`, the user has not been asked, and thus has not yet seen which records the operands name.
    if isSure, !names.isEmpty, report.isCommon {
      output.say("Erased for good: \(names.joined(separator: ", ")).")
    }
    if report.keptDeleted > 0 {
      let (count, isOne) = (report.keptDeleted, report.keptDeleted == 1)
      output.note(
        "\(count.counted("to-do")) \(isOne ? "was deleted with an erased list and stays deleted" : "were deleted with an erased list and stay deleted"). "
          + "'daybook list deleted' shows \(isOne ? "it" : "them"); 'daybook restore ID' brings \(isOne ? "it" : "one") back."
      )
    }
    for list in lists {
      guard let todos = left[list.id], todos > 0 else { continue }
      output.note(
        "\(todos.counted("to-do")) of the list '\(list.title.visible)' \(todos == 1 ? "stays and now belongs" : "stay and now belong") to no list."
      )
    }
  }

  /// Returns the words that a question adds about to-dos that were deleted with the lists; empty if there are none.
  private func stayingWords(
    about lists: [Found], besides erased: Set<UniqueID>, in book: Book
  ) throws -> String {
    let count = try book.finder.todosHidden(withLists: lists.map(\.id)).count {
      !erased.contains($0.id)
    }
    guard count > 0 else { return "" }
    let whole = lists.count == 1 ? "the list" : "the lists"
    return count == 1
      ? " 1 to-do that was deleted with \(whole) stays deleted."
      : " \(count) to-dos that were deleted with \(whole) stay deleted."
  }

  /// For each list, counts the to-dos that remain when the given records are erased.
  private func countsStaying(
    on lists: [Found], besides erased: Set<UniqueID>, in book: Book
  ) throws -> [UniqueID: Int] {
    let model = try book.view()
    var counts: [UniqueID: Int] = [:]
    for list in lists {
      guard let key = try model.documents.document(id: list.id)?.key else { continue }
      counts[list.id] = try model.todos.todos(TodoFilter(place: .list(key))).count {
        !erased.contains($0.head.id)
      }
    }
    return counts
  }

  /// Returns the name of a record, followed by everything that is erased with it.
  private func whatGoes(with found: Found, in book: Book) throws -> String {
    let name = "\(found.kind.name) \(found.shortID) '\(found.title.visible)'"
    let members = try book.finder.document(withID: found.id)?.members.count ?? 1
    let joined = members > 1 ? " (\(members) joined records)" : ""
    // The to-dos of a list are not erased with it.
    let model = try book.view()
    guard found.kind == .question, let key = try model.documents.document(id: found.id)?.key else {
      return name + joined
    }
    let owned = try Children(of: key, .question, in: model)
    guard owned.count > 0 else { return name + joined }
    return "\(name)\(joined) with its \(owned.words)"
  }

  private func tell(_ reports: [EraseReport]) throws(DaybookError) {
    let records = reports.reduce(0) { $0 + $1.records }
    let bodies = reports.reduce(0) { $0 + $1.bodies }
    let removed = reports.flatMap(\.removed)
    let damaged = reports.reduce(0) { $0 + $1.damagedBytes }
    let isCommon = reports.allSatisfy(\.isCommon)
    let failure = reports.lazy.compactMap(\.failure).first
    if output.isJSON {
      output.answer(
        .object(
          ("records", .integer(Int64(records))), ("events", .integer(Int64(bodies))),
          ("removed", .array(removed.map { .string($0.string) })),
          ("damagedBytes", .integer(Int64(damaged))),
          ("isCommon", .boolean(isCommon)),
          ("unreachable", .array(Self.unreachable.map { .string($0) }))))
      if let failure { throw failure }
      return
    }
    // The rest of the message is true only after the bytes have been removed.
    if let failure {
      output.say("Erased \(records.counted("record")).")
      throw failure
    }
    output.say(
      "Erased \(records) \(records == 1 ? "record" : "records"): "
        + "\(bodies) \(bodies == 1 ? "event now has" : "events now have") no content.")
    for path in removed { output.say("Removed \(path.string.visible).") }
    if damaged > 0 {
      output.note(
        "\(UInt64(damaged).counted("damaged byte")) \(damaged == 1 ? "was" : "were") also removed from the logs, "
          + "because \(damaged == 1 ? "it" : "they") may have held erased content. "
          + "If events are missing now, run 'daybook verify --repair PEER' to get them from a peer that has them."
      )
    }
    guard isCommon else {
      return output.note("until this device is admitted, the content is only hidden, not erased.")
    }
    output.say("Copies may remain in: \(Self.unreachable.joined(separator: "; ")).")
  }
}

/// Applies held erasures.
private struct AcceptErasures {
  let context: CommandContext
  private var output: Output { context.output }

  /// Applies the held erasures of one device, or of all devices.
  ///
  /// - Returns: The erased records; nil if nothing was held.
  func run(of words: String, _ isSure: Bool) throws -> EraseReport? {
    let book = try context.book()
    let names = CertainDevice(book: book, timekeeper: context.machine.timekeeper)
    let device = words == "all" ? nil : try names.device(called: words)
    let held = try book.held.heldErasures().filter { erasures in
      device.map { $0.fingerprint == erasures.fingerprint } ?? true
    }
    let pending = PendingDeletionPresenter(context: context)
    let deletions = try PendingDeletionReader(of: book).deletions(
      erasing: try book.held.heldEntities(of: device))
    if !held.isEmpty {
      let names = held.map(\.words).joined(separator: ", ")
      let isOne = held.reduce(0) { $0 + $1.records } == 1
      let warning = try pending.warning(of: deletions)
      try output.require(
        isSure,
        "\(names). Also erase \(isOne ? "it" : "them") on this device? This cannot be undone.\(warning)"
      )
    }
    let report = try book.held.acceptErasures(of: device)
    try pending.tell(deletions)
    return held.isEmpty && report.records == 0 && report.bodies == 0 ? nil : report
  }
}
