import Bytes
import Journaling
import Platform

/// An event that a reader has returned.
struct Held: Hashable {
  var hash: Digest
  var body: [UInt8]
  var isCommandStart: Bool
  /// If this is the first event of its command, the number of events that follow in the command.
  var more: UInt64
}

/// All readable events of a journal, each in its log or branch.
struct Contents: Hashable {
  var logs: [UniqueID: [UInt64: Held]] = [:]
  /// The damage that readers found.
  var damage: [Damage] = []
  /// The replica of each log.
  private(set) var replicas: [UniqueID: UniqueID] = [:]

  init() {}

  init(of journal: borrowing Journal) throws {
    let ends = journal.logs.merging(journal.aside) { first, _ in first }
    for (log, end) in ends.sorted(by: { $0.key < $1.key }) {
      let lineage = journal.lineage(of: log)
      var reader = try journal.reader(of: log)
      var events: [UInt64: Held] = [:]
      // A frame may extend into the events of another branch.
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
      // Branches in the same folder have the same damage.
      damage += reader.damage.filter { !damage.contains($0) }
    }
  }

  var count: Int { logs.values.reduce(0) { $0 + $1.count } }

  /// The events by their hashes, which depend on all events before them but not on the name of the log.
  var events: [Digest: Held] {
    var events: [Digest: Held] = [:]
    for held in logs.values.lazy.flatMap(\.values) { events[held.hash] = held }
    return events
  }

  /// The hashes of all events of a replica.
  func hashes(of replica: UniqueID) -> Set<Digest> {
    let own = logs.filter { replicas[$0.key] == replica }
    return Set(own.values.lazy.flatMap(\.values).map(\.hash))
  }
}

/// Every form that each event has had, in order.
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

  /// A fault in the contents of a journal: an event that was never written, an event that occurs twice, or a partial
  /// command.
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

  /// A promised event that is present neither in its promised form nor in a later form.
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
