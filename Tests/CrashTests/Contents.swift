import Bytes
import Journaling
import Platform

/// An event as a reader finds it.
struct Held: Hashable {
  var hash: Digest
  var body: [UInt8]
  var isCommandStart: Bool
  /// How many events of the command follow its first.
  var more: UInt64
}

/// All events of a journal that can be read, each in the log or branch that it belongs to.
struct Contents: Hashable {
  var logs: [UniqueID: [UInt64: Held]] = [:]
  /// What readers found damaged.
  var damage: [Damage] = []
  /// Who wrote each log.
  private(set) var replicas: [UniqueID: UniqueID] = [:]

  init() {}

  init(of journal: borrowing Journal) throws {
    let ends = journal.logs.merging(journal.aside) { first, _ in first }
    for (log, end) in ends.sorted(by: { $0.key < $1.key }) {
      let lineage = journal.lineage(of: log)
      var reader = try journal.reader(of: log)
      var events: [UInt64: Held] = [:]
      // A frame may reach into what another branch holds.
      while reader.next <= end.sequence, let read = try reader.read() {
        for event in read.frame.events[read.firstNew...]
        where event.sequence >= lineage.first && event.sequence <= end.sequence {
          events[event.sequence] = Held(
            hash: event.hash, body: Array(read.frame.content[event.body]),
            isCommandStart: event.isCommandStart, more: event.more)
        }
      }
      logs[log] = events
      replicas[log] = lineage.replica
      // Branches that lie in the same folder meet the same damage.
      damage += reader.damage.filter { !damage.contains($0) }
    }
  }

  var count: Int { logs.values.reduce(0) { $0 + $1.count } }

  /// The events by their hashes, which tell all that is before them, whatever the log is called by now.
  var events: [Digest: Held] {
    var events: [Digest: Held] = [:]
    for held in logs.values.lazy.flatMap(\.values) { events[held.hash] = held }
    return events
  }

  /// The hashes of all that a replica wrote.
  func hashes(of replica: UniqueID) -> Set<Digest> {
    let own = logs.filter { replicas[$0.key] == replica }
    return Set(own.values.lazy.flatMap(\.values).map(\.hash))
  }
}

/// Every form in which each event was ever there, in the order in which it took them.
struct Forms {
  private var forms: [Digest: [Held]] = [:]

  init(_ all: [Contents] = []) {
    for contents in all { add(contents) }
  }

  mutating func add(_ contents: Contents) {
    for (hash, held) in contents.events where forms[hash]?.contains(held) != true {
      forms[hash, default: []].append(held)
    }
  }

  /// What of a journal's contents was never written, is there twice, or is less than a whole command.
  func fault(of contents: Contents) -> String? {
    for (log, events) in contents.logs {
      for (sequence, held) in events where forms[held.hash]?.contains(held) != true {
        return "event \(sequence) is invented"
      }
      guard let last = events.keys.max() else { continue }
      let start = events.filter(\.value.isCommandStart).max { $0.key < $1.key }
      if let start, start.key + start.value.more > last {
        return "the command of event \(last) in \(log.hex) is cut"
      }
    }
    return contents.events.count == contents.count ? nil : "an event is there twice"
  }

  /// What was promised and is not there, neither as it was nor in a form it was about to take.
  func loss(of promise: Contents, in contents: Contents) -> String? {
    let found = contents.events
    for events in promise.logs.values {
      for (sequence, held) in events where found[held.hash] != held {
        guard let other = found[held.hash] else {
          return "event \(sequence) of \(events.count) is lost"
        }
        let known = forms[held.hash] ?? []
        let (before, now) = (known.firstIndex(of: held), known.firstIndex(of: other))
        guard let before, let now, now > before else { return "event \(sequence) is another" }
      }
    }
    return nil
  }
}
