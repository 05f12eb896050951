import Bytes
import Daybook
import Domain
import Platform
import SimulatedPlatform

/// A request about to-dos, chosen at random.
struct TodoDeed {
  private let dice: Seeded
  /// A number that makes titles distinct.
  private let number: Int
  private let records: Records

  /// The records that the request can name.
  struct Records {
    var lists: [UniqueID]
    /// The to-dos, including repeating ones.
    var todos: [UniqueID]
    /// Closed occurrences of repeating to-dos.
    var occurrences: [UniqueID]
  }

  init(_ dice: Seeded, number: Int, among records: Records) {
    (self.dice, self.number, self.records) = (dice, number, records)
  }

  private var all: [UniqueID] { records.todos + records.occurrences }

  /// One to-do, or a few of them, which may repeat.
  private func some() -> [UniqueID] {
    (0..<(dice.chance(75) ? 1 : 2 + dice.below(3))).compactMap { _ in dice.pick(all) }
  }

  // MARK: Values

  /// Tags, two of which are the same tag in different spellings.
  private static let tags = ["a", "b", "c", "é", "É"]

  /// Rules of each kind: counting from the due date, the start or the day of closing, with or without an end, and with
  /// or without missed dates.
  private static let rules = [
    "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=DAILY;MISSED=KEEP", "FREQ=MONTHLY;SKIP=BACKWARD",
    "FREQ=DAILY;INTERVAL=3;FROM=DONE", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;COUNT=3",
    "FREQ=WEEKLY;FROM=START", "FREQ=DAILY;INTERVAL=2;FROM=START;MISSED=KEEP",
    "FREQ=DAILY;COUNT=2;FROM=DONE",
  ]

  private static let zones = ["Europe/Berlin", "Pacific/Honolulu", "Asia/Tokyo"]

  /// A day near the beginning of the world, so that there are dates before and after today.
  private func day() -> Value {
    let start = Int(World.start.milliseconds / 86_400_000)
    return CivilDate(epochDay: start - 5 + dice.below(10)).map(Value.date) ?? .null
  }

  private func title() -> Value { .text("title \(dice.below(5))") }

  private func changedTag() -> Request.Assignment {
    let tag = Self.tags[dice.below(Self.tags.count)]
    return dice.chance(60) ? .tag(tag) : .untag(tag)
  }

  private func someTags() -> [String] { Self.tags.filter { _ in dice.chance(40) } }

  private func leads() -> Value {
    let leads = ["1d", "2h", "0"].filter { _ in dice.chance(40) }
    return leads.isEmpty ? .null : .texts(leads)
  }

  /// A due date with or without a time, and a start that may be before or after it.
  private func days() -> [Request.Assignment] {
    let time = dice.chance(50) ? Value.integer(Int64(dice.below(1440))) : .null
    let isZoned = time != .null && dice.chance(50)
    return [
      .init(Field.Todo.due, .value(day())), .init(Field.Todo.dueTime, .value(time)),
      .init(
        Field.Todo.zone, .value(isZoned ? dice.pick(Self.zones).map(Value.text) ?? .null : .null)),
      start(),
    ]
  }

  private func start() -> Request.Assignment {
    if dice.chance(30) { return .init(Field.Todo.start, .daysBeforeDue(dice.below(4))) }
    return .init(Field.Todo.start, .value(dice.chance(50) ? day() : .null))
  }

  private func rule() -> Value { dice.pick(Self.rules).map(Value.text) ?? .null }

  private func reference(to ids: [UniqueID]) -> Request.Assignment.Content {
    dice.pick(ids).map { .record($0) } ?? .value(.null)
  }

  // MARK: Requests

  func addition() -> Request {
    let list = dice.chance(60) ? dice.pick(records.lists) : nil
    let choice = list.map { Request.ListChoice.existing($0) } ?? .none
    let (title, priority) = ("to-do \(number)", Int64(dice.below(3)))
    guard dice.chance(50) else {
      return .addTodo(title: title, list: choice, priority: priority, due: nil)
    }
    let parent = dice.chance(40) ? dice.pick(records.todos) : nil
    var others: [Request.Assignment] = []
    if dice.chance(30) { others.append(.init(Field.Todo.repeat, .value(rule()))) }
    if dice.chance(30) { others.append(.init(Field.Todo.remind, .value(leads()))) }
    return .addTodo(
      title: title, list: choice, priority: priority, due: dice.chance(70) ? day().date : nil,
      tags: someTags(), start: dice.chance(30) ? day().date : nil, parent: parent, others: others)
  }

  /// Closes or reopens to-dos.
  func closing() -> Request? {
    let ids = some()
    guard !ids.isEmpty else { return nil }
    let isAlone = dice.chance(30)
    switch dice.below(15) {
    case ..<7: return .setDone(ids, true, alone: isAlone)
    case ..<11: return .setDone(ids, false)
    case ..<13: return .skip(ids)
    default: return .cancel(ids, alone: isAlone)
    }
  }

  func deletion() -> Request? {
    let ids = some()
    return ids.isEmpty ? nil : .delete(ids, alone: dice.chance(30))
  }

  func edit() -> Request? {
    let scope: Request.EditScope =
      dice.chance(70) ? .automatic : dice.chance(50) ? .occurrence : .series
    let ids = some()
    guard let first = ids.first else { return nil }
    guard ids.count > 1 else { return .edit(first, changes(), scope: scope) }
    return .editEach(ids.map { ($0, changes()) }, scope: scope)
  }

  private func changes() -> [Request.Assignment] {
    switch dice.below(11) {
    case 0, 1: [.init(Field.Todo.title, .value(title()))]
    case 2: [.init(Field.Todo.priority, .value(.integer(Int64(dice.below(3)))))]
    case 3: [changedTag()]
    case 4: [.init(.tags, .value(.texts(someTags())))]
    case 5: days()
    case 6: [.init(Field.Todo.list, reference(to: records.lists))]
    case 7: [.init(Field.Todo.remind, .value(leads())), changedTag()]
    case 8: [.init(Field.Todo.repeat, .value(dice.chance(75) ? rule() : .null))] + datesOfRule()
    default: [.init(Field.Todo.parent, reference(to: dice.chance(80) ? records.todos : []))]
    }
  }

  /// The first and last dates of a rule.
  ///
  /// Without a first date, the to-do keeps its due date.
  private func datesOfRule() -> [Request.Assignment] {
    var dates: [Request.Assignment] = []
    if dice.chance(60) { dates.append(.init(Field.Todo.due, .value(day()))) }
    if dice.chance(20) { dates.append(.init(Field.Todo.until, .value(day()))) }
    if dice.chance(20) { dates.append(start()) }
    return dates
  }
}
