import Daybook
import Domain
import Phrasing
import Platform

/// Lists the records that revoked devices deleted, and how to restore them.
struct RevokedDeletionPresenter {
  let context: CommandContext

  /// The maximum number of deleted records to list.
  private static let most = 10

  func tell(_ deleted: [RevokedDeletion], by devices: [Device]) throws {
    guard !deleted.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    let named = deleted.prefix(Self.most)
    let ids = try snapshot.shortIDs(named.map(\.document.id))
    let whose = devices.count == 1 ? "it" : "they"
    context.output.say("\(deleted.count.counted("record")) that \(whose) deleted:")
    for deletion in named {
      let document = deletion.document
      let time = context.machine.timekeeper.localText(of: deletion.time)
      context.output.say("  \(document.kind.name) \(document.datedTitle.visible), on \(time)")
    }
    if deleted.count > named.count {
      context.output.say(
        "  and \(deleted.count - named.count) more: daybook log --by \(devices[0].fingerprint.prefix(2).joined(separator: "-"))"
      )
    }
    let words = named.map(\.document.id).map { ids[$0] ?? $0.uuid }.joined(separator: " ")
    let what =
      deleted.count == 1 ? "it" : deleted.count > named.count ? "the listed records" : "them"
    context.output.say("To bring \(what) back, run: daybook restore \(words)")
  }
}
