import Bytes
import Domain

/// Everything that the logs tell, read once.
struct Told {
  /// All facts, log by log; those that say nothing any more stand last.
  var facts: [Fact]
  /// How many of the facts can still be read.
  var readable: Int
  /// What the commands that undid others are, by their events.
  var undoing: [EventKey: Undoer]
  /// The events of the commands that have several, by their logs and in order.
  var commands: [UInt32: [ClosedRange<UInt64>]]

  /// The runs of commands, by their logs and in order.
  var runs: [UInt32: [RunStretch]]

  /// The first event of the command that an event belongs to.
  func command(of key: EventKey) -> EventKey {
    let ranges = commands[key.log, default: []]
    let place = ranges.firstPlace { $0.upperBound >= key.sequence }
    guard place < ranges.count, ranges[place].contains(key.sequence) else { return key }
    return EventKey(log: key.log, sequence: ranges[place].lowerBound)
  }

  /// What people are told of as one: the command that a fact belongs to, or the run of them, unless it had happened
  /// at a time of its own.
  func entry(of fact: Fact, in replica: UniqueID) -> EntryList.Entry {
    if fact.when == nil, let run = run(of: fact.key) {
      return EntryList.Entry(replica: replica, first: run.first, time: run.time)
    }
    return EntryList.Entry(
      replica: replica, first: command(of: fact.key).sequence, time: fact.effectiveTime)
  }

  private func run(of key: EventKey) -> RunStretch? {
    guard let runs = runs[key.log] else { return nil }
    let place = runs.firstPlace { $0.events.upperBound >= key.sequence }
    return place < runs.count && runs[place].events.contains(key.sequence) ? runs[place] : nil
  }

  /// Why commands were given, by their first events.
  var reasons: [EventKey: String] {
    var reasons: [EventKey: String] = [:]
    for fact in facts.prefix(readable) {
      guard let reason = fact.body.writes.last(where: { $0.field == .because })?.value.text else {
        continue
      }
      reasons[command(of: fact.key)] = reason
    }
    return reasons
  }

  /// The kinds of all entities.
  var kinds: [EventKey: Kind] {
    var kinds: [EventKey: Kind] = [:]
    for fact in facts.prefix(readable) {
      if case .kind(let kind) = fact.body.target { kinds[fact.key] = kind }
    }
    return kinds
  }
}

/// Lets through the facts that are asked for.
struct FactFilter {
  var wish: HistoryWish
  /// The moment that is looked at; what came later had not happened.
  var moment: Int64?
  /// The entities of the record they are about.
  var members: Set<EventKey>?
  /// The logs they may stand in.
  var replicas: Set<UniqueID>?
  /// The kinds of all entities, where a field is asked for.
  var kinds: [EventKey: Kind]
  var causality: Causality

  func takes(_ fact: Fact, in told: Told, at place: Int) -> Bool {
    let isErased = place >= told.readable
    if isErased, members != nil || wish.field != nil { return false }
    let time = fact.effectiveTime
    if let since = wish.since, time < since { return false }
    if let until = wish.until, time > until { return false }
    if let moment, time > moment { return false }
    if let members, fact.touched.isDisjoint(with: members) { return false }
    if replicas != nil || wish.command != nil {
      guard let log = causality.identity(of: fact.key.log)?.id else { return false }
      if let replicas, !replicas.contains(log) { return false }
      if let command = wish.command, command.replica != log { return false }
      if let command = wish.command, told.command(of: fact.key).sequence != command.first {
        return false
      }
    }
    return wish.field.map { writes(fact, $0) } ?? true
  }

  private func writes(_ fact: Fact, _ name: String) -> Bool {
    guard let kind = kinds[fact.subject] else { return false }
    return fact.body.writes.contains { write in
      Schema.field(write.field, of: kind).map { $0.name == name || $0.optionName == name } ?? false
    }
  }
}

extension Fact {
  /// The entity it is about.
  var subject: EventKey {
    if case .entity(let target) = body.target { target } else { key }
  }

  /// That it happened, and nothing of what it said.
  var blank: Fact {
    var blank = self
    blank.body = Body(.edit, .entity(key))
    return blank
  }
}
