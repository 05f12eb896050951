/// The progress of work that can take a while.
package struct Progress: Hashable, Sendable {
  package enum Work: Hashable, Sendable {
    /// Reading and folding events.
    case fold
    /// Importing records.
    case intake
    /// Sending and receiving events.
    case sync
    /// Verifying events.
    case verification
  }

  package var work: Work
  package var done: UInt64
  /// The total amount of work, as far as it is known.
  package var total: UInt64

  package init(_ work: Work, done: UInt64, total: UInt64) {
    (self.work, self.done, self.total) = (work, done, total)
  }
}

/// Reports progress, and reports that this process is waiting for the lock.
package final class ProgressReporter {
  /// Called once if waiting for the lock takes a while, with the name of the process that holds the lock, if known.
  package var onWaiting: ((String?) -> Void)?
  /// Called from time to time with the progress, and with nil at the end.
  package var onProgress: ((Progress?) -> Void)?

  init() {}

  /// Runs work that reports its progress, and forwards the progress from time to time.
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
    // Some items in the total were not reported individually, but all of them are done.
    progress.done = max(progress.done, total)
    onProgress(progress)
    return value
  }

  /// The number of events between two reports.
  ///
  /// The callback reads a clock, which takes longer than folding an event.
  private static var progressStep: UInt64 { 1_000 }
}
