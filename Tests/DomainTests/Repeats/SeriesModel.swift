import Bytes
import Domain
import TestDice

/// A series as events of several devices, folded in the simplest way that agrees with `merge.md`.
struct SeriesModel {
  enum Field: Hashable { case done, cancelled, closedOn, due, rule, anchor, until }

  /// The effect of an event on the series, or on a member of an occurrence; the event that adds a member names it.
  enum Deed {
    case add(slot: CivilDate)
    case edit(member: Int)
    case delete(member: Int)
    case series
  }

  struct Event {
    var id: Int
    var time: Int
    var seen: Set<Int>
    var deed: Deed
    /// Truths are 0 or 1, dates are days since 1970, and rules are places in ``rules``; nil clears.
    var fields: [Field: Int?] = [:]

    /// The member that the event belongs to.
    var member: Int? {
      switch deed {
      case .add: id
      case .edit(let member), .delete(let member): member
      case .series: nil
      }
    }
    var isDelete: Bool { if case .delete = deed { true } else { false } }
    var completes: Bool { fields[.done] == 1 || fields[.cancelled] == 1 }
  }

  static let rules = [
    "FREQ=WEEKLY", "FREQ=DAILY", "FREQ=DAILY;MISSED=KEEP", "FREQ=MONTHLY;SKIP=BACKWARD",
    "FREQ=DAILY;INTERVAL=3;FROM=DONE", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;COUNT=6",
  ]

  private let events: [Event]

  init(_ events: [Event]) { self.events = events }

  /// The writes to a field of a member, or of the series, that no later write has seen.
  private func survivors(_ field: Field, of member: Int?) -> [Event] {
    let writes = events.filter { $0.member == member && $0.fields.keys.contains(field) }
    return writes.filter { write in !writes.contains { $0.seen.contains(write.id) } }
  }

  private func shown(_ field: Field, of members: [Int?]) -> Int? {
    let last = members.flatMap { survivors(field, of: $0) }.max {
      ($0.time, $0.id) < ($1.time, $1.id)
    }
    return last?.fields[field] ?? nil
  }

  /// The living members of an occurrence, earliest first; a delete counts only against writes that it has seen.
  func members(of slot: CivilDate) -> [Int] {
    events.compactMap { event -> (Int, Int)? in
      guard case .add(slot) = event.deed else { return nil }
      let all = events.filter { $0.member == event.id }
      let isDead = all.contains { delete in
        delete.isDelete && all.allSatisfy { $0.isDelete || delete.seen.contains($0.id) }
      }
      return isDead ? nil : (event.time, event.id)
    }.sorted { $0 < $1 }.map(\.1)
  }

  /// The members that receive a write to a field; empty if the occurrence must be added.
  func targets(_ field: Field, of slot: CivilDate) -> [Int] {
    let living = members(of: slot)
    let having = living.filter { !survivors(field, of: $0).isEmpty }
    return having.isEmpty ? Array(living.prefix(1)) : having
  }

  var slots: Set<CivilDate> {
    Set(events.compactMap { if case .add(let slot) = $0.deed { slot } else { nil } })
  }

  func state() throws -> SeriesState? {
    guard let anchor = shown(.anchor, of: [nil]).flatMap(CivilDate.init(epochDay:)) else {
      return nil
    }
    let rule = try RepeatRule(canonical: Self.rules[shown(.rule, of: [nil]) ?? 0])
    let until = shown(.until, of: [nil]).flatMap(CivilDate.init(epochDay:))
    guard let series = Series(rule: rule, due: anchor, until: until) else { return nil }
    return SeriesState(series, slots.compactMap(occurrence))
  }

  private func occurrence(_ slot: CivilDate) -> Series.Occurrence? {
    let members = members(of: slot)
    guard let first = members.first else { return nil }
    func isTrue(_ field: Field) -> Bool {
      members.contains { survivors(field, of: $0).contains { $0.fields[field] == 1 } }
    }
    return Series.Occurrence(
      EventKey(log: 0, sequence: UInt64(first)), id: UniqueID(high: 0, low: UInt64(first)),
      slot: slot,
      closing: Series.Closing(
        isDone: isTrue(.done), isCancelled: isTrue(.cancelled),
        closedOn: shown(.closedOn, of: members).flatMap(CivilDate.init(epochDay:))),
      due: shown(.due, of: members).flatMap(CivilDate.init(epochDay:)))
  }
}
