/// The properties of a command; without any, it changes the book and ends soon.
struct CommandTraits: OptionSet, Sendable {
  let rawValue: Int

  /// It works without a book, even if the folder of the book cannot be determined.
  static let needsNoBook = CommandTraits(rawValue: 1 << 0)
  /// It runs until it is stopped, and notices the writes of other processes.
  static let runsLong = CommandTraits(rawValue: 1 << 1)
  /// It communicates with other machines while it runs, so output must not block it.
  static let servesPeers = CommandTraits(rawValue: 1 << 2)
  /// It shows no progress, which would interrupt its messages.
  static let hidesProgress = CommandTraits(rawValue: 1 << 3)
  /// It records the reason for its changes (`--because`).
  static let keepsReason = CommandTraits(rawValue: 1 << 4)
  /// It writes something, but does not change the book.
  static let leavesBook = CommandTraits(rawValue: 1 << 5)
  /// It writes or sends the contents of the book, so its result is incomplete if events are missing.
  static let passesOn = CommandTraits(rawValue: 1 << 6)
  /// It reports missing events itself, in detail.
  static let reportsLoss = CommandTraits(rawValue: 1 << 7)
  /// Its output may not fit on the screen, and is then shown in a pager.
  static let isPaged = CommandTraits(rawValue: 1 << 8)
}
