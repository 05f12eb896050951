import Domain
import Phrasing
import Platform

/// Words for the dates of a to-do in the receipt of a command.
struct DueReceipt {
  let context: CommandContext

  /// The fields that together say when a to-do is due.
  static let fields = [Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone]

  /// Returns the due date as it is stored, with its time and zone, and its distance from today; nil if there is none.
  ///
  /// The weekday lets the user check the date. If clocks here will show a different time then, that time is added.
  func words(of todo: ShownTodo) -> String? {
    guard let day = todo.due else { return nil }
    let dues = LocalDues(context.machine.timekeeper)
    guard let local = todo.localDue(by: dues) else { return nil }
    let time = local.time == nil ? nil : todo.dueTime.flatMap(TimeOfDay.init(minute:))
    let zone = time == nil ? nil : todo.zone?.visible
    let stored = [day.dated, time?.text, zone].compactMap(\.self).joined(separator: " ")
    let here =
      local.day != day || local.time != time ? "here \(local.day.dated)\(local.suffix)" : nil
    let aside = [here, local.day.distanceWords(from: context.today)].compactMap(\.self)
    return aside.isEmpty ? stored : "\(stored) (\(aside.joined(separator: ", ")))"
  }

  /// Describes the start, and whether it hides the to-do today; nil if there is no start.
  func startWords(of todo: ShownTodo) -> String? {
    guard let start = todo.start else { return nil }
    let isLate = todo.due.map { $0 < start } ?? false
    guard let today = context.today, Todo.isHidden(start: start, due: todo.due, on: today) else {
      let isUseless = isLate && context.today.map { $0 < start } ?? false
      return "start \(start.dated)"
        + (isUseless ? ", which never hides it, because it is already due" : "")
    }
    if isLate { return "hidden until it is due, because the start, \(start.dated), is later" }
    return "hidden until \(start.dueWords(from: today))"
  }

  /// Says that no reminder will be shown without a due date; empty if there is a due date, or no reminder.
  func waiting(for todo: ShownTodo, _ leads: ReminderLeads) -> String {
    todo.due == nil && !leads.leads.isEmpty ? ", but only once it has a due date" : ""
  }
}

extension ReminderLeads {
  /// The lead times in a receipt: `reminds 1d, 2h before`, `reminds when due`.
  var phrase: String {
    if leads.isEmpty { return "without a reminder" }
    let before = leads.filter { $0 != .atDue }.map(\.text).joined(separator: ", ")
    if before.isEmpty { return "reminds when due" }
    return "reminds \(before) before" + (leads.contains(.atDue) ? " and when due" : "")
  }
}
