internal import Bytes
internal import Domain

/// Reads a child of a recurring task as an occurrence.
struct TaskwarriorChild {
  private let task: TaskwarriorTask
  private let place: ForeignPlace
  private let settings: ForeignSettings

  init(_ task: TaskwarriorTask, at place: ForeignPlace, _ settings: ForeignSettings) {
    (self.task, self.place, self.settings) = (task, place, settings)
  }

  /// The data that daybook wrote: the slot, and the digests of the occurrence.
  private var own: (slot: CivilDate, base: FieldDigests)? {
    let words = (task[.occurrence] ?? "").split(separator: " ").map(String.init)
    guard let slot = words.first.flatMap(ForeignDate.own), slot.isComplete else { return nil }
    return (slot, words.count > 1 ? FieldDigests(words[1]) ?? FieldDigests() : FieldDigests())
  }

  /// The slot that a book wrote.
  var ownSlot: CivilDate? { own?.slot }

  private var due: TaskwarriorDay? {
    task["due"]?.string.flatMap(TaskwarriorTime.parse).flatMap { TaskwarriorDay($0, settings) }
  }

  private var index: Int? { TaskwarriorTask.index(task["imask"]) }

  /// Finds the slot of the child.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - indexed: The dates of the series, from the first one on.
  /// - Returns: The slot; nil if the series has no slot for the child.
  func slot(in series: Series, _ indexed: [CivilDate]) -> CivilDate? {
    if let own { return own.slot }
    if let index, indexed.indices.contains(index) { return indexed[index] }
    guard let day = due?.day, let distance = series.due.days(since: series.anchor),
      let slot = day.adding(days: -distance), series.dates.contains(slot)
    else { return nil }
    return slot
  }

  /// Returns what the child says about its date: its state, and its differences from the series.
  ///
  /// - Parameters:
  ///   - slot: The date.
  ///   - series: The series.
  ///   - record: The to-do.
  ///   - template: The due time of the template.
  ///   - recur: The period.
  ///   - written: The data that daybook wrote about the date.
  /// - Returns: The occurrence, with only its slot if the child is open and has no differences.
  func occurrence(
    at slot: CivilDate, of series: Series, _ record: ForeignRecord, template: TaskwarriorDay?,
    recur: String?, written: StoredSlot?
  ) -> ForeignRecord {
    var occurrence = ForeignRecord(occurrenceAt: slot, at: place)
    if let written, written.state == state {
      if !(written.isOpen && written.day != nil) {
        occurrence = ForeignRecord(occurrence: written, at: place)
      }
    } else if state != .open {
      close(&occurrence)
    } else if written != nil {
      occurrence.set(Field.Todo.done, .boolean(false))
    }
    occurrence.uid = task["uuid"]?.string?.lowercased() ?? ""
    setDue(of: &occurrence, at: slot, series, record, template, recur)
    setTexts(of: &occurrence, record)
    occurrence.base = record.base.map { _ in own?.base ?? FieldDigests() }
    return occurrence
  }

  private var state: StoredSlot.State {
    switch task["status"]?.string {
    case "completed": .done
    case "deleted": .skipped
    default: .open
    }
  }

  private func close(_ occurrence: inout ForeignRecord) {
    occurrence.set(Field.Todo.done, .boolean(state == .done))
    if state == .skipped { occurrence.set(Field.Todo.cancelled, .boolean(true)) }
    // An occurrence is closed on the day of its due date if the time cannot be read.
    guard let end = (try? task.instant("end")) ?? nil else { return }
    if state == .done { occurrence.set(Field.Todo.completedAt, .integer(end)) }
    let day = task.words(of: .closed, beside: "end").compactMap(ForeignDate.own).first
    occurrence.set(Field.Todo.closedOn, (day ?? settings.localDay(of: end)).map(Value.date))
  }

  /// Sets the due date, its time and the start if they do not follow from the series.
  private func setDue(
    of occurrence: inout ForeignRecord, at slot: CivilDate, _ series: Series,
    _ record: ForeignRecord, _ template: TaskwarriorDay?, _ recur: String?
  ) {
    let expected = series.due(of: slot)
    var isDrifted = false
    if let own = task.ownDue {
      let isSame =
        own.day == expected && record.fields[Field.Todo.dueTime] == .value(.integer(own.minute))
        && record.fields[Field.Todo.zone] == own.zone.map { .value(.text($0)) }
      if !isSame { occurrence.setDue(own.day, minute: own.minute, zone: own.zone) }
    } else if let due, let template {
      let distance = expected.days(since: series.due) ?? 0
      let drifted = index.flatMap { index in
        recur.flatMap { TaskwarriorRepeat.drifted(index, $0, from: template.day) }
      }
      isDrifted = due.day == drifted
      let isSameDay = isDrifted || due.day == template.day.adding(days: distance)
      if !isSameDay || due.minute != template.minute {
        occurrence.setDue(due.day, minute: due.minute)
      }
    }
    guard !isDrifted, let wait = task["wait"]?.string.flatMap(TaskwarriorTime.parse),
      let start = TaskwarriorDay(wait, settings)?.day, series.start != nil,
      start != series.start(of: slot)
    else { return }
    occurrence.set(Field.Todo.start, .date(start))
  }

  private func setTexts(of occurrence: inout ForeignRecord, _ record: ForeignRecord) {
    if let title = task["description"]?.string?.trimmed,
      record.fields[Field.Todo.title] != .value(.text(title))
    {
      occurrence.set(Field.Todo.title, title)
    }
    guard let note = ((try? task.annotations()) ?? nil)?.joined(separator: "\n").trimmed,
      record.fields[.note] != .value(.text(note))
    else { return }
    occurrence.set(.note, note)
  }
}
