import Domain
import Interchange
import Testing

/// Files exchanged between books: each book imports the other's changes and keeps its own.
struct BetweenBooksTests {
  /// A format, and a record with two independent fields that the format can represent.
  struct Form: CustomTestStringConvertible, Sendable {
    var format: FileFormat
    var isPerson = false

    var testDescription: String { "\(format)\(isPerson ? " of birthdays" : "")" }

    static let all = [
      Form(format: .todoTxt), Form(format: .markdown), Form(format: .iCalendar),
      Form(format: .iCalendar, isPerson: true), Form(format: .vCard, isPerson: true),
      Form(format: .csv), Form(format: .csv, isPerson: true), Form(format: .taskwarrior),
    ]

    var kind: String { isPerson ? "birthday" : "todo" }
    /// The name of a text field.
    var name: String { isPerson ? "lastName" : "title" }

    /// The operation members that switch another field on or off.
    func other(_ isOn: Bool) -> String {
      isPerson ? #""birthdate":"\#(isOn ? "1990-01-02" : "1815-12-10")""# : #""done":\#(isOn)"#
    }

    func add(_ name: String) -> String {
      let fields = isPerson ? #","birthdate":"1815-12-10""# : ""
      return #"{"op":"add","kind":"\#(kind)","id":"r","\#(self.name)":"\#(name)"\#(fields)}"#
    }
  }

  /// The name of the only record in a book, and whether its other field is on.
  private struct Shown: Equatable, ExpressibleByStringLiteral {
    var text: String
    init(stringLiteral text: String) { self.text = text }

    init(_ book: ForeignBook, _ form: Form) {
      let documents = book.records.documents(form.isPerson ? .birthday : .todo)
      text = documents.filter(\.isAlive).map { document in
        let name = document.text(form.isPerson ? Field.Birthday.lastName : Field.Todo.title) ?? "-"
        let isOn =
          form.isPerson
          ? Birthday(document)?.birthdate?.year == 1990 : Todo(document)?.isDone == true
        return name + (isOn ? " on" : "")
      }.joined(separator: "; ")
    }
  }

  /// Several books that import each other's files.
  private struct Circle {
    let form: Form
    var books: [ForeignBook]
    private var first: String

    init(_ form: Form, count: Int = 2) throws {
      self.form = form
      books = (1...count).map { ForeignBook(number: UInt64($0)) }
      try books[0].run(form.add("one"))
      first = try #require(books[0].records.documents(form.isPerson ? .birthday : .todo).first).id
        .uuid
    }

    mutating func set(_ place: Int, _ fields: String) throws {
      let kind: Kind = form.isPerson ? .birthday : .todo
      let id = try #require(books[place].records.documents(kind).first).id.uuid
      try books[place].run(
        #"{"op":"edit","kind":"\#(form.kind)","id":"\#(id)","set":{\#(fields)}}"#)
    }

    mutating func rename(_ place: Int, _ name: String) throws {
      try set(place, #""\#(form.name)":"\#(name)""#)
    }

    func written(_ place: Int) throws -> String { try books[place].written(form.format) }

    @discardableResult
    mutating func send(_ sender: Int, _ receiver: Int) throws -> ForeignBook.Outcome {
      try books[receiver].take(try written(sender), form.format)
    }

    func shown(_ place: Int) -> Shown { Shown(books[place], form) }
    var shown: [Shown] { books.indices.map(shown) }
    var disputes: [[FieldDispute]] { books.map(\.disputes) }
  }

  @Test(arguments: Form.all)
  func `File exchange: a change in one book only is imported, in both directions`(form: Form) throws
  {
    var circle = try Circle(form)
    #expect(try circle.send(0, 1) == .init(added: 1))
    #expect(try circle.send(1, 0) == .init(same: 1))
    for round in 0..<3 {
      try circle.rename(1, "two \(round)")
      #expect(try circle.send(1, 0) == .init(edited: 1))
      #expect(circle.shown(0).text == "two \(round)")
      #expect(try circle.send(0, 1) == .init(same: 1))
      try circle.set(0, form.other(true))
      #expect(try circle.send(0, 1) == .init(edited: 1))
      try circle.set(0, form.other(false))
      #expect(try circle.send(0, 1) == .init(edited: 1))
      #expect(try circle.send(1, 0) == .init(same: 1))
    }
    #expect(circle.shown == ["two 2", "two 2"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: a change only in the reading book is kept`(form: Form) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(0, "mine")
    for _ in 0..<2 {
      #expect(try circle.send(1, 0) == .init(outdated: 1))
      try circle.set(1, form.other(true))
      #expect(try circle.send(1, 0) == .init(edited: 1))
      #expect(circle.shown == ["mine on", "one on"])
      try circle.set(1, form.other(false))
      #expect(try circle.send(1, 0) == .init(edited: 1))
    }
    #expect(try circle.send(0, 1) == .init(edited: 1))
    #expect(circle.shown == ["mine", "mine"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: if both books changed a field, the reader's value is kept and reported`(
    form: Form
  ) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(0, "mine")
    try circle.rename(1, "theirs")
    try circle.set(1, form.other(true))
    #expect(try circle.send(1, 0) == .init(edited: 1, disputed: 1))
    #expect(circle.shown == ["mine on", "theirs on"])
    #expect(circle.disputes[0].map(\.reason) == [.changedInBoth])
    #expect(circle.disputes[0].map(\.title) == ["mine"])
    #expect(circle.disputes[0].map(\.own) == [.value(.text("mine"))])
    #expect(circle.disputes[0].map(\.told) == [.value(.text("theirs"))])
    // This settles the field, so the dispute is reported only once.
    #expect(try circle.send(1, 0) == .init(outdated: 1))
    #expect(try circle.send(0, 1) == .init(edited: 1))
    #expect(circle.shown == ["mine on", "mine on"])
  }

