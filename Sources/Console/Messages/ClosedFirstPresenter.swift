import Bytes
import Daybook
import Domain
import Phrasing

/// Reports to-dos that one device closed while another device made them repeat.
struct ClosedFirstPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports what became of the first date of each such to-do, and the command that closes what the device had closed.
  func tellClosedFirst(of receipt: Receipt) throws {
    guard !receipt.closedFirst.isEmpty else { return }
    let snapshot = try context.presentSnapshot()
    for todo in receipt.closedFirst {
      let id = try snapshot.shortID(todo.document.id)
      let advice = todo.isEnding ? " To end the repeats, run: daybook cancel \(id)" : ""
      output.say(todo.words + advice)
    }
  }
}

extension Receipt.ClosedFirst {
  /// Whether the device meant to end the to-do, which repeats instead.
  fileprivate var isEnding: Bool { closing.kind == .skipped }

  /// The two changes, and the state of the first date.
  fileprivate var words: String {
    let name = "todo \(document.title.visible)"
    let deed = isEnding ? "cancelled \(name)" : "marked \(name) as done"
    let state =
      closing.hasEffect
      ? isEnding ? "counts as skipped" : "counts as done"
      : "is still open, because that date has been changed"
    return "\(closer.visible) \(deed), and \(repeater.visible) made it repeat"
      + " without having seen that change. Its first date, \(closing.due.dated), \(state)."
  }

  var json: JSON {
    .object(
      ("record", document.mention), ("closedBy", .string(closer)),
      ("repeatedBy", .string(repeater)), ("date", .string(closing.due.iso)),
      ("isDone", .boolean(closing.kind == .done)), ("isOpen", .boolean(!closing.hasEffect)))
  }
}
