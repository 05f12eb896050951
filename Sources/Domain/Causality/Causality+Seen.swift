// Finds which of many events are in the past of at least one of many others, without comparing every pair.

extension Causality {
  /// Returns, for each event, whether at least one observer has it in its past.
  ///
  /// The past of an event includes the pasts of all earlier events in its log, so only the last observer in each log
  /// matters. This observer is compared either with the logs that its author has noted as seen or with the logs of the
  /// events, whichever are fewer.
  package func areSeen(_ events: [EventKey], by observers: [EventKey]) -> [Bool] {
    if events.count * observers.count <= Self.fewComparisons {
      return events.map { event in observers.contains { past(of: $0, includes: event) } }
    }
    var watch = Watch(events)
    var last: [UInt32: UInt64] = [:]
    for observer in observers {
      last[observer.log] = max(last[observer.log] ?? 0, observer.sequence)
    }
    for (log, sequence) in last {
      look(from: log, at: sequence, besides: log, &watch)
      watch.see(log, before: sequence)
      for trunk in trunks(of: log) {
        look(from: trunk, at: .max, besides: log, &watch)
        watch.see(trunk, before: .max)
      }
    }
    return watch.seen()
  }

  /// The number of pairs up to which comparing every pair is just as fast.
  private static let fewComparisons = 64

  /// Marks the watched events of other logs that a log's author had noted as seen when it wrote the given event.
  private func look(
    from author: UInt32, at sequence: UInt64, besides own: UInt32, _ watch: inout Watch
  ) {
    let told = logs(seenBy: author)
    for other in told.count < watch.logCount ? told : watch.logs where other != own {
      if let sight = sight(of: other, by: author) { watch.see(other, through: sight, at: sequence) }
    }
  }
}

/// The events to look for in the pasts of observers.
private struct Watch {
  private struct Log {
    /// The indices of the watched events, sorted by sequence.
    var places: [Int] = []
    /// All events with lower sequences are seen.
    var seenBefore: UInt64 = 0
    /// Additional ranges of events that are seen.
    var ranges: [ClosedRange<UInt64>] = []
  }

  private let events: [EventKey]
  private var watched: [UInt32: Log] = [:]
  private var isSeen: [Bool]

  var logs: [UInt32] { Array(watched.keys) }

  var logCount: Int { watched.count }

  init(_ events: [EventKey]) {
    self.events = events
    isSeen = Array(repeating: false, count: events.count)
    for place in events.indices.sorted(by: { events[$0] < events[$1] }) {
      watched[events[place].log, default: Log()].places.append(place)
    }
  }

  mutating func see(_ log: UInt32, before sequence: UInt64) {
    guard let index = watched.index(forKey: log) else { return }
    watched.values[index].seenBefore = max(watched.values[index].seenBefore, sequence)
  }

  mutating func see(_ log: UInt32, through sight: SeenRanges, at sequence: UInt64) {
    guard let index = watched.index(forKey: log) else { return }
    let places = watched.values[index].places
    if places.count > sight.rangeCount {
      watched.values[index].ranges += sight.ranges(seenBy: sequence)
    } else {
      for place in places where !isSeen[place] {
        isSeen[place] = sight.includes(events[place].sequence, at: sequence)
      }
    }
  }

  func seen() -> [Bool] {
    var isSeen = isSeen
    for log in watched.values {
      let ranges = log.ranges.sorted { $0.lowerBound < $1.lowerBound }
      // The last event in any range that begins at or before the current event. No other range can contain the current
      // event.
      var (next, end) = (0, UInt64(0))
      for place in log.places {
        let sequence = events[place].sequence
        while next < ranges.count, ranges[next].lowerBound <= sequence {
          end = max(end, ranges[next].upperBound)
          next += 1
        }
        let isInRange = next > 0 && sequence <= end
        if sequence < log.seenBefore || isInRange { isSeen[place] = true }
      }
    }
    return isSeen
  }
}
