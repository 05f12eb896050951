import Bytes
import Domain
import Testing

/// The current occurrence of a series.
///
/// Today is Thursday, 26 November 2026.
@Suite struct SeriesStateTests {
  static func day(_ text: String) throws -> CivilDate { try CivilDate.parse(text) }

  static func series(
    _ rule: String, _ due: String, start: String? = nil, until: String? = nil,
    closing: Series.Closing? = nil
  ) throws -> Series {
    try #require(
      Series(
        rule: try RepeatRule(canonical: rule), due: try day(due), start: try start.map(day),
        until: try until.map(day), closing: closing))
  }

  static func occurrence(
    _ slot: String, done: String? = nil, skipped: String? = nil, due: String? = nil, id: UInt64 = 1
  ) throws -> Series.Occurrence {
    let closing: Series.Closing? =
      if let done {
        Series.Closing(.done, on: try day(done))
      } else {
        try skipped.map { Series.Closing(.skipped, on: try day($0)) }
      }
    return Series.Occurrence(
      EventKey(log: 0, sequence: id), id: UniqueID(high: 0, low: id), slot: try day(slot),
      closing: closing, due: try due.map(day))
  }

  private let today: CivilDate
  private let weekly: Series

  init() throws {
    today = try Self.day("2026-11-26")
    weekly = try Self.series("FREQ=WEEKLY", "2026-11-23")
  }

  @Test func `Series: each date of the rule is shown once, whatever was closed before`()
    throws
  {
    let monthly = try Self.series("FREQ=MONTHLY;SKIP=BACKWARD", "2026-12-31")
    let counted = try Self.series("FREQ=DAILY;COUNT=3", "2026-11-26")
    for (series, expected) in [
      (monthly, ["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31"]),
      (counted, ["2026-11-26", "2026-11-27", "2026-11-28"]),
    ] {
      var shown: [String] = []
      var closed: [Series.Occurrence] = []
      while shown.count < 4, let slot = SeriesState(series, closed).current?.slot.iso {
        shown.append(slot)
        closed.append(try Self.occurrence(slot, done: slot, id: UInt64(shown.count)))
      }
      #expect(shown == expected)
    }
  }

  // MARK: The numbered examples of the specification

  @Test func `Series: two completions of one slot are one closed slot and one next`() throws {
    let state = SeriesState(
      weekly,
      [
        try Self.occurrence("2026-11-23", done: "2026-11-26", id: 2),
        try Self.occurrence("2026-11-23", done: "2026-11-26", id: 1),
      ])
    #expect(
      state.stored.map(\.keys) == [[EventKey(log: 0, sequence: 1), EventKey(log: 0, sequence: 2)]])
    #expect(state.stored.map(\.closing) == [.done])
    #expect(state.current?.slot.iso == "2026-11-30")
    #expect(state.current?.keys == [])
  }

  @Test func `Series: an undo that did not know of a completion leaves the slot closed`() throws {
    // The other device's write of true survives in addition to the false of the undo.
    let closing = Series.Closing(isDone: true, isCancelled: false, closedOn: today)
    let slot = try Self.day("2026-11-23")
    let stored = Series.Occurrence(
      EventKey(log: 0, sequence: 1), id: UniqueID.none, slot: slot, closing: closing)
    #expect(SeriesState(weekly, [stored]).current?.slot.iso == "2026-11-30")
    #expect(Series.Closing(isDone: false, isCancelled: false, closedOn: today) == nil)
  }

  @Test func `Series: completing a neglected series passes over the missed dates`() throws {
    let daily = try Self.series("FREQ=DAILY", "2026-11-01")
    let state = SeriesState(daily, [])
    let current = try #require(state.current)
    #expect(current.due.days(since: today) == -25)
    #expect(state.missed(before: today) == 0)
    let after = SeriesState(daily, [try Self.occurrence("2026-11-01", done: "2026-11-26")])
    #expect(after.passedOver(after: current.slot) == 24)
    #expect(after.current?.slot.iso == "2026-11-26")
  }

  @Test func `Series: a rule that keeps missed dates shows the next of them`() throws {
    let monthly = try Self.series("FREQ=MONTHLY;MISSED=KEEP", "2026-10-01")
    let state = SeriesState(monthly, [])
    #expect(state.missed(before: today) == 1)
    let after = SeriesState(monthly, [try Self.occurrence("2026-10-01", done: "2026-11-26")])
    #expect(after.passedOver(after: try Self.day("2026-10-01")) == 0)
    #expect(after.current?.slot.iso == "2026-11-01")
    #expect(after.missed(before: today) == 0)
  }

  @Test func `Series: a rule that counts from the completion continues from it`() throws {
    let filter = try Self.series("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-20")
    let state = SeriesState(filter, [try Self.occurrence("2026-11-20", done: "2026-11-26")])
    #expect(state.current?.slot.iso == "2026-11-29")
  }

  @Test func `Series: with nothing stored, the first slot is shown`() {
    #expect(SeriesState(weekly, []).current?.slot.iso == "2026-11-23")
    #expect(!SeriesState(weekly, []).isFinished)
  }

  // MARK: The concurrent cases

  @Test func `Series: done takes precedence over skipped`() throws {
    let state = SeriesState(
      weekly,
      [
        try Self.occurrence("2026-11-23", done: "2026-11-24", id: 1),
        try Self.occurrence("2026-11-23", skipped: "2026-11-25", id: 2),
      ])
    #expect(state.stored.map(\.closing) == [.done])
    #expect(state.stored.map { $0.closedOn?.iso } == ["2026-11-25"])
    let both = Series.Closing(isDone: true, isCancelled: true, closedOn: today)
    #expect(both == Series.Closing(.done, on: today))
  }

  @Test func `Series: a slot that was done and moved is closed and keeps its own due date`() throws
  {
    let moved = try Self.occurrence("2026-11-23", done: "2026-11-26", due: "2026-11-27")
    let state = SeriesState(weekly, [moved])
    #expect(state.stored.map { $0.due?.iso } == ["2026-11-27"])
    #expect(state.current?.slot.iso == "2026-11-30")
  }

  @Test func `Series: a moved slot is shown with its own due date`() throws {
    let state = SeriesState(weekly, [try Self.occurrence("2026-11-23", due: "2026-11-28")])
    #expect(
      state.current
        == SeriesState.Current(
          slot: try Self.day("2026-11-23"), due: try Self.day("2026-11-28"), start: nil,
          keys: [EventKey(log: 0, sequence: 1)]))
  }

  @Test func `Series: two slots closed on one device and one on another are both closed`() throws {
    let state = SeriesState(
      weekly,
      [
        try Self.occurrence("2026-11-30", done: "2026-11-26", id: 3),
        try Self.occurrence("2026-11-23", done: "2026-11-26", id: 1),
        try Self.occurrence("2026-11-23", done: "2026-11-26", id: 2),
      ])
    #expect(state.stored.map(\.slot.iso) == ["2026-11-23", "2026-11-30"])
    #expect(state.current?.slot.iso == "2026-12-07")
  }

  @Test func `Series: a changed rule counts on from the closed slot`() throws {
    let monthly = try Self.series("FREQ=MONTHLY", "2026-11-23")
    let state = SeriesState(monthly, [try Self.occurrence("2026-11-23", done: "2026-11-26")])
    #expect(state.current?.slot.iso == "2026-12-23")
  }

  @Test func `Series: it is finished if the last slot is closed`() throws {
    let ended = try Self.series("FREQ=WEEKLY", "2026-11-23", until: "2026-11-23")
    #expect(SeriesState(ended, []).current?.slot.iso == "2026-11-23")
    let state = SeriesState(ended, [try Self.occurrence("2026-11-23", done: "2026-11-26")])
    #expect(state.isFinished)
    #expect(state.latestClosed?.slot.iso == "2026-11-23")
  }

  @Test func `Series: a completion by an older program closes the first slot`() throws {
    let closing = Series.Closing(isDone: true, isCancelled: false, closedOn: nil)
    let series = try Self.series("FREQ=WEEKLY", "2026-11-23", closing: closing)
    #expect(SeriesState(series, []).current?.slot.iso == "2026-11-30")
    #expect(SeriesState(series, []).stored.map(\.keys) == [[]])
    // A stored occurrence of the slot counts instead.
    let open = SeriesState(series, [try Self.occurrence("2026-11-23", due: "2026-11-24")])
    #expect(open.current?.slot.iso == "2026-11-23")
  }

  // MARK: The rules of the projection

  @Test func `Series: an open slot stays current although a later slot is next`() throws {
    let state = SeriesState(
      weekly,
      [
        try Self.occurrence("2026-11-23", due: "2026-12-24", id: 1),
        try Self.occurrence("2026-11-30", done: "2026-11-30", id: 2),
      ])
    #expect(state.next?.iso == "2026-12-07")
    #expect(state.current?.slot.iso == "2026-11-23")
  }

  @Test func `Series: a late completion does not move the current slot back`() throws {
    let later = try Self.occurrence("2026-12-07", done: "2026-12-07", id: 1)
    let late = try Self.occurrence("2026-11-23", done: "2026-11-23", id: 2)
    #expect(SeriesState(weekly, [later]).current?.slot.iso == "2026-12-14")
    #expect(SeriesState(weekly, [later, late]).current?.slot.iso == "2026-12-14")
  }

  @Test func `Series: without a day of closing, the day of the slot counts`() throws {
    let closing = Series.Closing(.done, on: nil)
    let slot = try Self.day("2026-11-23")
    let stored = Series.Occurrence(
      EventKey(log: 0, sequence: 1), id: UniqueID.none, slot: slot, closing: closing)
    #expect(SeriesState(weekly, [stored]).current?.slot.iso == "2026-11-30")
  }

  @Test func `Series: a rule that counts from an early completion continues after the slot`()
    throws
  {
    let series = try Self.series("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-30")
    let state = SeriesState(series, [try Self.occurrence("2026-11-30", done: "2026-11-26")])
    #expect(state.current?.slot.iso == "2026-12-02")
  }

  @Test func `Series: COUNT limits the slots, or the completions from which a rule counts`() throws
  {
    let two = try Self.series("FREQ=WEEKLY;COUNT=2", "2026-11-23")
    let first = try Self.occurrence("2026-11-23", done: "2026-11-23", id: 1)
    let second = try Self.occurrence("2026-11-30", done: "2026-11-30", id: 2)
    #expect(SeriesState(two, [first]).current?.slot.iso == "2026-11-30")
    #expect(SeriesState(two, [first, second]).isFinished)
    let done = try Self.series("FREQ=DAILY;INTERVAL=10;COUNT=2;FROM=DONE", "2026-11-23")
    #expect(SeriesState(done, [first]).current?.slot.iso == "2026-12-03")
    #expect(SeriesState(done, [first, second]).isFinished)
  }

  @Test func `Series: only dates before the end without a stored occurrence are passed over`()
    throws
  {
    let daily = try Self.series("FREQ=DAILY;COUNT=10", "2026-11-01")
    let moved = try Self.occurrence("2026-11-05", due: "2026-12-24")
    let first = try Self.occurrence("2026-11-01", skipped: "2026-11-26", id: 2)
    let after = SeriesState(daily, [moved, first])
    #expect(after.passedOver(after: first.slot) == 8)
    #expect(after.next == nil)
    #expect(after.current?.slot.iso == "2026-11-05")
  }

  @Test func `Series: due and start keep their distance`() throws {
    let due = try Self.series("FREQ=WEEKLY", "2026-11-23", start: "2026-11-20")
    let next = SeriesState(due, [try Self.occurrence("2026-11-23", done: "2026-11-23")])
    #expect(next.current?.due.iso == "2026-11-30")
    #expect(next.current?.start?.iso == "2026-11-27")
    let start = try Self.series("FREQ=MONTHLY;FROM=START", "2026-11-05", start: "2026-11-01")
    #expect(start.anchor.iso == "2026-11-01")
    // The slot of 1 November is due on the 5th; on that day it is not yet passed.
    let after = SeriesState(start, [try Self.occurrence("2026-11-01", done: "2026-12-03")])
    #expect(after.current?.slot.iso == "2026-12-01")
    #expect(after.current?.due.iso == "2026-12-05")
  }

  @Test func `Series: undone opens the slot that was closed last`() throws {
    let state = SeriesState(
      weekly,
      [
        try Self.occurrence("2026-11-23", done: "2026-11-26", id: 1),
        try Self.occurrence("2026-11-30", done: "2026-11-26", id: 2),
        try Self.occurrence("2026-12-07", id: 3),
      ])
    #expect(state.latestClosed?.slot.iso == "2026-11-30")
    #expect(SeriesState(weekly, []).latestClosed == nil)
  }

  // MARK: Dates to come

  @Test func `Series: the dates to come follow the current date and the passed-over ones`() throws {
    func dates(
      _ rule: String, _ due: String, until: String? = nil, _ stored: [Series.Occurrence] = []
    ) throws -> [String] {
      let series = try Self.series(rule, due, until: until)
      return SeriesState(series, stored).datesToCome(3, closingOn: today).map(\.iso)
    }
    #expect(try dates("FREQ=WEEKLY", "2026-11-23") == ["2026-11-30", "2026-12-07", "2026-12-14"])
    #expect(try dates("FREQ=DAILY", "2026-11-01") == ["2026-11-26", "2026-11-27", "2026-11-28"])
    #expect(
      try dates("FREQ=MONTHLY;MISSED=KEEP", "2026-10-01")
        == ["2026-11-01", "2026-12-01", "2027-01-01"])
    #expect(try dates("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-20") == ["2026-11-29"])
    #expect(try dates("FREQ=WEEKLY;COUNT=2", "2026-11-23") == ["2026-11-30"])
    #expect(
      try dates("FREQ=WEEKLY", "2026-11-23", until: "2026-12-07") == ["2026-11-30", "2026-12-07"])
    let moved = try Self.occurrence("2026-11-30", due: "2026-12-02")
    let closed = try Self.occurrence("2026-12-07", done: "2026-11-25", id: 2)
    let open = try Self.occurrence("2026-11-23", due: "2026-11-24", id: 3)
    #expect(
      try dates("FREQ=WEEKLY", "2026-11-23", [open, moved, closed])
        == ["2026-12-02", "2026-12-14", "2026-12-21"])
    #expect(
      try dates(
        "FREQ=WEEKLY", "2026-11-23", until: "2026-11-23",
        [try Self.occurrence("2026-11-23", done: "2026-11-26")]) == [])
  }

  @Test func `Series: the next slot and the dates to come are not due before the day of closing`()
    throws
  {
    // The due date of 9999-12-30 would be outside the years 1 to 9999, so it is due on itself.
    let late = try Self.series("FREQ=WEEKLY;FROM=START", "9999-12-29", start: "9999-12-23")
    // No day is four days after 9999-12-29.
    let early = try Self.series("FREQ=DAILY;FROM=START", "9999-12-20", start: "9999-12-24")
    for (series, day, next) in [
      (late, "9999-12-30", "9999-12-30"), (late, "9999-12-31", nil),
      (early, "9999-12-26", "9999-12-30"), (early, "9999-12-29", nil),
    ] {
      let closed = try Self.occurrence(series.anchor.iso, done: day)
      #expect(SeriesState(series, [closed]).next?.iso == next)
      let dates = SeriesState(series, []).datesToCome(1, closingOn: try Self.day(day))
      let due = try next.map { series.due(of: try Self.day($0)) }
      #expect(dates == [due].compactMap(\.self))
    }
  }
}
