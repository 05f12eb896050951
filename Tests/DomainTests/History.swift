import Bytes
import Domain
import TestDice

/// One entry of a log's *seen* list.
struct Note: Hashable {
  var event: EventKey
  var other: UInt32
  var upTo: UInt64
  var except: [ClosedRange<UInt64>] = []
}

/// A set of facts, with the events that their authors had seen.
struct History {
  var logs: [Causality.LogIdentity] = []
  var facts: [Fact] = []
  var notes: [Note] = []

  /// The causality before any note, which has only the logs by number.
  var strangers: Causality {
    var causality = Causality()
    for log in logs { _ = causality.number(of: log.id, replica: log.replica, behind: log.trunk) }
    return causality
  }

  var causality: Causality {
    var causality = strangers
    for note in notes { causality.note(note) }
    return causality
  }

  /// The history after a revocation and an erasure.
  ///
  /// Facts are missing, but the notes of their authors remain.
  func withdrawn(_ dice: inout Dice) -> History {
    var left = self
    if dice.chance(30), let cut = dice.pick(facts)?.key {
      left.facts.removeAll { $0.key.log == cut.log && $0.key.sequence > cut.sequence }
    }
    let adds = left.facts.filter { $0.body.verb == .add }
    if dice.chance(30), let erased = dice.pick(adds)?.key {
      left.facts.removeAll { $0.body.verb != .alias && Oracle.subject($0) == erased }
    }
    return left
  }

  func folded() -> Records { Records.fold(facts, causality: causality) }
}

extension Causality {
  mutating func note(_ note: Note) {
    self.note(note.event, saw: note.other, upTo: note.upTo, except: note.except)
  }
}

/// Writes histories by hand.
///
/// The test gives the log of each event and the events that it has seen.
struct Script {
  var history = History()
  private var lengths: [UInt64] = []
  private var clock: Int64 = 1_000
  private var dice = Dice(seed: 7)

  /// Adds a log with its own replica, or a branch written by an existing replica.
  mutating func log(of replica: UInt32? = nil) -> UInt32 {
    let id = dice.id()
    let writer = replica.map { history.logs[Int($0)].replica } ?? id
    history.logs.append(Causality.LogIdentity(id: id, replica: writer))
    lengths.append(0)
    return UInt32(history.logs.count - 1)
  }

  /// Adds a log that begins at the end of another log.
  mutating func branch(of trunk: UInt32) -> UInt32 {
    history.logs.append(
      Causality.LogIdentity(
        id: dice.id(), replica: history.logs[Int(trunk)].replica, trunk: trunk))
    lengths.append(lengths[Int(trunk)])
    return UInt32(history.logs.count - 1)
  }

  @discardableResult
  mutating func write(
    _ log: UInt32, _ verb: Verb, _ target: Body.Target, _ writes: [Write] = [],
    saw seen: [EventKey] = [], except: [ClosedRange<UInt64>] = [], time: Int64? = nil,
    when: Int64? = nil
  ) -> EventKey {
    lengths[Int(log)] += 1
    clock += 10
    let key = EventKey(log: log, sequence: lengths[Int(log)])
    for other in seen {
      history.notes.append(
        Note(event: key, other: other.log, upTo: other.sequence, except: except))
    }
    history.facts.append(
      Fact(
        key: key, time: time ?? clock, when: when, hash: dice.id(),
        body: Body(verb, target, writes)))
    return key
  }

  @discardableResult
  mutating func add(
    _ log: UInt32, _ kind: Kind, _ writes: [Write] = [], saw seen: [EventKey] = [],
    time: Int64? = nil, when: Int64? = nil
  ) -> EventKey {
    write(log, .add, .kind(kind), writes, saw: seen, time: time, when: when)
  }

  @discardableResult
  mutating func edit(
    _ log: UInt32, _ key: EventKey, _ writes: [Write] = [], saw seen: [EventKey] = [],
    except: [ClosedRange<UInt64>] = [], time: Int64? = nil, when: Int64? = nil
  ) -> EventKey {
    write(log, .edit, .entity(key), writes, saw: seen, except: except, time: time, when: when)
  }

  @discardableResult
  mutating func delete(
    _ log: UInt32, _ key: EventKey, saw seen: [EventKey] = [], except: [ClosedRange<UInt64>] = []
  ) -> EventKey {
    write(log, .delete, .entity(key), saw: seen, except: except)
  }

  @discardableResult
  mutating func restore(_ log: UInt32, _ key: EventKey, saw seen: [EventKey] = []) -> EventKey {
    write(log, .restore, .entity(key), saw: seen)
  }

  @discardableResult
  mutating func alias(
    _ log: UInt32, _ key: EventKey, _ with: EventKey, saw seen: [EventKey] = []
  ) -> EventKey {
    write(log, .alias, .entity(key), [Write(.with, .reference(with))], saw: seen)
  }

  var records: Records { history.folded() }
}
