import Platform

/// What goes wrong on a simulated disk.
struct Weather: Sendable {
  var isReadOnly = false
  /// All files together may hold so many bytes.
  var capacity: Int?
  var failures: [Failure] = []
  var calls = DiskCalls()
  /// Tells the files and folders whose flushes do nothing.
  var isLying: (@Sendable (Path) -> Bool)?
  /// Whether the call that failed last was to get as far as its middle.
  var isHalfway = false
}

/// How often a disk was called.
package struct DiskCalls: Hashable, Sendable {
  /// All calls.
  package var all = 0
  /// Those that may change something: all but opening to read or write, reading, asking and closing.
  package var mutating = 0
  /// Those that flush a folder.
  package var folderFlushes = 0

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

/// A call that is going to fail.
struct Failure: Sendable {
  let number: Int
  let kind: CountedCalls
  let reason: DiskFault
  let span: FailureSpan
  /// Whether a write gets as far as its middle.
  let isHalfway: Bool
}

/// Which calls are counted to find the one that fails.
package enum CountedCalls: Hashable, Sendable {
  case mutating, all
  /// From one that fails on, where failures go on, every call fails that may change something.
  case folderFlushes
}

/// How long a failure lasts.
package enum FailureSpan: Hashable, Sendable {
  /// The next call works again.
  case once
  /// Every later call of the kind fails too.
  case fromThenOn
}

extension Weather {
  /// Counts a call and tells what is wrong with it.
  mutating func strike(_ operation: DiskOperation, mutating changes: Bool) -> DiskFault? {
    isHalfway = false
    let isFolderFlush = operation == .flushDirectory
    calls.all += 1
    if changes { calls.mutating += 1 }
    if isFolderFlush { calls.folderFlushes += 1 }
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

  /// Lets every call fail from now on that may change something.
  private mutating func fail(_ reason: DiskFault) {
    failures.append(
      Failure(
        number: calls.mutating, kind: .mutating, reason: reason, span: .fromThenOn,
        isHalfway: false))
  }
}
