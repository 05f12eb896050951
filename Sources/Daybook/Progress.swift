/// How far some work is that can take a while.
package struct Progress: Hashable, Sendable {
  package enum Work: Hashable, Sendable {
    /// Events are read and folded.
    case fold
    /// Records of a source are taken in.
    case intake
    /// Events go and come.
    case sync
    /// Events are checked.
    case verification
  }

  package var work: Work
  package var done: UInt64
  /// How much there is to do in all, as far as that is known.
  package var total: UInt64

  package init(_ work: Work, done: UInt64, total: UInt64) {
    (self.work, self.done, self.total) = (work, done, total)
  }
}

/// Tells whoever uses a book how far some work is, and that it waits.
package final class ProgressReporter {
  /// Told once, who writes meanwhile, when this waits for the lock for a while.
  package var onWaiting: ((String?) -> Void)?
  /// Told from time to time how far some work is, and with nil that it is over.
  package var onProgress: ((Progress?) -> Void)?

  init() {}

  /// Does some work that says how much more of it is done each time, and tells of that from time to time.
  func tellingProgress<Value>(
    of work: Progress.Work, total: UInt64,
    _ body: (_ advance: @escaping (UInt64) -> Void) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    guard let onProgress else { return try body { _ in } }
    defer { onProgress(nil) }
    var progress = Progress(work, done: 0, total: total)
    var told: UInt64 = 0
    onProgress(progress)
    let value = try body { more in
      progress.done += more
      guard progress.done >= told + Self.progressStep else { return }
      told = progress.done
      onProgress(progress)
    }
    // Not every event is one of those that were counted, but all were gone through.
    progress.done = max(progress.done, total)
    onProgress(progress)
    return value
  }

  /// Whoever is told looks at a clock, which takes longer than to fold an event.
  private static var progressStep: UInt64 { 1_000 }
}
