/// The special properties of a command; a command without any of them needs a book and ends soon.
struct CommandTraits: OptionSet, Sendable {
  let rawValue: Int

  /// The command works without a book, even if the folder of the book cannot be determined.
  static let needsNoBook = CommandTraits(rawValue: 1 << 0)
  /// The command runs until it is stopped, and notices the writes of other processes.
  static let runsLong = CommandTraits(rawValue: 1 << 1)
  /// The command communicates with other machines while it runs, so output must not block it.
  static let servesPeers = CommandTraits(rawValue: 1 << 2)
  /// The command shows no progress, because progress would interrupt its messages.
  static let hidesProgress = CommandTraits(rawValue: 1 << 3)
  /// The command records the reason for its changes (`--because`).
  static let keepsReason = CommandTraits(rawValue: 1 << 4)
  /// The command writes something, but does not change the book.
  static let leavesBook = CommandTraits(rawValue: 1 << 5)
  /// The command writes or sends the contents of the book, so its result is incomplete if events are missing.
  static let passesOn = CommandTraits(rawValue: 1 << 6)
  /// The command reports missing events itself, in detail.
  static let reportsLoss = CommandTraits(rawValue: 1 << 7)
  /// The command's output is shown in a pager if it does not fit on the screen.
  static let isPaged = CommandTraits(rawValue: 1 << 8)
}
