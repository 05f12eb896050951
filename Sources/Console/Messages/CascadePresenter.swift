import Bytes
import Daybook
import Domain
import Phrasing

/// Reports lists, questions and repeating to-dos whose deletion hid other records.
struct CascadePresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports the records whose deletion hid others.
  func tellCascades(of receipt: Receipt) throws {
    guard !receipt.cascades.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    for cascade in receipt.cascades {
      let id = try snapshot.shortID(cascade.document.id)
      output.say("\(cascade.words) To bring everything back, run: daybook restore \(id)")
    }
  }
}

extension Receipt.Cascade {
  /// The maximum number of records to name.
  private static let most = 5

  /// The deletion, its author, the number of hidden records, and the records with changes that the deleting device had
  /// not seen.
  fileprivate var words: String {
    let went = document.kind == .todo ? "repeats" : Children(children).words
    let title = document.title.visible
    let sentence = "\(device.visible) deleted \(document.kind.name) \(title) and its \(went)."
    guard !unseen.isEmpty else { return sentence }
    let titles = unseen.prefix(Self.most).map(\.datedTitle.visible)
    let more = unseen.count > titles.count ? " and \(unseen.count - titles.count) more" : ""
    let changes = unseen.count == 1 ? "the latest change to" : "the latest changes to"
    return sentence
      + " \(device.visible) had not seen \(changes) \(titles.joined(separator: ", "))\(more)."
  }

  var json: JSON {
    .object(
      ("record", document.mention), ("device", .string(device)),
      ("children", .integer(Int64(children.values.reduce(0, +)))),
      ("unseen", .array(unseen.map(\.mention))))
  }
}
