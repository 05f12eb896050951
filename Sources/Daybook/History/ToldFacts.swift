import Bytes
import Domain

/// Facts that were read from the logs, with their commands, runs and undos.
struct ToldFacts {
  /// The facts, log by log; blank facts, for erased events, are at the end.
  var facts: [Fact]
  /// The number of facts before the blank facts.
  var readable: Int
  /// For each event of a command that was an undo or a redo, which of the two the command was.
  var undoing: [EventKey: Undoer]
  /// The events of commands with several events, by log and in order.
  var commands: [UInt32: [ClosedRange<UInt64>]]

  /// The runs of commands, by log and in order.
  var runs: [UInt32: [RunStretch]]

  /// Returns the first event of the command that an event belongs to.
  func command(of key: EventKey) -> EventKey {
    let ranges = commands[key.log, default: []]
    let place = ranges.firstPlace { $0.upperBound >= key.sequence }
    guard place < ranges.count, ranges[place].contains(key.sequence) else { return key }
    return EventKey(log: key.log, sequence: ranges[place].lowerBound)
  }

  /// Returns the entry of the daybook that a fact belongs to: the entry of its run or, if it has no run, of its
  /// command.
  ///
  /// A fact with a stated time is not part of the entry of its run.
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

  /// The reasons of commands, in the user's words, by their first events.
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

  /// The entities that are added as occurrences of a to-do with the given members.
  func occurrences(of members: Set<EventKey>) -> [EventKey] {
    facts.prefix(readable).filter { fact in
      fact.body.verb == .add && fact.body.target == .kind(.todo)
        && fact.body.writes.contains { write in
          write.field == .owner && write.value.reference.map(members.contains) ?? false
        }
    }.map(\.key)
  }

  /// The kind of each entity that a fact adds.
  var kinds: [EventKey: Kind] {
    var kinds: [EventKey: Kind] = [:]
    for fact in facts.prefix(readable) {
      if case .kind(let kind) = fact.body.target { kinds[fact.key] = kind }
    }
    return kinds
  }
}

/// Selects the facts that a request asks for.
struct FactFilter {
  var wish: HistoryWish
  /// The time for which history is requested; later facts are omitted.
  var moment: Int64?
  /// The members of the requested record, the aliases that refer to them, and the occurrences of a repeating to-do; nil
  /// if no record is requested.
  var members: Set<EventKey>?
  /// The logs of the requested device; nil if no device is requested.
  var replicas: Set<UniqueID>?
  /// The kinds of all entities; needed only if a field is requested.
  var kinds: [EventKey: Kind]
  var causality: Causality

  func takes(_ fact: Fact, in told: ToldFacts, at place: Int) -> Bool {
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
  /// The entity that the fact is about.
  var subject: EventKey {
    if case .entity(let target) = body.target { target } else { key }
  }

  /// The fact without its content, in the form of a fact of an erased event.
  var blank: Fact {
    var blank = self
    blank.body = Body(.edit, .entity(key))
    return blank
  }
}
