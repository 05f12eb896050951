/// What sets a command apart from others that change the book and end soon.
struct CommandTraits: OptionSet, Sendable {
  let rawValue: Int

  /// It works where there is no book and none can be.
  static let needsNoBook = CommandTraits(rawValue: 1 << 0)
  /// It runs until it is stopped, and notices what other processes write meanwhile.
  static let runsLong = CommandTraits(rawValue: 1 << 1)
  /// It talks with other machines all the time, so that no output may hold it up.
  static let servesPeers = CommandTraits(rawValue: 1 << 2)
  /// It shows no progress, which would stand between its messages.
  static let hidesProgress = CommandTraits(rawValue: 1 << 3)
  /// It keeps with what it writes why that was done.
  static let keepsReason = CommandTraits(rawValue: 1 << 4)
  /// It writes, and leaves the book as it is.
  static let leavesBook = CommandTraits(rawValue: 1 << 5)
  /// It writes or sends what the book holds, and so lacks what the book lacks.
  static let passesOn = CommandTraits(rawValue: 1 << 6)
  /// It reports missing events itself, in detail.
  static let reportsLoss = CommandTraits(rawValue: 1 << 7)
  /// Its answer may be longer than a terminal, and is then shown page by page.
  static let isPaged = CommandTraits(rawValue: 1 << 8)
}