  @Test(arguments: Form.all)
  func `File exchange: with prefersFile the file's value wins`(form: Form) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(0, "mine")
    try circle.rename(1, "theirs")
    try circle.send(1, 0)
    var settings = ForeignSettings()
    settings.prefersFile = true
    #expect(
      try circle.books[0].take(try circle.written(1), form.format, settings) == .init(edited: 1))
    #expect(circle.shown == ["theirs", "theirs"])
    #expect(try circle.send(0, 1) == .init(same: 1))
  }

  @Test(arguments: Form.all)
  func `File exchange: a field changed and changed back counts as unchanged`(
    form: Form
  ) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(1, "two")
    try circle.send(1, 0)
    try circle.rename(1, "one")
    #expect(try circle.send(1, 0) == .init(edited: 1))
    #expect(circle.shown == ["one", "one"])
    try circle.rename(0, "two")
    #expect(try circle.send(0, 1) == .init(edited: 1))
    try circle.rename(0, "one")
    try circle.rename(0, "two")
    try circle.rename(1, "three")
    #expect(try circle.send(1, 0) == .init(edited: 1))
    #expect(circle.shown == ["three", "three"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: after a simultaneous exchange, later changes are still recognised`(
    form: Form
  ) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(0, "mine")
    try circle.set(1, form.other(true))
    let files = (try circle.written(0), try circle.written(1))
    try circle.books[0].take(files.1, form.format)
    try circle.books[1].take(files.0, form.format)
    #expect(circle.shown == ["mine on", "mine on"])
    try circle.rename(1, "later")
    #expect(try circle.send(1, 0) == .init(edited: 1))
    #expect(circle.shown == ["later on", "later on"])
    try circle.set(0, form.other(false))
    #expect(try circle.send(0, 1) == .init(edited: 1))
    #expect(circle.shown == ["later", "later"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: an older file does not undo newer changes`(form: Form) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.rename(1, "two")
    let old = try circle.written(1)
    try circle.rename(1, "three")
    try circle.send(1, 0)
    #expect(try circle.books[0].take(old, form.format) == .init(outdated: 1))
    #expect(circle.shown(0) == "three")
  }

  @Test(arguments: Form.all)
  func `File exchange: a record deleted in the reading book stays deleted`(form: Form) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    let kind: Kind = form.isPerson ? .birthday : .todo
    let id = try #require(circle.books[0].records.documents(kind).first).id.uuid
    try circle.books[0].run(#"{"op":"delete","kind":"\#(form.kind)","id":"\#(id)"}"#)
    try circle.rename(1, "two")
    #expect(try circle.send(1, 0) == .init(keptDeleted: 1))
    #expect(circle.shown == ["", "two"])
  }

  @Test(arguments: Form.all)
  func `File exchange: a manual edit of the file counts as a change there`(
    form: Form
  ) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    try circle.set(1, form.other(true))
    let edited = try circle.written(1).replacing("one", with: "by hand")
    #expect(try circle.books[0].take(edited, form.format) == .init(edited: 1))
    #expect(circle.shown(0) == "by hand on")
    // The other book has not seen this edit, so its later files do not change the name.
    try circle.set(1, form.other(false))
    #expect(try circle.send(1, 0) == .init(edited: 1))
    #expect(circle.shown == ["by hand", "one"])
    #expect(try circle.send(0, 1) == .init(edited: 1))
    #expect(circle.shown == ["by hand", "by hand"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: a third book forwards the changes that it imported`(form: Form) throws {
    var circle = try Circle(form, count: 3)
    try circle.send(0, 1)
    try circle.send(1, 2)
    try circle.rename(2, "from three")
    #expect(try circle.send(2, 0) == .init(edited: 1))
    #expect(circle.shown == ["from three", "one", "from three"])
    try circle.set(1, form.other(true))
    #expect(try circle.send(1, 2) == .init(edited: 1))
    try circle.rename(0, "from one")
    #expect(try circle.send(2, 0) == .init(edited: 1))
    #expect(circle.shown == ["from one on", "one on", "from three on"])
    #expect(try circle.send(0, 2) == .init(edited: 1))
    #expect(try circle.send(2, 1) == .init(edited: 1))
    #expect(circle.shown == ["from one on", "from one on", "from one on"])
    #expect(try circle.send(1, 0) == .init(same: 1))
    #expect(circle.disputes == [[], [], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: without a common base, a difference is disputed`(
    form: Form
  ) throws {
    var circle = try Circle(form)
    let file = try circle.written(0)
    // The other book imports a file without tags, as earlier versions wrote.
    let plain = file.replacing(/@0000000[^\s",]+/, with: "").replacing(
      /X-DAYBOOK-FROM:[^\n]*\n(\ [^\n]*\n)*/, with: "")
    try circle.books[1].take(plain, form.format)
    try circle.rename(1, "two")
    try circle.set(1, form.other(true))
    let outcome = try circle.send(1, 0)
    #expect(outcome == .init(disputed: 1))
    #expect(Set(circle.disputes[0].map(\.reason)) == [.unknown])
    #expect(circle.shown == ["one", "two on"])
  }

  @Test(arguments: Form.all)
  func `File exchange: books that imported the same file share a base`(form: Form) throws {
    let source = ForeignBook(number: 9)
    var whole = source
    try whole.run(form.add("one"))
    let file = try whole.written(form.format).replacing(/@0000000[^\s",]+/, with: "").replacing(
      /X-DAYBOOK-FROM:[^\n]*\n(\ [^\n]*\n)*/, with: "")
    var circle = try Circle(form)
    circle.books = [ForeignBook(number: 1), ForeignBook(number: 2)]
    for place in 0..<2 { try circle.books[place].take(file, form.format) }
    try circle.rename(0, "mine")
    try circle.set(1, form.other(true))
    #expect(try circle.send(1, 0) == .init(edited: 1))
    #expect(circle.shown == ["mine on", "one on"])
    #expect(try circle.send(0, 1) == .init(edited: 1))
    #expect(circle.shown == ["mine on", "mine on"])
    #expect(circle.disputes == [[], []])
  }

  @Test(arguments: Form.all)
  func `File exchange: an unchanged record keeps the base mark of its origin`(form: Form) throws {
    var circle = try Circle(form)
    try circle.send(0, 1)
    func word(_ text: String) -> Substring? {
      text.replacing("\r\n ", with: "").firstMatch(of: /@0000000[^\s",]+/)?.output
    }
    let first = try #require(word(try circle.written(0)))
    #expect(first.starts(with: "@00000001."))
    #expect(word(try circle.written(1)) == first)
    try circle.rename(1, "two")
    let second = try #require(word(try circle.written(1)))
    let field = form.isPerson ? 6 : 5
    #expect(second.contains(/^@00000002\.[0-9a-z]+~00000001\.[0-9a-z]+\.\d+-[0-9a-f]{6}$/))
    #expect(second.contains(".\(field)-"))
  }
}
