import Bytes

/// A problem with a file, and the events that the file should contain.
struct FileFault {
  var events: ClosedRange<UInt64>
  var problem: SyncProblem
}

extension [FileFault] {
  /// The problems to report: all problems except those with damaged files whose events are held.
  ///
  /// If the log has branches, no problem is excluded, because a damaged file may have held a branch that is lacking.
  func problems(
    of replica: UniqueID, unlessHeld held: [ClosedRange<UInt64>], as frontier: Frontier
  ) -> [SyncProblem] {
    let isForked = frontier.places(of: replica).count > 1
    let held = [ClosedRange<UInt64>](joining: held)
    return filter { fault in
      guard case .wrongDigest = fault.problem, !isForked else { return true }
      return !held.contains {
        $0.lowerBound <= fault.events.lowerBound && fault.events.upperBound <= $0.upperBound
      }
    }.map(\.problem)
  }
}
