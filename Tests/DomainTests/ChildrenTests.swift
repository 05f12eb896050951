import Bytes
import Testing

@testable import Domain

/// The children of a list or a question, when one device deletes the parent while another uses it.
struct ChildrenTests {
  /// A parent with one child, and the command that adds more children.
  struct Family: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let parent: Kind
    let child: Kind
    let add: @Sendable (String) -> Command
    let addChild: @Sendable (EventKey, String) -> Command

    static let todos = Family(
      testDescription: "list and to-dos", parent: .list, child: .todo,
      add: { .addList(name: $0) }, addChild: { .addTodo(title: $1, list: $0) })
    static let choices = Family(
      testDescription: "question and choices", parent: .question, child: .choice,
      add: { .addQuestion([Field.Question.content: .text($0)], choices: []) },
      addChild: { .addChoice(question: $0, name: $1) })
  }

  /// Two devices that both have a parent with a child.
  private struct Setting {
    var story = Story(devices: 2)
    let parent: EventKey
    let child: EventKey

    init(_ family: Family) throws {
      parent = try story.run(family.add("Home"))[0].key
      child = try story.run(family.addChild(parent, "old"))[0].key
      story.sync()
    }

    func isShown(_ key: EventKey, on device: Int? = nil) -> Bool {
      let records = device.map { story.records(of: $0) } ?? story.records
      return records.document(of: key).map(records.isShown) ?? false
    }

    /// Whether the parent has a delete that conflicts with an edit.
    var isDisputed: Bool { story.document(parent)?.deleteAgainstEdit != nil }
  }

  @Test(arguments: [Family.todos, .choices])
  func `Child: it is hidden with its deleted parent and returns with it`(
    family: Family
  ) throws {
    var setting = try Setting(family)
    try setting.story.run(.delete([setting.parent]))
    setting.story.sync()
    #expect(!setting.isShown(setting.child))
    #expect(setting.story.isAlive(setting.child))
    #expect(!setting.isDisputed)
    try setting.story.run(.restore(setting.parent), by: 1)
    #expect(setting.isShown(setting.parent) && setting.isShown(setting.child))
    #expect(!setting.isDisputed)
  }

  @Test(arguments: [Family.todos, .choices])
  func `Child: a delete that hides children does not look them up`(family: Family) throws {
    let setting = try Setting(family)
    let shelf = WatchedShelf(records: setting.story.records)
    let drafts = try delete([setting.parent], .hide, on: shelf)
    #expect(drafts == [Draft(.delete, .entity(setting.parent))])
    #expect(shelf.lookups == 0)
    #expect(throws: Refusal.self) { try delete([setting.parent], .deny, on: shelf) }
    #expect(shelf.lookups > 0)
  }

  @Test(arguments: [Family.todos, .choices])
  func `Child: adding one during a concurrent delete revives the parent as a conflict`(
    family: Family
  ) throws {
    var setting = try Setting(family)
    try setting.story.run(.delete([setting.parent]), by: 0)
    let late = try setting.story.run(family.addChild(setting.parent, "new"), by: 1)[0].key
    #expect(!setting.isShown(setting.child, on: 0))
    setting.story.sync()
    for key in [setting.parent, setting.child, late] { #expect(setting.isShown(key)) }
    #expect(setting.isDisputed)
    // A device that has seen both settles the conflict with either command.
    var deleted = setting
    try deleted.story.run(.delete([setting.parent]), by: 1)
    for key in [setting.parent, setting.child, late] { #expect(!deleted.isShown(key)) }
    #expect(!deleted.isDisputed)
    try setting.story.run(.restore(setting.parent), by: 0)
    #expect(setting.isShown(late) && !setting.isDisputed)
  }

  @Test(arguments: [Family.todos, .choices])
  func `Child: a concurrent edit leaves its parent deleted and shows after a restore`(
    family: Family
  ) throws {
    var setting = try Setting(family)
    try setting.story.run(.delete([setting.parent]), by: 0)
    let name = Schema.schema(of: family.child)?.fields.first { $0.isRequired && !$0.isFixed }
    let field = try #require(name).field
    try setting.story.run(.edit(setting.child, [field: .text("renamed")]), by: 1)
    setting.story.sync()
    #expect(!setting.isShown(setting.parent) && !setting.isShown(setting.child))
    try setting.story.run(.restore(setting.parent), by: 1)
    #expect(setting.isShown(setting.child))
    #expect(setting.story.text(field, setting.child) == "renamed")
  }

  @Test(arguments: [Family.todos, .choices])
  func `Child: a delete that denies children checks only its own device's children`(
    family: Family
  ) throws {
    var setting = try Setting(family)
    let id = try #require(setting.story.document(setting.parent)?.id)
    #expect(throws: Refusal.notEmpty(family.parent, id, children: 1)) {
      try setting.story.run(.delete([setting.parent], children: .deny))
    }
    // Children that the same command deletes do not prevent it, in any order.
    let both = [setting.child, setting.parent]
    let drafts = try decide(
      .delete(both, children: .deny), on: setting.story.records(of: 0), dice: { 0 })
    #expect(drafts == both.map { Draft(.delete, .entity($0)) })
    try setting.story.run(.delete([setting.child]))
    // The parent is empty on this machine while another machine adds a child. The added child is not lost.
    try setting.story.run(.delete([setting.parent], children: .deny), by: 0)
    let late = try setting.story.run(family.addChild(setting.parent, "new"), by: 1)[0].key
    setting.story.sync()
    #expect(setting.isShown(setting.parent) && setting.isShown(late))
    #expect(!setting.isShown(setting.child))
    #expect(setting.isDisputed)
  }

  @Test func `Child: to-dos kept from a deleted list lose it, and a concurrent one revives it`()
    throws
  {
    var setting = try Setting(.todos)
    try setting.story.run(.delete([setting.parent], children: .keep), by: 0)
    let late = try setting.story.run(.addTodo(title: "new", list: setting.parent), by: 1)[0].key
    #expect(setting.isShown(setting.child, on: 0) && !setting.isShown(setting.parent, on: 0))
    setting.story.sync()
    #expect(setting.story.document(setting.child).flatMap(Todo.init)?.list == nil)
    #expect(setting.story.document(late).flatMap(Todo.init)?.list == setting.parent)
    for key in [setting.parent, setting.child, late] { #expect(setting.isShown(key)) }
    #expect(setting.isDisputed)
  }

  @Test func `Child: a to-do kept from one list and concurrently moved is in conflict`()
    throws
  {
    var setting = try Setting(.todos)
    let other = try setting.story.run(.addList(name: "Work"), by: 1)[0].key
    setting.story.sync()
    try setting.story.run(.delete([setting.parent], children: .keep), by: 0)
    try setting.story.run(
      .edit(setting.child, [Field.Todo.list: .reference(other)]), by: 1)
    setting.story.sync()
    #expect(setting.isShown(setting.child))
    let shown = setting.story.document(setting.child)?.shown(Field.Todo.list)
    #expect(shown?.survivors.map(\.value) == [.reference(other), .null])
    #expect(shown?.isConflict == true)
    #expect(!setting.isShown(setting.parent) && !setting.isDisputed)
  }

  @Test func `Child: a child deleted with its list is not revived by keeping children`() throws {
    for isChildFirst in [true, false] {
      var setting = try Setting(.todos)
      let keys =
        isChildFirst
        ? [setting.child, setting.parent] : [setting.parent, setting.child]
      try setting.story.run(.delete(keys, children: .keep))
      #expect(!setting.story.isAlive(setting.child) && !setting.story.isAlive(setting.parent))
    }
  }

  @Test func `Child: a question with choices cannot be deleted while keeping them`() throws {
    var setting = try Setting(.choices)
    let id = try #require(setting.story.document(setting.parent)?.id)
    #expect(throws: Refusal.childrenNeedParent(.question, id)) {
      try setting.story.run(.delete([setting.parent], children: .keep))
    }
    // Without choices, `.keep` has no effect. A choice that another machine adds revives the question.
    try setting.story.run(.delete([setting.child]))
    try setting.story.run(.delete([setting.parent], children: .keep), by: 0)
    let late = try setting.story.run(.addChoice(question: setting.parent, name: "new"), by: 1)[0]
      .key
    setting.story.sync()
    #expect(setting.isShown(setting.parent) && setting.isShown(late))
    #expect(setting.isDisputed)
  }
}

/// Records that count the lookups of children.
private final class WatchedShelf: Shelf {
  let records: Records
  private(set) var lookups = 0

  init(records: Records) { self.records = records }

  func document(of key: EventKey) -> Document? { records.document(of: key) }
  func entity(of key: EventKey) -> Entity? { records.entity(of: key) }
  func isAlive(_ key: EventKey) -> Bool { records.isAlive(key) }
  func recurrence(of key: EventKey) -> Recurrence? { records.recurrence(of: key) }

  func children(of key: EventKey, _ kind: Kind) -> [Document] {
    lookups += 1
    return records.children(of: key, kind)
  }
}
