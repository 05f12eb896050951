import Bytes
import Domain
import TestDice
import Testing

/// Undoes random commands in random histories of two devices.
@Suite struct UndoPropertyTests {
  /// A random command.
  ///
  /// The same seed always gives the same history.
  private func randomCommand(_ keys: [EventKey], _ dice: inout Dice) -> Command {
    let word = ["ant", "bee", "cat", "dog"].randomElement(using: &dice) ?? ""
    let key = keys.randomElement(using: &dice) ?? EventKey(log: 0, sequence: 1)
    let other = keys.randomElement(using: &dice) ?? key
    let source = Source(uidText: word)
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: return .addList(name: word)
    case 1: return .addTodo(title: word, list: key)
    case 2: return .add(.todo, [Field.Todo.title: .text(word)], source: source)
    case 3, 4: return .edit(key, [Field.Todo.title: .text(word)])
    case 5: return .edit(key, [Field.Todo.title: .text(word), Field.Todo.list: .reference(other)])
    case 6: return .setDone([key], Bool.random(using: &dice))
    case 7: return .delete([key], children: Bool.random(using: &dice) ? .hide : .keep)
    case 8, 9:
      let isAdded = Int.random(in: 0..<3, using: &dice) > 0
      return .edit(key, [Field(tag: word): isAdded ? .text(word) : .boolean(false)])
    case 10: return .edit(key, [.tags: .texts([word, "cat", word.uppercased()])])
    default: return .restore(key)
    }
  }

  private func history(_ dice: inout Dice) -> (Story, [[Fact]]) {
    var story = Story(devices: 2)
    var commands: [[Fact]] = []
    var keys: [EventKey] = []
    for _ in 0..<24 {
      let device = Int.random(in: 0...1, using: &dice)
      if Int.random(in: 0..<4, using: &dice) == 0 { story.sync() }
      var facts: [Fact] = []
      if Int.random(in: 0..<12, using: &dice) == 0, let one = keys.randomElement(using: &dice),
        let two = keys.randomElement(using: &dice)
      {
        facts = story.write(
          [Draft(.alias, .entity(one), [Write(.with, .reference(two))])], by: device)
      } else if Int.random(in: 0..<12, using: &dice) == 0,
        let one = keys.randomElement(using: &dice)
      {
        // An older program writes the list of tags.
        let tags = [["ant"], ["BEE", "dog"], []].randomElement(using: &dice) ?? []
        facts = story.write(
          [Draft(.edit, .entity(one), [Write(.tags, tags.isEmpty ? .null : .texts(tags))])],
          by: device)
      } else {
        // If a command is refused, the history continues without it.
        facts = (try? story.run(randomCommand(keys, &dice), by: device)) ?? []
      }
      keys += facts.filter { $0.body.verb == .add }.map(\.key)
      if !facts.isEmpty { commands.append(facts) }
    }
    story.sync()
    return (story, commands)
  }

  /// The visible state of the given entities: whether each is alive and, if so, its values and conflicts.
  private func view(_ keys: [EventKey], in records: Records, and written: [Field]) -> [String] {
    keys.map { key in
      guard let document = records.document(of: key), document.isAlive else { return "dead" }
      return written.map { field in
        let shown = document.shown(field)
        let values = shown?.survivors.map(\.value) ?? [.null]
        return values.prefix(shown?.isConflict == true ? .max : 1).map { value in
          // Once the join is undone, another member may identify the list.
          let list = value.reference.flatMap(records.document(of:))
          return list.map { $0.isAlive ? "list" : "dead list" } ?? "\(value)"
        }.joined(separator: " or ")
      }.joined(separator: " ") + (document.deleteAgainstEdit == nil ? "" : " or deleted")
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `Undo: the state matches one without the command, and redo reverses it`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let (start, commands) = history(&dice)
    guard let command = commands.randomElement(using: &dice) else { return }
    var story = start
    let without = story.records(of: 0, without: command)
    // Entities that the command added disappear, and the records that they were joined with look as before.
    let keys =
      command.map(\.key)
      + command.compactMap { fact in
        if case .entity(let key) = fact.body.target { key } else { nil }
      }
    let fields =
      Array(Set(command.flatMap(\.body.writes).map { $0.field.isTag ? .tags : $0.field })).sorted()
      .filter { $0 > .owner && $0 < .disputed } + [Field.Todo.completedAt]
    let shown = keys.filter { without.document(of: $0) != nil }
    let before = view(shown, in: story.records, and: fields)
    let isDisputed = shown.contains { key in
      [story.records, without].allSatisfy { $0.document(of: key)?.deleteAgainstEdit != nil }
    }
    let undo = story.undo(command)
    // An undo that restores or deletes a record also settles its dispute.
    guard !isDisputed || undo.facts.allSatisfy({ $0.body.verb == .edit }) else { return }
    // Skip the rest if the undo would have to write to a dead document, which it leaves unchanged.
    guard !undo.left.contains(where: { $0.reason == .dead }) else { return }
    #expect(view(shown, in: story.records, and: fields) == view(shown, in: without, and: fields))
    for key in keys where without.document(of: key) == nil && story.document(key) != nil {
      let document = try #require(story.document(key))
      let others = document.members.filter { without.document(of: $0)?.isAlive == true }
      #expect(document.isAlive == !others.isEmpty)
    }
    story.undo(undo.facts)
    #expect(view(shown, in: story.records, and: fields) == before)
  }
}
