// Which of many events are in the past of one of many others, without comparing each with each.

extension Causality {
  /// Tells of each of some events whether some observer has it in its past.
  ///
  /// Pasts grow along a log, so of each log only the last observer counts. It is compared with the logs that its
  /// author has told of, or with those of the events, whichever are fewer.
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

  /// Up to here it takes no longer to compare each with each.
  private static let fewComparisons = 64

  /// Whatever a log has told of the observer's own, that one has seen just what is before it there.
  private func look(
    from author: UInt32, at sequence: UInt64, besides own: UInt32, _ watch: inout Watch
  ) {
    let told = logs(seenBy: author)
    for other in told.count < watch.logCount ? told : watch.logs where other != own {
      if let sight = sight(of: other, by: author) { watch.see(other, through: sight, at: sequence) }
    }
  }
}

/// Events of which it is asked who has seen them.
private struct Watch {
  private struct Log {
    /// The places of its events, by their sequences.
    var places: [Int] = []
    /// All below this are seen.
    var seenBefore: UInt64 = 0
    /// What else is seen, where that is fewer ranges than there are events.
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
      // How far the ranges reach that begin at or before an event, which are all that can hold it.
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
