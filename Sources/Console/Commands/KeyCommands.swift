import Bytes
import Daybook
import Phrasing
import Platform
import Syncing

enum KeyCommands {
  static let all = [keys, rotateKeys]

  private static let keys = CommandSpec(
    "keys", "List the keys of sealed folders, and show who made them and which one is in use.",
    reading: .present,
    examples: ["daybook keys", "daybook keys --json"]
  ) { context in
    let keeper = try context.book().storeKeys
    let keys = try keeper.listedKeys()
    if context.output.isJSON { return context.output.answer(.array(keys.map(\.json))) }
    context.output.answer(rows: keys.map { $0.row(context.machine.timekeeper) })
    guard !keys.contains(where: { $0.state == .used }) else { return }
    let obstacle = try keeper.obstacle()
    context.output.note(
      keys.isEmpty ? ConsoleError.noStoreKey(obstacle).told.text : obstacle.textOfUnusedKeys)
  }

  private static let rotateKeys = CommandSpec(
    "keys rotate",
    "Make a new key for sealed folders. Files that are already sealed keep their keys.",
    flag(
      "reseal",
      "Also seal the files in all sealed folders again, and forget earlier keys that are no longer needed."
    ),
    examples: [
      "daybook keys rotate", "daybook keys rotate --json", "daybook keys rotate --reseal",
    ]
  ) { context, reseals in
    let book = try context.book()
    let keeper = book.storeKeys
    guard try !keeper.listedKeys().isEmpty else {
      throw ConsoleError.noStoreKey(try keeper.obstacle())
    }
    if reseals { return try ResealStores(context: context).run() }
    let made = try keeper.rotate()
    if context.output.isJSON { return context.output.answer(made.json) }
    context.output.say(
      "Made the key \(made.shortID). The next sync with a sealed folder shares it with the other devices, "
        + "and seals new files with it."
    )
    context.output.say("Files that are already sealed stay readable with the earlier keys.")
    if !book.hasSealedPeer {
      context.output.note(
        "no sealed folder is remembered, so no other device receives this key. "
          + "To share it through a folder, run 'daybook peer add NAME DIR --sealed'.")
    }
  }
}

extension Book {
  /// Whether a sealed store of this book is remembered as a peer.
  fileprivate var hasSealedPeer: Bool {
    // A damaged list of peers is reported when it is needed.
    let addresses = (try? contactBook.contacts())?.compactMap(\.address) ?? []
    return addresses.contains { address in
      if case .store(let store) = address { store.book == id } else { false }
    }
  }
}

/// Seals the files of all sealed folders again.
private struct ResealStores {
  let context: CommandContext
  private var output: Output { context.output }

  func run() throws {
    let outcome = try StoreResealer(context.book().replicator).run()
    for visit in outcome.stores { context.exit = max(context.exit, exit(of: visit)) }
    if output.isJSON { return output.answer(json(outcome)) }
    output.say("Made the key \(outcome.made.shortID).")
    for visit in outcome.stores { tell(visit) }
    guard let forgotten = outcome.forgotten else {
      return output.note(
        outcome.stores.isEmpty
          ? "no sealed folder is remembered, so no key was forgotten."
          : "no key was forgotten, because not all sealed folders could be checked.")
    }
    output.say("Forgot \(forgotten.counted("key")).")
  }

  private func exit(of visit: StoreResealer.Visit) -> ExitCode {
    switch visit.result {
    case .failure(let error): error.told.exit
    case .success(let report): report.problems.map(\.exit).max() ?? .done
    }
  }

  private func tell(_ visit: StoreResealer.Visit) {
    let name = visit.name.visible
    switch visit.result {
    case .failure(let error): output.note("\(name): \(error.told.text)")
    case .success(let report):
      output.say("Sealed \(report.resealed.counted("file")) in \(name) again.")
      ProblemPresenter(context: context).tell(report.problems)
      if report.left > 0 {
        output.note("\(report.left.counted("file")) in \(name) could not be sealed again.")
      }
    }
  }

  private func json(_ outcome: StoreResealer.Outcome) -> JSON {
    let stores = outcome.stores.map { visit -> JSON in
      let name = JSON.Member("peer", .string(visit.name))
      switch visit.result {
      case .failure(let error):
        let told = error.told
        let fault = JSON.object(("code", .string(told.code)), ("message", .string(told.text)))
        return .object([name, JSON.Member("error", fault)])
      case .success(let report):
        return .object([
          name, JSON.Member("resealed", .integer(Int64(report.resealed))),
          JSON.Member("left", .integer(Int64(report.left))),
          JSON.Member("problems", .array(report.problems.map { .string($0.text) })),
        ])
      }
    }
    return .object(
      ("made", outcome.made.json), ("stores", .array(stores)),
      ("forgotten", outcome.forgotten.map { .integer(Int64($0)) } ?? .null))
  }
}

extension ListedStoreKey {
  fileprivate func row(_ timekeeper: any Timekeeper) -> [Cell] {
    [shortID, "made \(timekeeper.localText(of: made)) by \(makerText)", state.text].map {
      Cell($0)
    }
  }

  fileprivate var json: JSON {
    .object(
      ("id", .string(id.hex)), ("made", .string(Instant.text(made))), ("maker", .words(makerName)),
      ("makerFingerprint", .string(makerWords.joined(separator: "-"))),
      ("state", .string(state.name)), ("reason", .words(state.reason)))
  }
}
