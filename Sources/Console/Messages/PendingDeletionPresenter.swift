import Daybook
import Domain
import Phrasing

/// Reports deletions that take effect with an erasure or a revocation, because nothing keeps the records any longer.
struct PendingDeletionPresenter {
  let context: CommandContext

  /// The maximum number of records to name.
  private static let most = 10

  /// Returns the words that a question adds about records that would be deleted; empty if there are none.
  func warning(of deletions: [PendingDeletion]) throws -> String {
    guard !deletions.isEmpty else { return "" }
    let names = try names(of: deletions)
    return deletions.count == 1
      ? " This also deletes \(names), because it is in conflict with a deletion and nothing else keeps it."
      : " This also deletes \(names), because they are in conflict with deletions and nothing else keeps them."
  }

  /// Names the records that were deleted, and how to restore them.
  func tell(_ deletions: [PendingDeletion]) throws {
    guard !deletions.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    let ids = try deletions.prefix(Self.most).map { try snapshot.shortID($0.document.id) }
    let names = try names(of: deletions)
    let what = deletions.count > Self.most ? "the named records" : "everything"
    context.output.note(
      "also deleted: \(names). To bring \(what) back, run: daybook restore \(ids.joined(separator: " "))",
      isLoss: true)
  }

  private func names(of deletions: [PendingDeletion]) throws -> String {
    let snapshot = try context.presentSnapshot()
    var names = try deletions.prefix(Self.most).map { deletion in
      let document = deletion.document
      let name =
        "\(document.kind.name) \(try snapshot.shortID(document.id)) '\(document.title.visible)'"
      let children = Children(deletion.children)
      return children.count == 0 ? name : "\(name) and its \(children.words)"
    }
    if deletions.count > names.count { names.append("\(deletions.count - names.count) more") }
    return names.joined(separator: ", ")
  }
}
