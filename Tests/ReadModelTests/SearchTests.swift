import Bytes
import Domain
import ReadModel
import Testing

@Suite struct SearchTests {
  private static let languages: [(title: String, texts: [String])] = [
    ("去图书馆还书", ["图书", "去图书馆还书"]),
    ("ＡＢＣ 牛奶（两瓶）", ["abc", "牛奶(两", "牛奶（两"]),
    ("Weiße Straße", ["STRASSE", "weisse", "ẞE"]),
    ("Œuvre d’été à Nîmes", ["oeuvre", "D'ETE", "nimes", "ÉTÉ"]),
    ("Isparta ılıca", ["ısparta", "ILICA", "İlıca"]),
    ("IĞDIR", ["ığdır", "igdir"]),
    ("Oﬃce ﬁles, co\u{AD}operate", ["office", "FILES", "cooperate"]),
    ("ﾐﾙｸ を 買う", ["ミルク", "買う"]),
    ("שָׁלוֹם", ["שלום"]), ("مُحَمَّد", ["محمد"]),
    ("\u{1112}\u{1161}\u{11AB}글", ["한글"]),
  ]

  @Test func `Search: text in any script is found, whatever its case, width and accents`() throws {
    var log = try OneLog()
    for language in Self.languages { try log.todo(language.title) }
    for language in Self.languages {
      for text in language.texts {
        #expect(try log.model.rankedSearch.search(text).map(\.title) == [language.title], "\(text)")
      }
    }
  }

  @Test func `Search: the best match comes first, and equal ones by title`() throws {
    var log = try OneLog()
    try log.todo("a remilking", on: nil)
    try log.todo("zebra", on: nil, [(.note, .text("needs milk"))])
    try log.todo("oat-milk")
    try log.todo("buy milk")
    try log.todo("Milkman")
    try log.todo("MILK")
    try log.todo("apple", on: nil, [(.tags, .texts(["milk"]))])
    _ = try log.list("milk run")
    #expect(
      try log.model.rankedSearch.search("milk").map(\.title) == [
        "MILK", "milk run", "Milkman", "buy milk", "oat-milk", "a remilking", "apple", "zebra",
      ])
  }

  @Test func `Search: a person's whole name matches in either order`() throws {
    var log = try OneLog()
    let fields = [
      (Field.Birthday.firstName, Value.text("Ada")),
      (Field.Birthday.lastName, .text("King")),
    ]
    try log.add(.birthday, fields)
    try log.todo("Ada King of all")
    try log.todo("king ada again")
    #expect(try log.model.rankedSearch.search("ada king").first?.kind == .birthday)
    #expect(try log.model.rankedSearch.search("king ada").first?.kind == .birthday)
  }

  @Test func `Search: a choice's note ranks below a title`() throws {
    var log = try OneLog()
    let question = try log.add(.question, [(Field.Question.content, .text("Lunch?"))])
    try log.add(
      .choice,
      [
        (.owner, .reference(question)), (Field.Choice.name, .text("Rice")),
        (.note, .text("soup")),
      ])
    try log.todo("a pot of soups")
    #expect(try log.model.rankedSearch.search("soup").map(\.title) == ["a pot of soups", "Rice"])
  }

  @Test func `Search: the note of a choice without a name is not its title`() throws {
    var log = try OneLog()
    let question = try log.add(.question, [(Field.Question.content, .text("Lunch?"))])
    try log.add(.choice, [(.owner, .reference(question)), (.note, .text("soup"))])
    try log.todo("a pot of soups")
    let titles = log.model.titleSearch
    #expect(try titles.candidates(named: "soup") == [])
    #expect(try titles.candidates(titled: "soup").map(\.title) == ["a pot of soups"])
    #expect(try log.model.rankedSearch.search("soup").map(\.title) == ["a pot of soups", nil])
  }

  @Test func `Search: results are limited to a kind or to a list`() throws {
    var log = try OneLog()
    let home = try log.list("Home milk")
    try log.todo("milk", on: home)
    try log.todo("milk", on: try log.list("Shop"))
    #expect(try log.model.rankedSearch.search("milk", kind: .list).map(\.title) == ["Home milk"])
    #expect(
      try log.model.rankedSearch.search("milk", in: .list(home)).map(\.key) == [
        EventKey(log: 0, sequence: 2)
      ])
    #expect(try log.model.rankedSearch.search("", in: .list(home)).count == 1)
    #expect(try log.model.rankedSearch.search("milk", kind: .list, in: .list(home)) == [])
  }

  @Test func `Search: a to-do has its list, and to-dos on no list can be searched separately`()
    throws
  {
    var log = try OneLog()
    let home = try log.list("Home")
    let milk = try log.todo("milk", on: home)
    let free = try log.todo("milk shake")
    let lost = try log.todo("milk tooth", on: EventKey(log: 0, sequence: 99))
    let all = try log.model.rankedSearch.search("milk")
    #expect(all.map(\.key) == [milk, free, lost])
    #expect(all.map(\.list) == [home, nil, nil])
    let loose = try log.model.rankedSearch.search("milk", in: .withoutList)
    #expect(loose.map(\.key) == [free, lost])
    #expect(try log.model.rankedSearch.search("home", in: .withoutList) == [])
  }

  @Test func `Search: an empty query lists everything page by page`() throws {
    var log = try OneLog()
    for title in ["b", "a", "b", "c", "B"] { try log.todo(title) }
    _ = try log.list("a")
    let all = try log.model.rankedSearch.search("")
    #expect(all.map(\.title) == ["a", "a", "B", "b", "b", "c"])
    var pages: [Candidate] = []
    while let next = try log.model.rankedSearch.search(
      "", page: Page(after: pages.last?.key, count: 1)
    ).first {
      pages.append(next)
    }
    #expect(pages == all)
  }
}
