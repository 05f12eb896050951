import Bytes
import Domain
import ReadModel
import Testing

@Suite struct QueryTests {
  @Test func `Birthdays: they are ordered by last and first name, or by date`() throws {
    var log = try OneLog()
    for (first, last, date) in [
      ("Ada", "Lovelace", "1815-12-10"), ("Örjan", "Äng", "--12-09"), ("Bo", "Lovelace", ""),
      ("", "ang", "1985"),
    ] {
      var writes = [
        (Field.Birthday.firstName, Value.text(first)), (Field.Birthday.lastName, .text(last)),
      ]
      if !date.isEmpty { writes.append((Field.Birthday.birthdate, .date(try .parse(date)))) }
      try log.add(.birthday, writes)
    }
    let model = log.model
    #expect(try model.birthdays.birthdays().map(\.firstName) == [nil, "Örjan", "Ada", "Bo"])
    #expect(
      try model.birthdays.birthdays(by: .date).map(\.birthdate?.iso)
        == ["--12-09", "1815-12-10", "1985", nil])
    #expect(try model.birthdays.birthdaysWithDay().map(\.firstName) == ["Örjan", "Ada"])
  }

  @Test func `Birthdays: a range of days covers New Year and leap days`() throws {
    var log = try OneLog()
    for date in ["--01-01", "--02-28", "--02-29", "--03-01", "--07-01", "--12-31"] {
      try log.add(
        .birthday,
        [
          (Field.Birthday.firstName, .text(String(date.dropFirst(2)))),
          (Field.Birthday.birthdate, .date(try .parse(date))),
        ])
    }
    func names(_ first: String, _ last: String) throws -> [String?] {
      try log.model.birthdays.birthdays(from: .parse(first), through: .parse(last)).map(\.firstName)
    }
    #expect(try names("2026-02-01", "2026-02-28") == ["02-28", "02-29"])
    #expect(try names("2026-03-01", "2026-07-01") == ["02-29", "03-01", "07-01"])
    #expect(try names("2026-03-02", "2026-06-30") == [])
    #expect(try names("2026-12-31", "2027-01-01") == ["01-01", "12-31"])
    #expect(try names("2026-03-01", "2027-02-28").count == 6)
  }

  @Test func `To-dos: they are ordered by priority, due date and age`() throws {
    var log = try OneLog()
    let due = Value.date(try .parse("2026-11-22"))
    try log.todo("old")
    try log.todo("low", on: nil, [(Field.Todo.priority, .integer(0))])
    try log.todo("due", on: nil, [(Field.Todo.due, due)])
    try log.todo("high", on: nil, [(Field.Todo.priority, .integer(2))])
    try log.todo("Ärger", on: nil, [(Field.Todo.done, .boolean(true))])
    #expect(try log.titles() == ["high", "due", "old", "Ärger", "low"])
    #expect(try log.titles(by: .creation) == ["old", "low", "due", "high", "Ärger"])
    #expect(try log.titles(by: .title) == ["Ärger", "due", "high", "low", "old"])
    #expect(try log.titles(TodoFilter(includesClosed: false)) == ["high", "due", "old", "low"])
    #expect(try log.titles(TodoFilter(fragment: "ARG")) == ["Ärger"])
  }

  @Test func `To-dos: the to-dos of a deleted list are hidden and return with it`() throws {
    var log = try OneLog()
    let list = try log.list("Errands")
    try log.todo("milk", on: list)
    try log.todo("free")
    try log.todo("lost", on: EventKey(log: 0, sequence: 99))
    #expect(try log.titles(TodoFilter(place: .list(list))) == ["milk"])
    #expect(try log.titles(TodoFilter(place: .withoutList)) == ["free", "lost"])
    #expect(try log.model.lists.lists().map(\.todos) == [1])
    #expect(try log.model.documents.children(of: list) == [EventKey(log: 0, sequence: 2)])
    try log.write(.delete, .entity(list))
    #expect(try log.titles() == ["free", "lost"])
    #expect(try log.model.rankedSearch.search("milk").isEmpty)
    try log.write(.restore, .entity(list))
    #expect(try log.titles() == ["milk", "free", "lost"])
    #expect(try log.model.todos.todos().map(\.listName) == ["Errands", nil, nil])
  }

  @Test func `Lists: counts follow to-dos that are added, moved, ticked and deleted`() throws {
    var log = try OneLog()
    let home = try log.list("Home")
    let work = try log.list("Work")
    let milk = try log.todo("milk", on: home)
    let bread = try log.todo("bread", on: home, [(Field.Todo.done, .boolean(true))])
    func counts() throws -> [[Int64]] {
      try log.model.lists.lists().map { [$0.todos, $0.openTodos] }
    }
    #expect(try counts() == [[2, 1], [0, 0]])
    try log.write(.edit, .entity(milk), [Write(Field.Todo.done, .boolean(true))])
    #expect(try counts() == [[2, 0], [0, 0]])
    try log.write(.edit, .entity(bread), [Write(Field.Todo.list, .reference(work))])
    try log.write(.edit, .entity(bread), [Write(Field.Todo.done, .boolean(false))])
    #expect(try counts() == [[1, 0], [1, 1]])
    try log.write(.delete, .entity(milk))
    #expect(try counts() == [[0, 0], [1, 1]])
    try log.write(.restore, .entity(milk))
    try log.write(.edit, .entity(bread), [Write(Field.Todo.list, .null)])
    #expect(try counts() == [[1, 0], [0, 0]])
  }

  @Test func `To-dos: their upper bound is the sum over the lists`() throws {
    var log = try OneLog()
    let list = try log.list("Home")
    for isDone in [true, false, false] {
      try log.todo("on a list", on: list, [(Field.Todo.done, .boolean(isDone))])
    }
    try log.todo("on none", on: nil, [(Field.Todo.done, .boolean(true))])
    let most = try log.model.todos.mostTodos()
    #expect([most.all, most.open] == [4, 2])
  }

  @Test func `To-dos: the totals count shown to-dos, on lists and on no list`() throws {
    var log = try OneLog()
    let (list, gone) = (try log.list("Home"), try log.list("Gone"))
    let due = (Field.Todo.due, Value.date(try .parse("2026-11-20")))
    for place in [list, gone, nil] {
      try log.todo("open", on: place)
      try log.todo("dated", on: place, [due])
      try log.todo("done", on: place, [(Field.Todo.done, .boolean(true))])
    }
    #expect(
      try log.model.todos.totals() == TodoTotals(open: 6, hidden: 0, undated: 3, done: 3))
    try log.write(.delete, .entity(gone))
    #expect(
      try log.model.todos.totals() == TodoTotals(open: 4, hidden: 0, undated: 2, done: 2))
    let last = try #require(try log.model.todos.todos(TodoFilter(place: .withoutList)).last)
    try log.write(.edit, .entity(last.head.key), [Write(Field.Todo.list, .reference(list))])
    try log.write(.edit, .entity(last.head.key), [Write(due.0, due.1)])
    let totals = try log.model.todos.totals()
    #expect(totals.all == 6)
    for row in try log.model.todos.todos() { try log.write(.delete, .entity(row.head.key)) }
    #expect(
      try log.model.todos.totals() == TodoTotals(open: 0, hidden: 0, undated: 0, done: 0))
  }

  @Test func `Joined lists: their to-dos are on one list until the join is undone`() throws {
    var log = try OneLog()
    let first = try log.list("Errands")
    let second = try log.list("Shopping")
    try log.todo("milk", on: first)
    try log.todo("bread", on: second)
    let alias = try log.write(.alias, .entity(first), [Write(.with, .reference(second))])
    #expect(try log.model.lists.lists().map(\.todos) == [2])
    #expect(try log.titles(TodoFilter(place: .list(second))) == ["milk", "bread"])
    #expect(try log.model.todos.todos().map(\.list) == [first, first])
    try log.write(.delete, .entity(alias))
    #expect(try log.titles(TodoFilter(place: .list(second))) == ["bread"])
    #expect(try log.model.lists.lists().map(\.name) == ["Errands", "Shopping"])
  }

  @Test func `Newer data: joined records are counted once`() throws {
    var log = try OneLog()
    let newer = Field(rawValue: 200)
    func name(_ text: String) -> [(Field, Value)] {
      [(Field.List.name, .text(text)), (newer, .integer(1))]
    }
    let first = try log.add(.list, name("Errands"))
    let second = try log.add(.list, name("Shopping"))
    #expect(try log.model.documents.countOfNewer() == 2)
    try log.write(.alias, .entity(first), [Write(.with, .reference(second))])
    #expect(try log.model.documents.countOfNewer() == 1)
    try log.add(Kind(rawValue: 99), [(newer, .integer(1))])
    #expect(try log.model.documents.countOfNewer() == 2)
  }

  @Test func `Conflict: a conflict between two lists is settled once they are joined`() throws {
    var causality = Causality()
    let ids = [UniqueID(high: 0, low: 1), UniqueID(high: 0, low: 2)]
    for id in ids { _ = causality.number(of: id, replica: id) }
    var facts: [Fact] = []
    func write(
      _ log: UInt32, _ sequence: UInt64, _ verb: Verb, _ target: Body.Target, _ writes: [Write]
    ) -> EventKey {
      let key = EventKey(log: log, sequence: sequence)
      let hash = UniqueID(high: UInt64(log + 1) << 60 | sequence, low: sequence)
      let body = Body(verb, target, writes)
      facts.append(
        Fact(key: key, time: Int64(facts.count + 1), when: nil, hash: hash, body: body))
      return key
    }
    let lists = [UInt64(1), 2].map { sequence in
      write(0, sequence, .add, .kind(.list), [Write(Field.List.name, .text("Home"))])
    }
    let todo = write(0, 3, .add, .kind(.todo), [Write(Field.Todo.title, .text("Sweep"))])
    causality.note(EventKey(log: 1, sequence: 1), saw: 0, upTo: 3, except: [])
    for (log, sequence) in [(UInt32(0), UInt64(4)), (1, 1)] {
      let list = Value.reference(lists[Int(log)])
      _ = write(log, sequence, .edit, .entity(todo), [Write(Field.Todo.list, list)])
    }
    func conflicts() throws -> [Set<EventKey>] {
      let records = Records.fold(facts, causality: causality)
      let model = try ReadModel.inMemory(from: records, change: Change())
      return [
        try model.conflicts.unsettled(), Set(try model.conflicts.conflicts().map(\.document)),
      ]
    }
    #expect(try conflicts() == [[todo], [todo]])
    _ = write(0, 5, .alias, .entity(lists[0]), [Write(.with, .reference(lists[1]))])
    #expect(try conflicts() == [[], []])
  }

  @Test func `Questions: choices are ordered by age, and picks begin with the latest`() throws {
    var log = try OneLog()
    let question = try log.add(.question, [(Field.Question.content, .text("Where to?"))])
    var choices: [EventKey] = []
    for name in ["b", "a"] {
      choices.append(
        try log.add(
          .choice, [(.owner, .reference(question)), (Field.Choice.name, .text(name))]))
    }
    for choice in choices {
      try log.add(.pick, [(.owner, .reference(question)), (Field.Pick.choice, .reference(choice))])
    }
    let orphan = try log.add(.choice, [(Field.Choice.name, .text("orphan"))])
    let model = log.model
    #expect(try model.questions.choices(of: question).map(\.name) == ["b", "a"])
    #expect(try model.questions.choices(of: question).map(\.weight) == [1, 1])
    #expect(try model.questions.picks(of: question).map(\.choiceName) == ["a", "b"])
    #expect(try model.questions.questions().map(\.choices) == [2])
    #expect(try model.questions.choice(orphan) == nil)
    try log.write(.delete, .entity(choices[0]))
    #expect(try model.questions.picks(of: question).map(\.choiceName) == ["a", nil])
    #expect(try model.documents.counts().map(\.count) == [0, 0, 0, 1, 1, 2])
  }

  @Test func `Search: any part of any text is found in all spellings`() throws {
    var log = try OneLog()
    try log.todo("Straße fegen", on: nil, [(.note, .text("mit ｶﾞｽ")), (.tags, .texts(["Élan"]))])
    try log.add(
      .birthday,
      [(Field.Birthday.firstName, .text("Łukasz")), (Field.Birthday.lastName, .text("Kowalski"))])
    let model = log.model
    for text in ["strasse", "STRASSE F", "ガス", "elan", "ＦＥＧＥＮ"] {
      #expect(try model.rankedSearch.search(text).map(\.title) == ["Straße fegen"], "\(text)")
    }
    #expect(try model.rankedSearch.search("lukasz kow").map(\.title) == ["Łukasz Kowalski"])
    #expect(try model.rankedSearch.search("fegen\nmit").count == 1)
    #expect(try model.rankedSearch.search("%").isEmpty)
    #expect(try model.rankedSearch.search("k", page: Page(count: 1)).count == 1)
    #expect(try model.titleSearch.candidates(titled: "gas").isEmpty)
    #expect(try model.titleSearch.candidates(titled: "kowal", kind: .birthday).count == 1)
  }

  @Test func `Short names: ids are as short as possible and can be resolved`() throws {
    var log = try OneLog()
    for number in 1...40 { try log.todo("\(number)") }
    let todos = try log.model.todos.todos()
    let ids = todos.map(\.head.id)
    let short = ids.map(try log.model.documents.shortNames(of: ids).name)
    #expect(Set(short).count == 40)
    #expect(short.allSatisfy { $0.utf8.count <= 3 })
    for (text, todo) in zip(short, todos) {
      let range = try #require(ShortID.parse(text))
      #expect(try log.model.titleSearch.candidates(in: range).map(\.title) == [todo.title])
    }
    try log.write(.delete, .entity(try #require(todos.first).head.key))
    let all = try #require(short.first.flatMap(ShortID.parse))
    #expect(try log.model.titleSearch.candidates(in: all).map(\.isAlive) == [false])
  }

  @Test(arguments: [40, 600])
  func `Short names: the ids of deleted records can be told apart, too`(count: Int) throws {
    var log = try OneLog()
    for number in 1...count {
      let todo = try log.todo("\(number)")
      try log.write(.delete, .entity(todo))
    }
    let ids = try log.model.titleSearch.deletedDocuments().map(\.id)
    let short = ids.map(try log.model.documents.shortNames(of: ids).name)
    #expect(short == (try ids.map { try log.model.documents.shortNames(of: [$0]).name(of: $0) }))
    for (text, id) in zip(short, ids) {
      let range = try #require(ShortID.parse(text))
      #expect(try log.model.titleSearch.candidates(in: range).map(\.id) == [id])
    }
  }

  @Test func `Short names: one query for hundreds of ids matches single queries`() throws {
    var log = try OneLog()
    for number in 1...600 {
      let todo = try log.todo("\(number)")
      if number % 7 == 0 { try log.write(.delete, .entity(todo)) }
    }
    // Two more ids are included: an id that never existed, and the id of a deleted record.
    let ids =
      try log.model.todos.todos().map(\.head.id) + [
        UniqueID(high: .max, low: 0), UniqueID(ofEntityAddedBy: UniqueID(high: 7 << 56, low: 7)),
      ]
    let oneByOne = try ids.map { try log.model.documents.shortNames(of: [$0]).name(of: $0) }
    #expect(ids.map(try log.model.documents.shortNames(of: ids).name) == oneByOne)
  }

  @Test func `Counts: shown records are counted by kind, regardless of their parent`() throws {
    var log = try OneLog()
    let (home, work) = (try log.list("Home"), try log.list("Work"))
    for list in [home, home, work, nil] { try log.todo("x", on: list) }
    try log.todo("whose list never came", on: EventKey(log: 0, sequence: 99))
    var questions: [EventKey] = []
    for text in ["Lunch?", "Dinner?"] {
      let question = try log.add(.question, [(Field.Question.content, .text(text))])
      for name in ["Soup", "Salad"] {
        try log.add(.choice, [(.owner, .reference(question)), (Field.Choice.name, .text(name))])
      }
      questions.append(question)
    }
    try log.add(.birthday, [(Field.Birthday.firstName, .text("Ada"))])
    func counts() throws -> [Int64] { try log.model.documents.counts().map(\.count) }
    #expect(try counts() == [1, 2, 5, 2, 4, 0])
    try log.write(.delete, .entity(home))
    try log.write(.delete, .entity(questions[0]))
    #expect(try counts() == [1, 1, 3, 1, 2, 0])
  }

  @Test func `Source: its document is found, even after a delete`() throws {
    var log = try OneLog()
    let source = Source(importer: 2, uidText: "6b86b273-ff34-4ce1-9d6b-804eff5a3f57")
    let todo = try log.todo("imported", on: nil, [(.source, source.value)])
    try log.write(.delete, .entity(todo))
    #expect(try log.model.documents.document(source: source, kind: .todo)?.key == todo)
    #expect(try log.model.documents.document(source: source, kind: .list) == nil)
    #expect(
      try log.model.documents.document(source: Source(uidText: source.uid.text), kind: .todo) == nil
    )
  }

  @Test func `Whole titles: records of all kinds are found in any case`() throws {
    var log = try OneLog()
    let long = "A title of more than twelve letters"
    try log.todo(long)
    try log.todo(long + ", and more")
    try log.todo("Noodles")
    try log.add(.list, [(Field.List.name, .text("noodles"))])
    try log.add(.question, [(Field.Question.content, .text("Noodles"))])
    try log.add(
      .birthday,
      [(Field.Birthday.firstName, .text("Ada")), (Field.Birthday.lastName, .text("Lovelace"))])
    func kinds(_ title: String, _ kind: Kind? = nil) throws -> [Kind] {
      try log.model.titleSearch.candidates(named: title, kind: kind).map(\.kind)
    }
    #expect(try kinds("NOODLES") == [.list, .todo, .question])
    for kind in [Kind.todo, .list, .question] { #expect(try kinds("noodles", kind) == [kind]) }
    #expect(try kinds("noodles", .birthday) == [])
    #expect(try kinds(long.uppercased()) == [.todo])
    #expect(try kinds("ada lovelace") == [.birthday])
    #expect(try kinds("lovelace ada") == [.birthday])
    #expect(try kinds("noodle") == [])
  }
}
