internal import Domain

/// The words that describe a repeating to-do.
///
/// daybook writes the words into an entry that contains the due date and the start of one slot.
struct SeriesWords: Equatable {
  enum Key: String, CaseIterable {
    /// The canonical text of the rule, if the format's own notation cannot express all of it.
    case rule = "repeat"
    /// The due date of the first slot, and its start, if any, as in `2026-11-23/2026-11-20`.
    case first
    /// The last day of the series.
    case until
    /// The slot to which the due date, the start and the state in the entry belong.
    case slot
    /// The stored slots, as a list of ``StoredSlot``.
    case slots
  }

  var rule: RepeatRule?
  var first: CivilDate?
  private var start: CivilDate?
  private(set) var until: CivilDate?
  private var slot: CivilDate?
  private(set) var stored: [StoredSlot] = []
  /// The words that cannot be read.
  private(set) var unread: [Key: String] = [:]

  /// Whether daybook wrote the words about a series or its sub-task, and not only about a rule.
  var isOfBook: Bool { first != nil || slot != nil || !stored.isEmpty || !unread.isEmpty }

  init() {}

  /// Creates the words of a series, without the rule.
  init(_ series: ExportedSeries) {
    let told = series.state.series
    (first, start, until) = (told.due, told.start, told.until)
    slot = series.shownSlot
    stored = series.listed + [series.movedCurrent].compactMap(\.self)
  }

  /// Creates the words of a sub-task that repeats with its parent; nil if the sub-task shows no slot and no slot is
  /// stored.
  ///
  /// Without the slot, a reader would close the to-do itself, on all dates, when another program completes it.
  init?(_ subtask: ExportedSubtask?) {
    guard let subtask, subtask.slot != nil || !subtask.stored.isEmpty else { return nil }
    (slot, stored) = (subtask.slot, subtask.stored)
  }

  /// Reads the words.
  init(_ values: [Key: String]) {
    rule = values[.rule].flatMap(RepeatRule.init(canonicalIfValid:))
    let days = values[.first]?.split(separator: "/").map { Self.day(String($0)) } ?? []
    (first, start) = (days.first ?? nil, days.count > 1 ? days[1] : nil)
    until = values[.until].flatMap(ForeignDate.own)
    slot = values[.slot].flatMap(Self.day)
    stored = values[.slots].map(StoredSlot.list) ?? []
    let entries = values[.slots]?.split(separator: ",").count ?? 0
    let read: [Key: Bool] = [
      .rule: rule != nil, .first: first != nil && !days.contains(nil), .until: until != nil,
      .slot: slot != nil, .slots: stored.count == entries,
    ]
    unread = values.filter { read[$0.key] == false }
  }

  private static func day(_ text: String) -> CivilDate? {
    ForeignDate.own(text).flatMap { $0.isComplete ? $0 : nil }
  }

  /// The words as text.
  var values: [Key: String] {
    var values: [Key: String] = [:]
    values[.rule] = rule?.text
    values[.first] = first.map {
      ([$0] + [start].compactMap(\.self)).map(\.iso).joined(separator: "/")
    }
    values[.until] = until?.iso
    values[.slot] = slot?.iso
    if !stored.isEmpty { values[.slots] = stored.map(\.text).joined(separator: ",") }
    return values
  }
}

extension SeriesWords {
  /// Returns the series that daybook wrote.
  ///
  /// - Parameters:
  ///   - rule: The rule of the entry.
  ///   - toldStart: The start in the entry, which another program may have changed.
  /// - Returns: The series; nil if the words contain no first date.
  func series(_ rule: RepeatRule, start toldStart: CivilDate?) -> Series? {
    guard let first, let written = Series(rule: rule, due: first, start: start, until: until) else {
      return nil
    }
    let shown = slot ?? written.anchor
    let expected =
      written.start(of: shown)
      ?? (shown.days(since: written.anchor)).flatMap { distance in
        first.adding(days: distance)
      }
    guard let toldStart, let expected, let shift = toldStart.days(since: expected) else {
      return Series(rule: rule, due: first, until: until)
    }
    return Series(
      rule: rule, due: first, start: (start ?? first).adding(days: shift), until: until)
  }

  /// Returns the series with the slot that was current, which is nil if the series was finished.
  func told(_ series: Series) -> ToldSeries {
    let shown = slot ?? series.anchor
    let isFinished =
      stored.contains { $0.slot == shown && !$0.isOpen }
      || (series.until?.lastDay).map { shown > $0 } ?? false
    return ToldSeries(series: series, slot: isFinished ? nil : shown, stored: stored)
  }

  /// Applies these words to the record of a sub-task of a series.
  func takePart(into record: inout ForeignRecord, _ settings: ForeignSettings) {
    if let slot { return record.take(ToldSubtask(slot: slot, stored: stored), settings) }
    // The state of the entry belongs to the to-do itself.
    record.occurrences = stored.map { ForeignRecord(occurrence: $0, at: record.place) }
  }
}
