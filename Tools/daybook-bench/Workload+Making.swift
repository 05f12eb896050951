import Bytes

extension Workload {
  /// Makes operations such as people perform over months.
  ///
  /// There are more edits than adds, and half of the edits mark a to-do as done or open. The newest records change most
  /// often. Each run makes the same operations.
  init(count: Int) {
    var maker = Maker()
    var lines: [UInt8] = []
    for number in 0..<count { lines += Array(maker.line(number).utf8) + [0x0a] }
    (self.lines, self.count) = (lines, count)
  }
}

/// Generates operations, one after another.
private struct Maker {
  private var chance = Chance()
  private var time: Int64 = 1_735_689_600_000
  private var lists: [String] = []
  private var todos: [(id: String, isDone: Bool)] = []
  private var birthdays: [String] = []
  private var questions: [String] = []
  private var choices: [String] = []
  private let words: Words
  private let firstNames: Words
  private let lastNames: Words

  init() {
    words = Words(count: 400, exponent: 1, &chance)
    firstNames = Words(count: 90, exponent: 0.6, &chance)
    lastNames = Words(count: 90, exponent: 0.6, &chance)
  }

  mutating func line(_ number: Int) -> String {
    time += 1 + Int64(chance.wait(60_000))
    return #"{"t":\#(time),"replica":0,\#(operation(number))}"#
  }

  private mutating func operation(_ number: Int) -> String {
    if number < 8 { return list() }
    let kind = chance.unit()
    let act = chance.unit()
    if kind < 0.65 { return act < 0.35 || todos.isEmpty ? todo() : changeTodo(deletes: act >= 0.9) }
    if kind < 0.9 {
      return act < 0.35 || birthdays.isEmpty ? birthday() : changeBirthday(deletes: act >= 0.9)
    }
    return act < 0.35 || choices.isEmpty ? choice() : changeChoice(deletes: act >= 0.9)
  }

  private mutating func list() -> String {
    let id = chance.id()
    lists.append(id)
    return add("list", id, ##""name":"\##(title(1...2))","color":"#\##(chance.hex(6))""##)
  }

  private mutating func todo() -> String {
    if lists.count < 40, chance.unit() < 0.002 { return list() }
    let id = chance.id()
    todos.append((id, false))
    let list = lists[min(Int(chance.wait(4)), lists.count - 1)]
    let due = chance.unit() < 0.4 ? #","due":"\#(date(2025..<2027))""# : ""
    return add(
      "todo", id,
      #""list":"\#(list)","title":"\#(title(2...8))","priority":\#(priority())\#(due)"#)
  }

  private mutating func changeTodo(deletes: Bool) -> String {
    let place = chance.place(in: todos.count)
    let id = todos[place].id
    if deletes {
      todos.swapAt(place, todos.count - 1)
      todos.removeLast()
      return delete("todo", id)
    }
    if chance.unit() < 0.77 {
      todos[place].isDone.toggle()
      return edit("todo", id, #""done":\#(todos[place].isDone)"#)
    }
    switch chance.unit() {
    case ..<0.5: return edit("todo", id, #""title":"\#(title(2...8))""#)
    case ..<0.7: return edit("todo", id, #""priority":\#(priority())"#)
    case ..<0.9: return edit("todo", id, #""due":"\#(date(2025..<2027))""#)
    default: return edit("todo", id, #""list":"\#(lists[chance.below(lists.count)])""#)
    }
  }

  private mutating func birthday() -> String {
    let id = chance.id()
    birthdays.append(id)
    let names = (firstNames.pick(&chance), lastNames.pick(&chance))
    return add(
      "birthday", id,
      #""firstName":"\#(names.0)","lastName":"\#(names.1)","birthdate":"\#(date(1935..<2024))""#)
  }

  private mutating func changeBirthday(deletes: Bool) -> String {
    let id = Self.pick(&birthdays, &chance, removes: deletes)
    if deletes { return delete("birthday", id) }
    switch chance.unit() {
    case ..<0.4: return edit("birthday", id, #""birthdate":"\#(date(1935..<2024))""#)
    case ..<0.7: return edit("birthday", id, #""lastName":"\#(lastNames.pick(&chance))""#)
    default: return edit("birthday", id, #""firstName":"\#(firstNames.pick(&chance))""#)
    }
  }

  private mutating func choice() -> String {
    let id = chance.id()
    if questions.isEmpty || chance.unit() < 0.2 {
      questions.append(id)
      return add("question", id, #""content":"\#(title(4...6))?""#)
    }
    choices.append(id)
    let question = questions[chance.place(in: questions.count)]
    return add(
      "choice", id,
      #""question":"\#(question)","name":"\#(title(1...3))","weight":\#(1 + chance.below(10))"#)
  }

  private mutating func changeChoice(deletes: Bool) -> String {
    let id = Self.pick(&choices, &chance, removes: deletes)
    if deletes { return delete("choice", id) }
    if chance.unit() < 0.7 { return edit("choice", id, #""weight":\#(1 + chance.below(10))"#) }
    return edit("choice", id, #""name":"\#(title(1...3))""#)
  }

  private static func pick(
    _ ids: inout [String], _ chance: inout Chance, removes: Bool
  ) -> String {
    let place = chance.place(in: ids.count)
    guard removes else { return ids[place] }
    ids.swapAt(place, ids.count - 1)
    return ids.removeLast()
  }

  private mutating func title(_ counts: ClosedRange<Int>) -> String {
    let count = counts.lowerBound + chance.below(counts.count)
    return (0..<count).map { _ in words.pick(&chance) }.joined(separator: " ")
  }

  private mutating func priority() -> Int {
    let part = chance.unit()
    return part < 0.6 ? 0 : part < 0.9 ? 1 : 2
  }

  private mutating func date(_ years: Range<Int>) -> String {
    let parts = [chance.below(12) + 1, chance.below(28) + 1].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(years.lowerBound + chance.below(years.count))-\(parts[0])-\(parts[1])"
  }

  private func add(_ kind: String, _ id: String, _ fields: String) -> String {
    #""op":"add","kind":"\#(kind)","id":"\#(id)",\#(fields)"#
  }

  private func edit(_ kind: String, _ id: String, _ fields: String) -> String {
    #""op":"edit","kind":"\#(kind)","id":"\#(id)","set":{\#(fields)}"#
  }

  private func delete(_ kind: String, _ id: String) -> String {
    #""op":"delete","kind":"\#(kind)","id":"\#(id)""#
  }
}
