import Bytes
import Domain
import ReadModel
import Testing

/// Titles are sorted by the values of the numbers in them.
struct NaturalOrderTests {
  private static let titles = [
    "9 lives", "10 years", "Chapter 2", "chapter 2b", "Chapter 007", "Chapter 7", "Chapter 10",
    "Chapter 10.2", "Chapter 10.10", "Chapter 123456789", "Chapter 1234567890",
    "Chapter 99999999999999999999", "Chapters", "v0", "v00", "v1", "v 1",
  ]
  private static let sorted = [
    "9 lives", "10 years", "Chapter 2", "chapter 2b", "Chapter 007", "Chapter 7", "Chapter 10",
    "Chapter 10.2", "Chapter 10.10", "Chapter 123456789", "Chapter 1234567890",
    "Chapter 99999999999999999999", "Chapters", "v 1", "v0", "v00", "v1",
  ]

  @Test func `Natural order: to-dos are sorted by the numbers in their titles, even in pages`()
    throws
  {
    var log = try OneLog()
    for title in Self.titles.reversed() { try log.todo(title) }
    #expect(try log.titles(by: .title) == Self.sorted)
    var pages: [TodoRow] = []
    for _ in Self.titles {
      pages += try log.model.todos.todos(
        by: .title, page: Page(after: pages.last?.head.key, count: 1))
    }
    #expect(pages.map(\.title) == Self.sorted)
  }

  @Test func `Natural order: lists, questions and search results are sorted by numbers`() throws {
    var log = try OneLog()
    for number in ["10", "9", "100"] {
      _ = try log.list("Week \(number)")
      try log.add(.question, [(Field.Question.content, .text("Lunch \(number)?"))])
    }
    let weeks = ["Week 9", "Week 10", "Week 100"]
    #expect(try log.model.lists.lists().map(\.name) == weeks)
    #expect(
      try log.model.questions.questions().map(\.content) == ["Lunch 9?", "Lunch 10?", "Lunch 100?"])
    #expect(try log.model.rankedSearch.search("week").map(\.title) == weeks)
    #expect(try log.model.titleSearch.candidates(titled: "week").map(\.title) == weeks)
  }

  @Test func `Natural order: a record is found by its whole title, with or without numbers`() throws
  {
    var log = try OneLog()
    for title in Self.titles { try log.todo(title) }
    for title in Self.titles {
      #expect(
        try log.model.titleSearch.candidates(named: title.uppercased()).map(\.title) == [title])
    }
    #expect(try log.model.rankedSearch.search("chapter 10.1").map(\.title) == ["Chapter 10.10"])
    #expect(try log.titles(TodoFilter(fragment: "2345")).count == 2)
  }

  @Test func `Natural order: a changed title is sorted again`() throws {
    var log = try OneLog()
    let first = try log.todo("Chapter 2")
    try log.todo("Chapter 10")
    try log.write(.edit, .entity(first), [Write(Field.Todo.title, .text("Chapter 11"))])
    #expect(try log.titles(by: .title) == ["Chapter 10", "Chapter 11"])
    try log.write(.edit, .entity(first), [Write(Field.Todo.title, .text("Chapter"))])
    #expect(try log.titles(by: .title) == ["Chapter", "Chapter 10"])
  }

  @Test func `Natural order: a model that is built in one step has the same order`() throws {
    var facts: [Fact] = []
    var causality = Causality()
    let id = UniqueID(high: 0, low: 1)
    _ = causality.number(of: id, replica: id)
    for (place, title) in Self.titles.enumerated() {
      let body = Body(.add, .kind(.todo), [Write(Field.Todo.title, .text(title))])
      let number = UInt64(place + 1)
      facts.append(
        Fact(
          key: EventKey(log: 0, sequence: number), time: Int64(number), when: nil,
          hash: UniqueID(high: number << 56, low: 0), body: body))
    }
    let position = LogPosition(
      number: 0, id: id, replica: id, sequence: UInt64(facts.count), hash: facts[0].hash)
    let model = try ReadModel.inMemory(
      from: Records.fold(facts, causality: causality), change: Change(positions: [position]))
    #expect(try model.todos.todos(by: .title).map(\.title) == Self.sorted)
    #expect(
      try model.titleSearch.candidates(named: "chapter 10").map(\.title) == ["Chapter 10"])
    #expect(
      try model.todos.totals()
        == TodoTotals(
          open: Int64(facts.count), hidden: 0, undated: Int64(facts.count), done: 0))
  }
}
