import Bytes
import Domain
import Phrasing
import Platform
import ReadModel

// The rows of live queries, as text and as JSON.

extension TodoRow: ChangeRow {
  func words(in context: CommandContext) -> [String] {
    RowCells(context: context).cells(of: self, "").dropFirst().map(\.text)
  }

  func members(by dues: LocalDues) -> [JSON.Member] {
    let priority = Priority(rawValue: priority).map { JSON.string($0.words) } ?? .integer(priority)
    return [
      JSON.Member("title", .words(title)),
      JSON.Member("list", .words(listID?.uuid)),
      JSON.Member("listName", .words(listName)),
      JSON.Member("done", .boolean(isDone)),
      JSON.Member("cancelled", .boolean(isCancelled)),
      JSON.Member("closedOn", .words(closedOn?.iso)),
      JSON.Member("completedAt", .instant(completedAt)),
      JSON.Member("priority", priority),
      JSON.Member("createdAt", .instant(createdAt)),
      JSON.Member("due", .words(due?.iso)),
      JSON.Member("start", .words(start?.iso)),
      JSON.Member("dueTime", .words(dueTime.flatMap(TimeOfDay.init(minute:))?.text)),
      JSON.Member("zone", .words(zone)),
      JSON.Member("dueAt", .instant(dues.localDue(of: self)?.moment?.milliseconds)),
      JSON.Member("position", position.map { .integer($0) } ?? .null),
      JSON.Member("remind", remind.isEmpty ? .null : .array(remind.map { .string($0) })),
      JSON.Member("parent", .words(parentID?.uuid)),
      JSON.Member("repeat", rule.map(json) ?? .null),
      JSON.Member("slot", .words(slot?.iso)),
      JSON.Member("firstDue", .words(firstDue?.iso)),
      JSON.Member("series", .words(seriesID?.uuid)),
      JSON.Member("hidden", .boolean(isHiddenToday(by: dues))),
    ]
  }

  private func isHiddenToday(by dues: LocalDues) -> Bool {
    guard !isClosed, let today = dues.today else { return false }
    return isHidden(on: today)
  }

  private func json(of rule: String) -> JSON {
    let words = RepeatRule(canonicalIfValid: rule)?.words(from: firstDue, until: until)
    return .object(
      ("rule", .string(rule)), ("words", .words(words)), ("until", .words(until?.iso)))
  }
}

extension BirthdayRow: ChangeRow {
  func words(in context: CommandContext) -> [String] {
    RowCells(context: context).cells(of: self, "").dropFirst().map(\.text)
  }

  func members(by dues: LocalDues) -> [JSON.Member] {
    let rule = leapRule.map { rule in
      LeapRule(rawValue: rule).map { JSON.string($0.words) } ?? .integer(rule)
    }
    return [
      JSON.Member("firstName", .words(firstName)), JSON.Member("lastName", .words(lastName)),
      JSON.Member("birthdate", .words(birthdate?.iso)), JSON.Member("leapRule", rule ?? .null),
      JSON.Member("lead", .array(lead.map { .string($0) })),
    ]
  }
}

extension ListRow: ChangeRow {
  func words(in context: CommandContext) -> [String] {
    [(name ?? "").visible, colour?.colourWords ?? "", "\(openTodos) of \(todos) open"]
  }

  func members(by dues: LocalDues) -> [JSON.Member] {
    [
      JSON.Member("name", .words(name)), JSON.Member("colour", .words(colour?.colourWords)),
      JSON.Member("todos", .integer(todos)), JSON.Member("openTodos", .integer(openTodos)),
    ]
  }
}

extension QuestionRow: ChangeRow {
  func words(in context: CommandContext) -> [String] {
    [(content ?? "").visible, choices == 1 ? "1 choice" : "\(choices) choices"]
  }

  func members(by dues: LocalDues) -> [JSON.Member] {
    [JSON.Member("content", .words(content)), JSON.Member("choices", .integer(choices))]
  }
}

extension ChoiceRow: ChangeRow {
  func words(in context: CommandContext) -> [String] { [(name ?? "").visible, "weight \(weight)"] }

  func members(by dues: LocalDues) -> [JSON.Member] {
    [JSON.Member("name", .words(name)), JSON.Member("weight", .integer(weight))]
  }
}

extension PickRow: ChangeRow {
  func words(in context: CommandContext) -> [String] {
    let choice = (choiceName ?? "something unknown").visible
    return [choice, context.machine.timekeeper.localText(of: head.addedAt)]
  }

  func members(by dues: LocalDues) -> [JSON.Member] {
    [
      JSON.Member("choice", .words(choiceID?.uuid)), JSON.Member("choiceName", .words(choiceName)),
      JSON.Member("at", .instant(head.addedAt)),
    ]
  }
}
