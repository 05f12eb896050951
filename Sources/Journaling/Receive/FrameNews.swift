/// What a received frame adds to a book.
package struct FrameNews: Hashable, Sendable {
  /// Whether the frame contains events or bodies that this device does not have.
  package var isNew: Bool
  /// The number of logs by which the replica's logs increase because the frame begins a branch.
  ///
  /// The first branch after an event divides the log there, so it adds two logs: itself, and the former continuation.
  package var branchCount: UInt64 = 0
}
