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

  package init(all: Int = 0, mutating: Int = 0) {
    self.all = all
    self.mutating = mutating
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
  mutating func strike(mutating changes: Bool) -> DiskFault? {
    calls.all += 1
    isHalfway = false
    if changes { calls.mutating += 1 }
    for failure in failures {
      if failure.kind == .mutating, !changes { continue }
      let count = failure.kind == .mutating ? calls.mutating : calls.all
      if count == failure.number || (count > failure.number && failure.span == .fromThenOn) {
        isHalfway = failure.isHalfway
        return failure.reason
      }
    }
    return changes && isReadOnly ? .readOnly : nil
  }
}
