package import Bytes

/// A repeating to-do and what is stored about its occurrences: everything from which ``SeriesState`` is computed.
///
/// The caller makes a series for each living to-do that has a readable rule, a complete due date and no owner.
package struct Series: Sendable {
  /// How and when an occurrence was closed.
  package struct Closing: Hashable, Sendable {
    package enum Kind: Int, Sendable {
      case skipped = 0
      case done = 1
    }

    package let kind: Kind
    /// The day on which the occurrence was closed, from the field `closedOn`; nil if nothing is stored there.
    package let day: CivilDate?

    package init(_ kind: Kind, on day: CivilDate?) {
      self.kind = kind
      self.day = day
    }

    /// Creates the closing of a to-do; nil if it is open.
    ///
    /// - Parameters:
    ///   - isDone: Whether any surviving write to `done` in a living member is true, not just the one shown. An undo by
    ///     a device that had not received a completion therefore cannot overrule the completion.
    ///   - isCancelled: Whether the same is true of `cancelled`. If both are true, the closing is done.
    ///   - closedOn: The shown value of the field `closedOn`.
    package init?(isDone: Bool, isCancelled: Bool, closedOn: CivilDate?) {
      guard isDone || isCancelled else { return nil }
      self.init(isDone ? .done : .skipped, on: closedOn)
    }
  }

  /// A stored occurrence: a living document with the series as its owner, read from its living members only.
  package struct Occurrence: Sendable {
    package let key: EventKey
    package let id: UniqueID
    package let slot: CivilDate
    package let closing: Closing?
    /// The occurrence's own due date; nil if it inherits the due date of its slot.
    package let due: CivilDate?
    /// The occurrence's own start date; nil if it inherits the start of its slot.
    package let start: CivilDate?

    package init(
      _ key: EventKey, id: UniqueID, slot: CivilDate, closing: Closing?, due: CivilDate? = nil,
      start: CivilDate? = nil
    ) {
      self.key = key
      self.id = id
      self.slot = slot
      self.closing = closing
      self.due = due
      self.start = start
    }
  }

  package let due: CivilDate
  package let start: CivilDate?
  package private(set) var until: CivilDate?
  /// The field with the last day on which the rule may fall.
  package static let endField = Field.Todo.until
  /// The closing that a program without support for occurrences wrote to the series itself; it closes the first slot,
  /// unless an occurrence is stored for that slot.
  package let closing: Closing?
  package let dates: RepeatDates
  /// The number of days from a slot to its due date: 0 unless the rule counts from the start.
  package let dueDistance: Int
  /// The number of days from a slot to its start.
  private let startDistance: Int?

  package var rule: RepeatRule { dates.rule }
  /// The first slot.
  package var anchor: CivilDate { dates.anchor }

  /// Creates a series; nil if a date lacks its year, month or day.
  package init?(
    rule: RepeatRule, due: CivilDate, start: CivilDate? = nil, until: CivilDate? = nil,
    closing: Closing? = nil
  ) {
    let anchor = rule.basis == .start ? start ?? due : due
    guard let dates = RepeatDates(rule, anchor: anchor), let dueDistance = due.days(since: anchor)
    else { return nil }
    self.due = due
    self.start = start
    self.until = until
    self.closing = closing
    self.dates = dates
    self.dueDistance = dueDistance
    startDistance = start?.days(since: anchor)
  }

  /// The series with another end, or without an end if `until` is nil.
  func ending(on until: CivilDate?) -> Series {
    var series = self
    series.until = until
    return series
  }

  /// The due date of a slot without its own due date.
  package func due(of slot: CivilDate) -> CivilDate { slot.adding(days: dueDistance) ?? slot }

  /// The start of a slot without its own start; nil if the series has no start.
  package func start(of slot: CivilDate) -> CivilDate? {
    startDistance.flatMap { slot.adding(days: $0) }
  }

  /// The first date that is later than a day of closing and not before another day, for a rule that counts from the day
  /// of closing.
  func dateAfter(closing day: CivilDate, notBefore earliest: CivilDate) -> CivilDate? {
    guard let dates = RepeatDates(rule.endless, anchor: day), let morrow = day.adding(days: 1)
    else { return nil }
    return dates.first(onOrAfter: max(morrow, earliest))
  }
}
