import Bytes
import Domain
import Testing

/// Sub-tasks: commands that would form a cycle, and cycles that devices form together.
@Suite struct SubtaskTests {
  private static let keys = (0..<4).map { EventKey(log: 0, sequence: UInt64($0)) }

  private static func acyclic(
    _ parents: [Int: Int], _ times: [Int]
  ) -> [EventKey: EventKey] {
    let named = Dictionary(
      uniqueKeysWithValues: parents.map { (keys[$0.key], keys[$0.value]) })
    return TodoParents.withoutCycles(named) { cycle in
      var stamps: [EventKey: Stamp] = [:]
      for key in cycle {
        let place = Int(key.sequence)
        stamps[key] = Stamp(
          time: Int64(times[place]), replica: UniqueID(high: 1, low: UInt64(place)),
          sequence: key.sequence, hash: .none)
      }
      return stamps
    }
  }

  private static func named(_ parents: [Int: Int]) -> [EventKey: EventKey] {
    Dictionary(uniqueKeysWithValues: parents.map { (keys[$0.key], keys[$0.value]) })
  }

  @Test func `Parents: without a cycle, all remain, and no stamp is read`() {
    let parents = Self.named([0: 1, 1: 2, 3: 2])
    let acyclic = TodoParents.withoutCycles(parents) { cycle in
      Issue.record("there is no cycle, but \(cycle) was asked for")
      return [:]
    }
    #expect(acyclic == parents)
  }

  /// Each order in which the three parents of a cycle can be written.
  private static let orders = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test(arguments: orders)
  func `Parents: in a cycle, the parent written last is ignored`(times: [Int]) throws {
    let last = try #require(times.firstIndex(of: 2))
    // The fourth to-do is a child of the cycle but not part of it, although its parent was written later.
    let cycle = [0: 1, 1: 2, 2: 0, 3: 0]
    var expected = cycle
    expected[last] = nil
    #expect(Self.acyclic(cycle, times + [9]) == Self.named(expected))
  }

  @Test func `Parents: a to-do that is its own parent has no parent`() {
    #expect(Self.acyclic([0: 0, 1: 0], [1, 2, 0, 0]) == Self.named([1: 0]))
  }

  @Test func `Parents: each of two cycles loses one parent`() {
    #expect(
      Self.acyclic([0: 1, 1: 0, 2: 3, 3: 2], [1, 2, 4, 3]) == Self.named([0: 1, 3: 2]))
  }

  private func todos(_ story: inout Story, _ count: Int) throws -> [EventKey] {
    var keys: [EventKey] = []
    for number in 0..<count {
      keys.append(try story.run(.addTodo(title: "To-do \(number)"))[0].key)
    }
    return keys
  }

  private func under(_ key: EventKey) -> [Field: Value] { [Field.Todo.parent: .reference(key)] }

  @Test func `Parent: a to-do cannot be under itself or under a sub-task of it`() throws {
    var story = Story()
    let keys = try todos(&story, 3)
    try story.run(.edit(keys[1], under(keys[0])))
    try story.run(.edit(keys[2], under(keys[1])))
    let ids = keys.compactMap { story.document($0)?.id }
    for place in 0..<3 {
      #expect(throws: Refusal.parentCycle(ids[0], under: ids[place])) {
        try checkParent(setBy: .edit(keys[0], under(keys[place])), on: story.records(of: 0))
      }
    }
    // Without its parent, the sub-task can become the parent.
    try story.run(.edit(keys[1], [Field.Todo.parent: .null]))
    try story.run(.edit(keys[0], under(keys[2])))
    #expect(story.document(keys[0])?.value(Field.Todo.parent).reference == keys[2])
  }

  @Test func `Parent: two devices that form a cycle agree on the parent to ignore`() throws {
    var story = Story(devices: 2)
    let keys = try todos(&story, 2)
    story.sync()
    try story.run(.edit(keys[0], under(keys[1])))
    try story.run(.edit(keys[1], under(keys[0])), by: 1)
    story.sync()
    for device in 0..<2 {
      let records = story.records(of: device)
      let parents = TodoParents.withoutCycles([keys[0]: keys[1], keys[1]: keys[0]]) { cycle in
        var stamps: [EventKey: Stamp] = [:]
        for key in cycle { stamps[key] = records.stampOfParent(of: key) }
        return stamps
      }
      #expect(parents == [keys[0]: keys[1]])
    }
  }
}
