import Bytes
import Journaling
import Platform

/// An event as a reader finds it.
struct Held: Hashable {
  var hash: Digest
  var body: [UInt8]
  var isCommandStart: Bool
}

/// All events of a journal that can be read.
struct Contents: Hashable {
  var logs: [UniqueID: [UInt64: Held]] = [:]
  /// What readers found damaged.
  var damage: [Damage] = []

  init() {}

  init(of journal: borrowing Journal) throws {
    for log in (Array(journal.logs.keys) + Array(journal.aside.keys)).sorted() {
      var reader = try journal.reader(of: log)
      var events: [UInt64: Held] = [:]
      while let read = try reader.read() {
        for event in read.frame.events[read.firstNew...] {
          events[event.sequence] = Held(
            hash: event.hash, body: Array(read.frame.content[event.body]),
            isCommandStart: event.isCommandStart)
        }
      }
      logs[log] = events
      damage += reader.damage
    }
  }

  var count: Int { logs.values.reduce(0) { $0 + $1.count } }
}

/// Every form in which each event was ever there.
struct Forms {
  private var logs: [UniqueID: [UInt64: Set<Held>]] = [:]

  init(_ all: [Contents] = []) {
    for contents in all { add(contents) }
  }

  mutating func add(_ contents: Contents) {
    for (log, events) in contents.logs {
      for (sequence, held) in events { logs[log, default: [:]][sequence, default: []].insert(held) }
    }
  }

  /// What of a journal's contents was never written, or is less than a whole command.
  func fault(of contents: Contents) -> String? {
    for (log, events) in contents.logs {
      for (sequence, held) in events where logs[log]?[sequence]?.contains(held) != true {
        return "event \(sequence) is invented"
      }
      let next = (events.keys.max() ?? 0) + 1
      if let forms = logs[log]?[next], !forms.contains(where: \.isCommandStart) {
        return "the command of event \(next) is cut"
      }
    }
    return nil
  }

  /// What was promised and is not there, neither as it was nor in a form it was about to take.
  func loss(of promise: Contents, in contents: Contents) -> String? {
    for (log, events) in promise.logs {
      for (sequence, held) in events {
        let found = contents.logs[log]?[sequence]
        if found == held { continue }
        guard let found else { return "event \(sequence) of \(events.count) is lost" }
        if logs[log]?[sequence]?.contains(found) != true { return "event \(sequence) is another" }
      }
    }
    return nil
  }
}
