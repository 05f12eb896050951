/// What the author of one log had folded of one other log, and since which of its own events.
///
/// It is the function "sequence there → first event here that had seen it", kept as runs of equal answers.
/// A join of everything noted: the order in which notes arrive cannot matter. Notes in the order of the log
/// cost no more than their own length.
package struct Sight: Sendable {
  private struct Run: Sendable {
    var range: ClosedRange<UInt64>
    var since: UInt64
  }

  /// Sorted, without overlap; what lies in none was never seen.
  private var runs: [Run] = []
  /// What below `top` lies in no run.
  private var gaps: [ClosedRange<UInt64>] = []
  private var top: UInt64 = 0
  private var latest: UInt64 = 0

  /// The latest event there that anything was noted of.
  package var last: UInt64 { top }

  package init() {}

  /// Whether the event `event` here had seen the event `sequence` there.
  package func includes(_ sequence: UInt64, at event: UInt64) -> Bool {
    let index = runs.firstPlace { $0.range.upperBound >= sequence }
    guard index < runs.count else { return false }
    return runs[index].range.contains(sequence) && runs[index].since <= event
  }

  /// Whether all up to a sequence, save the exceptions, was seen by some event here.
  func covers(_ sequence: UInt64, except exceptions: [ClosedRange<UInt64>]) -> Bool {
    let unseen = sequence > top ? gaps + [top + 1...sequence] : gaps
    guard !unseen.isEmpty, sequence > 0 else { return true }
    let wanted = Sight.parts(upTo: sequence, without: exceptions)
    return !unseen.contains { gap in wanted.contains { $0.overlaps(gap) } }
  }

  package mutating func note(
    _ event: UInt64, upTo sequence: UInt64, except exceptions: [ClosedRange<UInt64>]
  ) {
    guard sequence > 0 else { return }
    // No log is that long; a number just below the limit keeps the sums below from overflowing.
    let sequence = min(sequence, UInt64(Int64.max))
    if sequence > top {
      gaps.append(top + 1...sequence)
      top = sequence
    }
    let covered =
      exceptions.isEmpty ? [1...sequence] : Sight.parts(upTo: sequence, without: exceptions)
    if event < latest { covered.forEach { lower($0, to: event) } }
    fillGaps(covered, since: event)
    latest = max(latest, event)
  }

  /// The ranges of `1...sequence` that no exception touches, in order.
  private static func parts(
    upTo sequence: UInt64, without exceptions: [ClosedRange<UInt64>]
  ) -> [ClosedRange<UInt64>] {
    var parts: [ClosedRange<UInt64>] = []
    var next: UInt64 = 1
    for hole in exceptions.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard next <= sequence else { return parts }
      if hole.lowerBound > next { parts.append(next...min(hole.lowerBound - 1, sequence)) }
      guard hole.upperBound < sequence else { return parts }
      next = max(next, hole.upperBound + 1)
    }
    parts.append(next...sequence)
    return parts
  }

  /// Lets a late note of an early event pull back what later ones had seen first.
  private mutating func lower(_ covered: ClosedRange<UInt64>, to event: UInt64) {
    var lowered: [Run] = []
    for run in runs {
      guard run.since > event, run.range.overlaps(covered) else {
        lowered.append(run)
        continue
      }
      let shared = run.range.clamped(to: covered)
      if run.range.lowerBound < shared.lowerBound {
        lowered.append(Run(range: run.range.lowerBound...shared.lowerBound - 1, since: run.since))
      }
      lowered.append(Run(range: shared, since: event))
      if shared.upperBound < run.range.upperBound {
        lowered.append(Run(range: shared.upperBound + 1...run.range.upperBound, since: run.since))
      }
    }
    runs = lowered
  }

  private mutating func fillGaps(_ covered: [ClosedRange<UInt64>], since event: UInt64) {
    var left: [ClosedRange<UInt64>] = []
    for gap in gaps {
      var next = gap.lowerBound
      for part in covered where part.overlaps(gap) {
        let shared = part.clamped(to: gap)
        if shared.lowerBound > next { left.append(next...shared.lowerBound - 1) }
        insert(Run(range: shared, since: event))
        next = shared.upperBound + 1
      }
      if next <= gap.upperBound { left.append(next...gap.upperBound) }
    }
    gaps = left
  }

  private mutating func insert(_ run: Run) {
    let index = runs.firstPlace { $0.range.lowerBound > run.range.lowerBound }
    runs.insert(run, at: index)
  }
}
