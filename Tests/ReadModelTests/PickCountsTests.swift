import Bytes
import Domain
import ReadModel
import Testing

@Suite struct PickCountsTests {
  /// A question with choices, and picks that the test writes by hand.
  private struct Lunch {
    var log: OneLog
    let question: EventKey
    var choices: [EventKey] = []

    init(_ names: [String]) throws {
      log = try OneLog()
      question = try log.add(.question, [(Field.Question.content, .text("Lunch?"))])
      for name in names {
        choices.append(
          try log.add(
            .choice, [(.owner, .reference(question)), (Field.Choice.name, .text(name))]))
      }
    }

    func id(_ place: Int) throws -> UniqueID {
      try #require(try log.model.documents.document(choices[place])).id
    }

    /// Draws a ticket by the weights of the choices.
    @discardableResult
    mutating func pick(_ ticket: UInt64, _ weights: [UInt64]) throws -> EventKey {
      let ids = try choices.map { try #require(try log.model.documents.document($0)).id }
      let entries = zip(ids, weights).map { Draw.Entry(id: $0, weight: $1) }
      let total = weights.reduce(0, +)
      let draw = try Draw(entries, dice: { total * 1000 + ticket })
      return try log.add(
        .pick,
        [
          (.owner, .reference(question)),
          (Field.Pick.choice, .reference(choices[try draw.replay()])),
          (Field.Pick.draw, .bytes(draw.encoded)),
        ])
    }

    /// The number of each choice, the number of its draws, and the expected number of draws.
    func counts() throws -> [[Double]] {
      let ids = try choices.indices.map(id)
      return try log.model.pickCounter.pickCounts(of: question).choices.map { count in
        [Double(ids.firstIndex(of: count.id) ?? -1), Double(count.count), count.expected]
      }
    }
  }

  @Test func `Pick counts: the expectation follows the weights of each draw`() throws {
    var lunch = try Lunch(["rice", "soup", "air"])
    try lunch.pick(0, [1, 1, 0])
    try lunch.pick(1, [1, 3, 0])
    try lunch.pick(3, [1, 3, 0])
    #expect(try lunch.counts() == [[0, 1, 1], [1, 2, 2], [2, 0, 0]])
    #expect(try lunch.log.model.pickCounter.pickCounts(of: lunch.question).picks == 3)
  }

  @Test func `Pick counts: an undone pick is not counted`() throws {
    var lunch = try Lunch(["rice", "soup"])
    let undone = try lunch.pick(0, [1, 1])
    try lunch.pick(1, [1, 1])
    try lunch.log.write(.delete, .entity(undone))
    #expect(try lunch.counts() == [[0, 0, 0.5], [1, 1, 0.5]])
  }

  @Test func `Pick counts: deleted choices still count, and joined ones count together`() throws {
    var lunch = try Lunch(["rice", "Rice", "soup"])
    try lunch.pick(0, [1, 1, 2])
    try lunch.pick(1, [1, 1, 2])
    try lunch.pick(2, [1, 1, 2])
    try lunch.log.write(.delete, .entity(lunch.choices[2]))
    #expect(try lunch.counts() == [[0, 1, 0.75], [1, 1, 0.75], [2, 1, 1.5]])
    #expect(
      try lunch.log.model.pickCounter.pickCounts(of: lunch.question).choices.map(\.isAlive)
        == [true, true, false])
    try lunch.log.write(
      .alias, .entity(lunch.choices[0]), [Write(.with, .reference(lunch.choices[1]))])
    let joined = try lunch.log.model.pickCounter.pickCounts(of: lunch.question).choices
    #expect(joined.map(\.count) == [2, 1])
    #expect(joined.map(\.expected) == [1.5, 1.5])
  }

  @Test func `Pick counts: an invalid draw counts as unreadable`() throws {
    var lunch = try Lunch(["rice"])
    try lunch.log.add(
      .pick, [(.owner, .reference(lunch.question)), (Field.Pick.draw, .bytes([0x80]))])
    let counts = try lunch.log.model.pickCounter.pickCounts(of: lunch.question)
    #expect(counts.picks == 1)
    #expect(counts.unreadable == 1)
    #expect(try lunch.counts() == [[0, 0, 0]])
  }
}
