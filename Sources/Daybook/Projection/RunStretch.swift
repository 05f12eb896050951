import Journaling

/// Commands between the marks of a run, such as an import, which are reported as one.
struct RunStretch: Hashable {
  /// The mark at the beginning and all events after it, up to the mark at the end if that was read.
  private(set) var events: ClosedRange<UInt64>
  /// The first command of the run, in this stretch or in one that it continues.
  let first: UInt64
  /// The time of the mark at the beginning of the run.
  let time: Int64
  /// Where it began in the source.
  private let begin: RunMarker
  /// The number of records of the source that were done in total, once it had ended.
  private var done: UInt64?

  fileprivate init(_ begin: RunMarker, at sequence: UInt64, _ time: Int64, after last: RunStretch?)
  {
    let run = last.flatMap { $0.isTakenUp(by: begin, at: sequence) ? $0 : nil }
    self.begin = begin
    events = sequence...UInt64.max
    first = run?.first ?? sequence + 1
    self.time = run?.time ?? time
  }

  /// Whether a run continues this one, immediately after it.
  private func isTakenUp(by marker: RunMarker, at sequence: UInt64) -> Bool {
    done == marker.count && begin.source == marker.source && marker.count > 0
      && events.upperBound + 1 == sequence && events.count > 2
  }

  fileprivate mutating func end(at sequence: UInt64, done count: UInt64? = nil) {
    guard events.upperBound == .max, sequence >= events.lowerBound else { return }
    events = events.lowerBound...sequence
    done = count
  }
}

extension [RunStretch] {
  /// Adds the next mark of a log, or one that is read again.
  mutating func take(_ marker: RunMarker, at sequence: UInt64, _ time: Int64) {
    switch marker.edge {
    case .begin:
      while let last, last.events.lowerBound >= sequence { removeLast() }
      // An interrupted run ends here.
      if !isEmpty { self[count - 1].end(at: sequence - 1) }
      append(RunStretch(marker, at: sequence, time, after: last))
    case .end:
      if !isEmpty { self[count - 1].end(at: sequence, done: marker.count) }
    }
  }
}
