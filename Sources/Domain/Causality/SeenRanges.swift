/// The events of another log that the author of a log had folded, each with the first event of the author's log that
/// had seen it.
///
/// *Here* is the log of the author, and *there* is the other log. The type stores the function "sequence there → first
/// event here that had seen it" as runs of equal results. The function is a join of all notes, so their order does not
/// matter. Notes that arrive in the order of the log cost no more than their own length.
package struct SeenRanges: Sendable {
  private struct Run: Sendable {
    var range: ClosedRange<UInt64>
    var since: UInt64
  }

  /// The runs, sorted and without overlap; a sequence that is in no run has never been seen.
  private var runs = SortedChunks<Run>()
  /// The ranges up to `top` that are in no run.
  private var gaps = SortedChunks<ClosedRange<UInt64>>()
  private var top: UInt64 = 0
  private var latest: UInt64 = 0

  /// The last event of the other log in any note.
  package var last: UInt64 { top }

  package init() {}

  /// The maximum number of ranges that ``ranges(seenBy:)`` returns.
  var rangeCount: Int { runs.count }

  /// Whether the event `event` here had seen the event `sequence` there.
  package func includes(_ sequence: UInt64, at event: UInt64) -> Bool {
    guard let run = runs[runs.firstPlace { $0.range.upperBound >= sequence }] else { return false }
    return run.range.lowerBound <= sequence && run.since <= event
  }

  /// The ranges there that the event `event` here had seen, sorted and without overlap.
  func ranges(seenBy event: UInt64) -> [ClosedRange<UInt64>] {
    runs.elements.filter { $0.since <= event }.map(\.range)
  }

  /// Whether all events up to a sequence, apart from the exceptions, were seen by at least one event here.
  func covers(_ sequence: UInt64, except exceptions: [ClosedRange<UInt64>]) -> Bool {
    guard sequence > 0, sequence > top || !gaps.isEmpty else { return true }
    return SeenRanges.parts(upTo: sequence, without: exceptions).allSatisfy { part in
      part.upperBound <= top && firstGap(from: part.lowerBound, upTo: part.upperBound) == nil
    }
  }

  package mutating func note(
    _ event: UInt64, upTo sequence: UInt64, except exceptions: [ClosedRange<UInt64>]
  ) {
    guard sequence > 0 else { return }
    // No log is that long. The limit prevents overflow in the sums that follow.
    let sequence = min(sequence, UInt64(Int64.max))
    if sequence > top {
      gaps.insert(top + 1...sequence, at: gaps.firstPlace { _ in false })
      top = sequence
    }
    let covered =
      exceptions.isEmpty ? [1...sequence] : SeenRanges.parts(upTo: sequence, without: exceptions)
    for part in covered {
      if event < latest { lower(part, to: event) }
      fillGaps(in: part, since: event)
    }
    latest = max(latest, event)
  }

  /// The ranges of `1...sequence` without the exceptions, in order.
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
}

extension SeenRanges {
  /// Applies a late note of an earlier event to ranges that later events were the first to have seen.
  private mutating func lower(_ covered: ClosedRange<UInt64>, to event: UInt64) {
    var next = covered.lowerBound
    while next <= covered.upperBound {
      let place = runs.firstPlace { $0.range.upperBound >= next }
      guard let run = runs[place], run.range.lowerBound <= covered.upperBound else { return }
      next = run.range.upperBound + 1
      guard run.since > event else { continue }
      let shared = run.range.clamped(to: covered)
      runs.remove(at: place)
      for rest in run.range.without(shared) { insert(Run(range: rest, since: run.since)) }
      insert(Run(range: shared, since: event))
    }
  }

  private mutating func fillGaps(in covered: ClosedRange<UInt64>, since event: UInt64) {
    while let place = firstGap(from: covered.lowerBound, upTo: covered.upperBound),
      let gap = gaps[place]
    {
      let shared = gap.clamped(to: covered)
      gaps.remove(at: place)
      for rest in gap.without(shared) {
        gaps.insert(rest, at: gaps.firstPlace { $0.lowerBound > rest.lowerBound })
      }
      insert(Run(range: shared, since: event))
    }
  }

  /// The position of the first gap that overlaps with a range.
  private func firstGap(
    from lower: UInt64, upTo upper: UInt64
  ) -> SortedChunks<ClosedRange<UInt64>>.Place? {
    let place = gaps.firstPlace { $0.upperBound >= lower }
    guard let gap = gaps[place], gap.lowerBound <= upper else { return nil }
    return place
  }

  private mutating func insert(_ run: Run) {
    runs.insert(run, at: runs.firstPlace { $0.range.lowerBound > run.range.lowerBound })
  }
}

extension ClosedRange<UInt64> {
  /// The ranges that remain before and after a part of this range.
  fileprivate func without(_ part: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    var left: [ClosedRange<UInt64>] = []
    if lowerBound < part.lowerBound { left.append(lowerBound...part.lowerBound - 1) }
    if part.upperBound < upperBound { left.append(part.upperBound + 1...upperBound) }
    return left
  }
}
