import Bytes
import Domain
import Phrasing
import Platform
import ReadModel

/// Finds the to-dos whose reminders are due by now, whether or not they have already been shown.
struct TodoReminding {
  let dues: LocalDues
  /// The lead times of to-dos that have no lead times of their own.
  let leads: ReminderLeads
  /// The states of repeating to-dos, by their ids; without its state, a to-do has reminders of its current date only.
  var series: [UniqueID: SeriesState] = [:]

  /// A date of a to-do that can have reminders.
  private struct RemindingDate {
    let due: CivilDate
    let slot: CivilDate?
    var missed = 0
  }

  /// Returns the reminders of to-dos due in the future, next reminder first, and then the reminders of overdue to-dos,
  /// latest first.
  func reminders(_ todos: [TodoRow]) -> [Reminder] {
    var found: [(reminder: Reminder, due: LocalDue)] = []
    for row in todos {
      for date in dates(of: row) {
        guard let due = dues.localDue(of: row, on: date.due),
          let reminder = reminder(of: row, at: date, due)
        else { continue }
        found.append((reminder, due))
      }
    }
    let sorted = found.sorted { LocalDue.isBefore($0.due, $1.due) }.map(\.reminder)
    return sorted.filter { $0.stage != .overdue }
      + sorted.filter { $0.stage == .overdue }.reversed()
  }

  /// Returns the reminder for a date; nil if none of its lead times has begun.
  ///
  /// One reminder represents all missed reminders.
  private func reminder(
    of row: TodoRow, at date: RemindingDate, _ due: LocalDue
  ) -> Reminder? {
    let own = (ReminderLeads(stored: row.remind) ?? leads).leads
    let begun = own.filter { hasBegun($0, row, date.due) }
    guard let latest = begun.last, let today = dues.today, let day = due.day.lastDay,
      let inDays = day.days(since: today)
    else { return nil }
    let same = due.time == nil ? later(among: own, than: latest, row, date.due) : []
    let marks = (begun + same).map { lead in
      ReminderMemory.Mark(id: row.head.id, due: mark(of: row, date, day), stage: lead.text)
    }
    return Reminder(
      subject: .todo(row, due), day: day, inDays: inDays,
      stage: dues.isPast(due) ? .overdue : .lead(latest), slot: date.slot, missed: date.missed,
      mark: marks[begun.count - 1], marks: marks)
  }

  private func hasBegun(_ lead: ReminderLead, _ row: TodoRow, _ due: CivilDate) -> Bool {
    dues.moment(of: lead, before: row, on: due).map { $0 <= dues.now } ?? false
  }

  /// Returns the lead times that begin later today, if the latest lead time began before today.
  ///
  /// Without a due time, the reminders for these lead times would repeat the sentence of the late reminder.
  private func later(
    among leads: [ReminderLead], than latest: ReminderLead, _ row: TodoRow, _ due: CivilDate
  ) -> [ReminderLead] {
    func day(_ lead: ReminderLead) -> CivilDate? {
      dues.moment(of: lead, before: row, on: due).flatMap { dues.localDay(of: $0) }
    }
    guard let today = dues.today, let begun = day(latest), begun < today else { return [] }
    return leads.filter { !hasBegun($0, row, due) && day($0) == today }
  }

  /// The due date as it is stored, because a different local time after a journey is not a different due date.
  ///
  /// A date of a repeating to-do can be moved to the day of the next date, which has its own reminder.
  private func mark(of row: TodoRow, _ date: RemindingDate, _ localDay: CivilDate) -> String {
    let day = (date.due.lastDay ?? localDay).iso
    let slot = date.slot.flatMap { $0 == date.due ? nil : "@" + $0.iso } ?? ""
    return day + timeMark(of: row, date) + slot
  }

  /// The time and the zone; empty without a time.
  private func timeMark(of row: TodoRow, _ date: RemindingDate) -> String {
    guard date.due.isComplete, let time = row.dueTime.flatMap(TimeOfDay.init(minute:))
    else { return "" }
    // Names of zones have only these characters. Any other name is left out, because it could divide the line.
    let zone = row.zone.flatMap { name in
      name.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? "/" + name : nil
    }
    return "T\(time.text)\(zone ?? "")"
  }
}

// MARK: - To-dos that repeat

extension TodoReminding {
  /// Returns the dates that can have reminders: the current date or, if it was missed, the latest date that has been
  /// reached; and the next date, whose lead times may have begun.
  private func dates(of row: TodoRow) -> [RemindingDate] {
    guard let due = row.due else { return [] }
    guard let state = series[row.head.id], let current = state.current, current.due == due else {
      return [RemindingDate(due: due, slot: row.slot)]
    }
    let isMissed = isMissed(current, row)
    let latest = isMissed ? latestCome(state, row) ?? current : current
    let missed = state.openDates(before: latest.slot)
    var dates = [RemindingDate(due: latest.due, slot: latest.slot, missed: missed)]
    if let next = state.following(latest), isMissed || isAhead(next, row) {
      let more = self.isMissed(latest, row) ? 1 : 0
      dates.append(RemindingDate(due: next.due, slot: next.slot, missed: missed + more))
    }
    return dates
  }

  private func isMissed(_ date: SeriesState.Current, _ row: TodoRow) -> Bool {
    guard let today = dues.today, let day = dues.localDue(of: row, on: date.due)?.day else {
      return false
    }
    return day < today
  }

  private func isAhead(_ date: SeriesState.Current, _ row: TodoRow) -> Bool {
    guard let today = dues.today, let day = dues.localDue(of: row, on: date.due)?.day else {
      return false
    }
    return day > today
  }

  /// Returns the latest open date whose reminder would be due without a lead time; the current date if no later date
  /// has come.
  private func latestCome(_ state: SeriesState, _ row: TodoRow) -> SeriesState.Current? {
    // In other zones, today can be a different day.
    var day = dues.today?.adding(days: 1)
    while let last = day, let found = state.latest(dueBy: last) {
      if found == state.current || hasBegun(.atDue, row, found.due) { return found }
      day = found.due.adding(days: -1)
    }
    return state.current
  }
}
