import Platform

/// The faults of a simulated disk, and the counts of its calls.
struct Weather: Sendable {
  var isReadOnly = false
  /// The maximum size of all files together, in bytes; nil if there is no limit.
  var capacity: Int?
  var failures: [Failure] = []
  var calls = DiskCalls()
  /// A function that selects the files and folders whose flushes succeed without effect.
  var isLying: (@Sendable (Path) -> Bool)?
  /// Whether the last call, if it failed, was meant to stop halfway.
  var isHalfway = false
}

/// The numbers of calls to a disk.
package struct DiskCalls: Hashable, Sendable {
  /// The number of all calls.
  package var all = 0
  /// The number of calls that may change the disk: creating a file, writing, truncating, flushing, renaming, removing,
  /// creating a directory and locking.
  package var mutating = 0
  /// The number of calls that flush a folder.
  package var folderFlushes = 0
  /// The number of calls that read bytes of a file.
  package var reads = 0

  package init(all: Int = 0, mutating: Int = 0, folderFlushes: Int = 0) {
    self.all = all
    self.mutating = mutating
    self.folderFlushes = folderFlushes
  }

  func count(of kind: CountedCalls) -> Int {
    switch kind {
    case .all: all
    case .mutating: mutating
    case .folderFlushes: folderFlushes
    }
  }
}

/// The failure of a later call.
struct Failure: Sendable {
  let number: Int
  let kind: CountedCalls
  let reason: DiskFault
  let span: FailureSpan
  /// Whether a failing write leaves the first half of its bytes on the disk.
  let isHalfway: Bool
}

/// The calls that are counted to find the failing call.
package enum CountedCalls: Hashable, Sendable {
  case mutating, all
  /// Flushes of folders are counted. With ``FailureSpan/fromThenOn``, every mutating call after the failed flush fails
  /// as well.
  case folderFlushes
}

/// The duration of a failure.
package enum FailureSpan: Hashable, Sendable {
  /// Only one call fails.
  case once
  /// Every later call of the kind fails as well.
  case fromThenOn
}

extension Weather {
  /// Counts a call, and returns the reason why it fails, or nil if it does not fail.
  mutating func strike(_ operation: DiskOperation, mutating changes: Bool) -> DiskFault? {
    isHalfway = false
    let isFolderFlush = operation == .flushDirectory
    calls.all += 1
    if changes { calls.mutating += 1 }
    if isFolderFlush { calls.folderFlushes += 1 }
    if operation == .read { calls.reads += 1 }
    for failure in failures {
      if failure.kind == .mutating, !changes { continue }
      if failure.kind == .folderFlushes, !isFolderFlush { continue }
      let count = calls.count(of: failure.kind)
      guard count == failure.number || (count > failure.number && failure.span == .fromThenOn)
      else { continue }
      isHalfway = failure.isHalfway
      if failure.kind == .folderFlushes, failure.span == .fromThenOn { fail(failure.reason) }
      return failure.reason
    }
    return changes && isReadOnly ? .readOnly : nil
  }

  /// Makes every later mutating call fail.
  private mutating func fail(_ reason: DiskFault) {
    failures.append(
      Failure(
        number: calls.mutating, kind: .mutating, reason: reason, span: .fromThenOn,
        isHalfway: false))
  }
}
