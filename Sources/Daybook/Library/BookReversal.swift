import Bytes
import Domain

/// The result of an undo or a redo.
public struct BookReversal: Equatable, Sendable {
  /// The records that were changed, each once; none if all had already been changed back.
  public let changed: [Book.RecordID]
  /// The records that the command had added and that were kept, because later commands or other devices use them, for
  /// example a question to which another device has since picked an answer.
  public let kept: [Book.RecordID]
}

extension BookReversal {
  init(_ results: [Undone]) {
    var known: Set<UniqueID> = []
    let changed = results.flatMap(\.changes).map(\.document.id).filter { known.insert($0).inserted }
    self.init(
      changed: changed.map(Book.RecordID.init),
      kept: results.flatMap(\.spared).map { Book.RecordID($0.id) })
  }
}
