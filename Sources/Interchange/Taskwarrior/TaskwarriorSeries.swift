internal import Bytes
internal import Domain

/// Reads a recurring Taskwarrior task as a series, and its children as occurrences.
///
/// The task itself is a template, which contains the first due date and the period. Taskwarrior adds a child for each
/// date; `imask` is the index of the date, and the template's `mask` has a character for each date: `-` pending, `+`
/// done, `X` deleted.
struct TaskwarriorSeries {
  typealias Child = (place: ForeignPlace, task: TaskwarriorTask)

  private let task: TaskwarriorTask
  private let children: [Child]
  private let settings: ForeignSettings
  /// The words that daybook wrote.
  private let words: SeriesWords
  private let recur: String?

  init(_ task: TaskwarriorTask, _ children: [Child], _ settings: ForeignSettings) {
    (self.task, self.children, self.settings) = (task, children, settings)
    words = SeriesWords(TaskwarriorTask.seriesWords(task[.series]))
    recur = task["recur"]?.string
  }

  /// Whether Taskwarrior creates children for the task.
  private var isTemplate: Bool { recur != nil }

  /// Reads how a to-do repeats.
  ///
  /// - Parameter record: The to-do, whose other fields have already been read.
  /// - Returns: Whether the to-do repeats.
  func read(into record: inout ForeignRecord) -> Bool {
    if words.isOfBook {
      guard let first = words.first else {
        words.takePart(into: &record, settings)
        return false
      }
      let rule = TaskwarriorRepeat.rule(recur, beside: words.rule, from: first)
      guard let rule else { return false }
      return isTemplate ? takeOwn(&record, rule) : takeOwnTask(&record, rule)
    }
    guard task["status"]?.string == "recurring", let recur else { return false }
    let repeats = record.repeat { due in TaskwarriorRepeat.rule(recur, from: due) }
    guard repeats, let series = foreignSeries(record) else { return false }
    takeForeign(&record, series)
    return true
  }

  /// Whether ``read(into:)`` finds a series; this is known even before the due date has been read.
  var isSeries: Bool {
    let due = words.first ?? self.due?.day
    guard let due, words.isOfBook || task["status"]?.string == "recurring" else { return false }
    return TaskwarriorRepeat.rule(recur, beside: words.rule, from: due) != nil
  }

  /// The local day and time of the first due date.
  private var due: TaskwarriorDay? {
    task["due"]?.string.flatMap(TaskwarriorTime.parse).flatMap { TaskwarriorDay($0, settings) }
  }
}

// MARK: Data that daybook wrote

extension TaskwarriorSeries {
  /// Reads a series that is a single task, because Taskwarrior has no period with its dates.
  private func takeOwnTask(_ record: inout ForeignRecord, _ rule: RepeatRule) -> Bool {
    guard let series = words.series(rule, start: record.date(Field.Todo.start)) else {
      return false
    }
    record.take(words.told(series), settings)
    return true
  }

  private func takeOwn(_ record: inout ForeignRecord, _ rule: RepeatRule) -> Bool {
    guard let due = record.date(Field.Todo.due) else { return false }
    // The template contains the first due date; a different date restarts the series.
    let series = Series(
      rule: rule, due: due, start: record.date(Field.Todo.start), until: words.until)
    guard let series else { return false }
    let told = dates(of: series, record, words.stored)
    record.occurrences = told.occurrences
    record.set(series)
    keepOpen(told.open, of: series, in: &record)
    return true
  }

  /// Stores the open dates that have children, if the series would pass over them.
  private func keepOpen(
    _ open: [CivilDate], of series: Series, in record: inout ForeignRecord
  ) {
    let stored = record.occurrences.compactMap { StoredSlot($0) }
    let next = SeriesState(series, told: stored).next ?? open.max()?.adding(days: 1)
    guard let next else { return }
    for slot in open where slot < next {
      var occurrence = ForeignRecord(occurrence: StoredSlot(slot, .open), at: record.place)
      occurrence.base = record.base.map { _ in FieldDigests() }
      record.occurrences.append(occurrence)
    }
  }
}

// MARK: Children

extension TaskwarriorSeries {
  /// The occurrences that the children describe, and the dates of children that are merely open.
  private typealias Dates = (occurrences: [ForeignRecord], open: [CivilDate])

