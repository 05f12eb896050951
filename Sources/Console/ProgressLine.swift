import Platform
import Syncing

/// Shows on a terminal how far a sync is that takes longer than a moment.
final class ProgressLine {
  private let write: @Sendable (String) -> Void
  private let timekeeper: any Timekeeper
  private var start: Int64?
  private var lastShown: Int64?

  /// What takes no longer than this needs no words.
  private static let momentMilliseconds: Int64 = 500
  private static let stepMilliseconds: Int64 = 100
  private static let width: UInt64 = 30

  init(_ timekeeper: any Timekeeper, write: @escaping @Sendable (String) -> Void) {
    (self.timekeeper, self.write) = (timekeeper, write)
  }

  /// Shows how far it is, or takes the line away when it is over.
  func show(_ progress: SyncProgress?) {
    guard let progress else { return clear() }
    let now = timekeeper.monotonicMilliseconds()
    let begun = start ?? now
    start = begun
    guard now - begun > Self.momentMilliseconds, progress.total > 0,
      now - (lastShown ?? begun) >= Self.stepMilliseconds
    else { return }
    lastShown = now
    let full = progress.done * Self.width / progress.total
    let bar = (0..<Self.width).map { $0 < full ? "#" : "." }.joined()
    write("\r[\(bar)] \(progress.done) of \(progress.total) events\u{1B}[K")
  }

  private func clear() {
    if lastShown != nil { write("\r\u{1B}[K") }
    (start, lastShown) = (nil, nil)
  }
}
