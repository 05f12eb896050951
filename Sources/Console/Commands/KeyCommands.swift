import Bytes
import Daybook
import Phrasing
import Platform
import Syncing

enum KeyCommands {
  static let all = [keys, rotateKeys]

  private static let keys = CommandSpec(
    "keys", "List the keys of sealed folders, who made them, and which one is in use.",
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
    "keys rotate", "Make a new key for sealed folders; earlier files keep their keys.",
    examples: ["daybook keys rotate", "daybook keys rotate --json"]
  ) { context in
    let book = try context.book()
    let keeper = book.storeKeys
    guard try !keeper.listedKeys().isEmpty else {
      throw ConsoleError.noStoreKey(try keeper.obstacle())
    }
    let made = try keeper.rotate()
    if context.output.isJSON { return context.output.answer(made.json) }
    context.output.say(
      "Made the key \(made.shortID). The next sync with a sealed folder gives it to the other devices, and seals with it."
    )
    context.output.say("Files that are already sealed stay readable with the earlier keys.")
    if !book.hasSealedPeer {
      context.output.note(
        "no sealed folder is remembered, so no other device gets this key. "
          + "'daybook peer add NAME DIR --sealed' shares it through a folder.")
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