  /// Reads the children.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - record: The to-do.
  ///   - stored: The slots that daybook wrote.
  /// - Returns: The occurrences that the children describe.
  private func dates(
    of series: Series, _ record: ForeignRecord, _ stored: [StoredSlot]
  ) -> Dates {
    var slots: [CivilDate: StoredSlot] = [:]
    for slot in stored { slots[slot.slot] = slot }
    var told: [CivilDate: ForeignRecord] = [:]
    for slot in stored where !(slot.isOpen && slot.day != nil) {
      var occurrence = ForeignRecord(occurrence: slot, at: record.place)
      occurrence.base = record.base.map { _ in FieldDigests(occurrence.fields, of: .todo) }
      told[slot.slot] = occurrence
    }
    var open: [CivilDate] = []
    let indexed = indexedDates(of: series)
    for child in children {
      let reading = TaskwarriorChild(child.task, at: child.place, settings)
      guard let slot = reading.slot(in: series, indexed) else { continue }
      let occurrence = reading.occurrence(
        at: slot, of: series, record, template: due, recur: recur, written: slots[slot])
      if occurrence.fields.count > 1 {
        told[slot] = occurrence
      } else {
        open.append(slot)
      }
    }
    return (told.values.sorted { ($0.slot ?? series.due) < ($1.slot ?? series.due) }, open)
  }

  /// The maximum number of dates to examine one by one.
  private static let mostDates = 20_000

  /// Returns the dates to which the children, or the mask, refer by index.
  private func indexedDates(of series: Series) -> [CivilDate] {
    let last = children.compactMap { TaskwarriorTask.index($0.task["imask"]) }.max() ?? -1
    let count = max(last + 1, task["mask"]?.string?.utf8.count ?? 0)
    return Array(series.dates.prefix(min(count, Self.mostDates)))
  }
}

// MARK: Data that Taskwarrior wrote

extension TaskwarriorSeries {
  private func foreignSeries(_ record: ForeignRecord) -> Series? {
    guard let text = record.fields[Field.Todo.repeat],
      case .value(.text(let canonical)) = text, let rule = RepeatRule(canonicalIfValid: canonical),
      let due = record.date(Field.Todo.due)
    else { return nil }
    return Series(rule: rule, due: due, start: record.date(Field.Todo.start), until: lastDay)
  }

  /// The last day on which a child is due.
  private var lastDay: CivilDate? {
    guard let end = task["until"]?.string.flatMap(TaskwarriorTime.parse),
      let day = settings.localDay(of: end),
      let due = task["due"]?.string.flatMap(TaskwarriorTime.parse)
    else { return nil }
    let time = TaskwarriorDay(due, settings)?.minute ?? 0
    let isEarlier = settings.instant(of: day, minute: time).map { end < $0 } ?? false
    return isEarlier ? day.adding(days: -1) : day
  }

  private func takeForeign(_ record: inout ForeignRecord, _ series: Series) {
    var told = dates(of: series, record, [])
    let closedByMask = closedByMask(series, told)
    let slots = Set(told.occurrences.filter(\.isClosed).compactMap(\.slot))
    let lastClosed = (slots.union(closedByMask.map(\.slot))).max()
    // Taskwarrior keeps each missed date.
    let keepsMissed = lastClosed.map { last in told.open.contains { $0 < last } } ?? false
    for slot in closedByMask {
      var occurrence = ForeignRecord(occurrence: slot, at: record.place)
      // Without missed dates, only the last closed date affects later dates.
      if !keepsMissed, slot.slot != lastClosed { occurrence.standing = .incidental }
      told.occurrences.append(occurrence)
    }
    record.occurrences = told.occurrences
    record.set(series)
    if keepsMissed, let rule = series.rule.keepingMissed {
      record.set(Field.Todo.repeat, .text(rule.text))
    }
    keepUUIDs(of: told.open, series, in: &record)
  }

  /// Returns the dates that are closed according to the mask and have no children.
  ///
  /// Taskwarrior forgets purged children. If the file contains open children, earlier dates are no longer open.
  private func closedByMask(_ series: Series, _ told: Dates) -> [StoredSlot] {
    let mask = Array(task["mask"]?.string ?? "")
    let dates = indexedDates(of: series)
    let known = Set(told.occurrences.compactMap(\.slot) + told.open)
    let open = told.open + told.occurrences.filter { !$0.isClosed }.compactMap(\.slot)
    return zip(dates, mask).compactMap { date, sign in
      guard !known.contains(date) else { return nil }
      switch sign {
      case "+": return StoredSlot(date, .done)
      case "X": return StoredSlot(date, .skipped)
      default: return open.contains { date < $0 } ? StoredSlot(date, .skipped) : nil
      }
    }
  }

  /// Keeps the ids of the children of open dates, by which an export refers to them.
  private func keepUUIDs(
    of open: [CivilDate], _ series: Series, in record: inout ForeignRecord
  ) {
    let indexed = indexedDates(of: series)
    let names = children.compactMap { child -> String? in
      let reading = TaskwarriorChild(child.task, at: child.place, settings)
      guard let slot = reading.slot(in: series, indexed), open.contains(slot),
        let uuid = child.task["uuid"]?.string
      else { return nil }
      return "\(slot.iso)=\(uuid.lowercased())"
    }
    let text = JSON.string(names.joined(separator: ",")).text()
    guard !names.isEmpty, text.utf8.count <= ForeignAttribute.keptBytes else { return }
    record.extra[TaskwarriorTask.openChildren] = text
  }
}
