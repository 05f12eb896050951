import Bytes
import Daybook
import Domain
import Phrasing

// What went with a deleted list or question.

extension Context {
  /// Tells what a sync has shown to be deleted along with a list or question.
  func tellCascades(of receipt: Receipt) throws {
    guard !receipt.cascades.isEmpty else { return }
    let snapshot = try presentSnapshot()
    for cascade in receipt.cascades {
      let id = try snapshot.shortID(cascade.document.id)
      say("\(cascade.words) 'daybook restore \(id)' brings all of it back.")
    }
  }
}

extension Receipt.Cascade {
  /// No more records are named.
  private static let most = 5

  /// What was deleted by whom, with what, and what of that has changed unseen.
  fileprivate var words: String {
    let went = Children(children)
    let title = document.title.visible
    let sentence =
      "\(device.visible) deleted \(document.kind.name) \(title), and \(went.words) with it."
    guard !unseen.isEmpty else { return sentence }
    let titles = unseen.prefix(Self.most).map(\.title.visible)
    let more = unseen.count > titles.count ? " and \(unseen.count - titles.count) more" : ""
    return sentence
      + " It did not know of the last change of \(titles.joined(separator: ", "))\(more)."
  }

  var json: JSON {
    .object(
      ("record", document.mention), ("device", .string(device)),
      ("children", .integer(Int64(children.values.reduce(0, +)))),
      ("unseen", .array(unseen.map(\.mention))))
  }
}
