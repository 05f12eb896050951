import Bytes
import Daybook
import Phrasing
import Platform

enum KeyCommands {
  static let all = [keys, rotateKeys]

  private static let keys = CommandSpec(
    "keys", "List the keys of sealed folders, who made them, and which one is in use.",
    reading: .present,
    examples: ["daybook keys", "daybook keys --json"]
  ) { context in
    let keys = try context.book().storeKeys.listedKeys()
    if context.output.isJSON { return context.output.answer(.array(keys.map(\.json))) }
    context.output.answer(rows: keys.map { $0.row(context.machine.timekeeper) })
    if keys.isEmpty {
      context.output.note(ConsoleError.noStoreKey.told.text)
    } else if !keys.contains(where: { $0.state == .used }) {
      context.output.note("no key is in use; the next sync with a sealed folder makes one.")
    }
  }

  private static let rotateKeys = CommandSpec(
    "keys rotate", "Make a new key for sealed folders; earlier files keep their keys.",
    examples: ["daybook keys rotate", "daybook keys rotate --json"]
  ) { context in
    let keeper = try context.book().storeKeys
    guard try !keeper.listedKeys().isEmpty else { throw ConsoleError.noStoreKey }
    let made = try keeper.rotate()
    if context.output.isJSON { return context.output.answer(made.json) }
    context.output.say("Made the key \(made.shortID). The next sync with a sealed folder uses it.")
    context.output.say("Files that were sealed before keep their keys.")
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
