import Journaling

/// The commands between the marks of a run, such as an import, which are reported as one entry.
struct RunStretch: Hashable {
  /// The events from the mark at the beginning up to the mark at the end, if the latter was read.
  ///
  /// If the run was interrupted, the events end before the first event that does not belong to the run.
  private(set) var events: ClosedRange<UInt64>
  /// The first command of the run, in this stretch or in a stretch that it continues.
  let first: UInt64
  /// The time of the mark at the beginning of the run.
  let time: Int64
  /// The mark at the beginning, which states the position in the source.
  private let begin: RunMarker
  /// The times of the mark at the beginning of this stretch.
  private let stamp: Stamp
  /// The total number of source records that had been processed at the end; nil until the mark at the end was read.
  private var done: UInt64?

  private struct Stamp: Hashable {
    var time: Int64
    var when: Int64?
  }

  fileprivate init(
    _ begin: RunMarker, at sequence: UInt64, _ time: Int64, _ when: Int64?,
    after last: RunStretch?
  ) {
    let run = last.flatMap { $0.isTakenUp(by: begin, at: sequence) ? $0 : nil }
    self.begin = begin
    stamp = Stamp(time: time, when: when)
    events = sequence...UInt64.max
    first = run?.first ?? sequence + 1
    self.time = run?.time ?? time
  }

  /// Whether another run continues this run immediately after its end.
  private func isTakenUp(by marker: RunMarker, at sequence: UInt64) -> Bool {
    done == marker.count && begin.source == marker.source && marker.count > 0
      && events.upperBound + 1 == sequence && events.count > 2
  }

  /// Whether the run has no end mark, and an event was written after the run was interrupted.
  ///
  /// All events of a run have the time of its beginning. The events of an undo also have the same stated time.
  func isInterrupted(before sequence: UInt64, _ time: Int64, _ when: Int64?, isUndo: Bool) -> Bool {
    guard isOpen, sequence > events.lowerBound else { return false }
    return time != stamp.time || isUndo && when != stamp.when
  }

  /// Whether a marker has the digest of the run's source.
  fileprivate func isOf(_ marker: RunMarker) -> Bool { begin.source == marker.source }

  /// Whether the end of the run has not been found yet.
  var isOpen: Bool { events.upperBound == .max }

  fileprivate mutating func end(at sequence: UInt64, done count: UInt64? = nil) {
    guard isOpen, sequence >= events.lowerBound else { return }
    events = events.lowerBound...sequence
    done = count
  }
}

extension [RunStretch] {
  /// Adds the next mark of a log, or a mark that is read again.
  mutating func take(
    _ marker: RunMarker, at sequence: UInt64, _ time: Int64, _ when: Int64? = nil
  ) {
    switch marker.edge {
    case .begin:
      while let last, last.events.lowerBound >= sequence { removeLast() }
      // An interrupted run ends here.
      if !isEmpty { self[count - 1].end(at: sequence - 1) }
      append(RunStretch(marker, at: sequence, time, when, after: last))
    case .end:
      // An end with the digest of another source does not end this run.
      guard let last, last.isOf(marker) else { return }
      self[count - 1].end(at: sequence, done: marker.count)
    }
  }

  /// Ends the last run before an event that does not belong to it.
  mutating func endLast(before sequence: UInt64) {
    if !isEmpty { self[count - 1].end(at: sequence - 1) }
  }
}
