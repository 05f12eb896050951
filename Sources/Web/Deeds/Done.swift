import Bytes
import Domain

/// The result of a wish.
struct Done {
  var said: String
  /// The record that the wish was about.
  var id: UniqueID?
  /// The members of the answer that only this command adds.
  var more: [JSON.Member] = []
  /// Whether undoing the last entry reverts everything that was done.
  var isUndoable = true
}
