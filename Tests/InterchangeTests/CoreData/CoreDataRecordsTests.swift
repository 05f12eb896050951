import Domain
import Interchange
import Testing

/// Stores of five programs and the records imported from them.
struct CoreDataRecordsTests {
  private func taken(_ store: SyntheticStore) throws -> (ForeignBook, ForeignFile) {
    let file = try store.read()
    var book = ForeignBook()
    let outcome = book.take(file)
    #expect(outcome.faults == [])
    return (book, file)
  }

  @Test func `Core Data: birthdays are imported with all known fields`() throws {
    let (book, file) = try taken(.birthdayTracker)
    #expect(
      Set(book.shown) == [
        #"{"kind":"birthday","firstName":"Ada","lastName":"Lovelace","birthdate":"1815-12-10"}"#,
        #"{"kind":"birthday","firstName":"Leap","lastName":"Larry","birthdate":"1952-02-29"}"#,
        #"{"kind":"birthday","firstName":"Grace","lastName":"Hopper"}"#,
        #"{"kind":"birthday","firstName":"😀 Zoë","birthdate":"1970-01-01"}"#,
      ])
    #expect(
      file.faults == [.row("ZBIRTHDAY", 5): .missing("a name or a date")])
    let ada = try #require(book.document("Ada"))
    #expect(
      ForeignExtra(of: ada, format: .coreData).properties
        == ["birthdayid": "11111111-AAAA-4BBB-8CCC-DDDDDDDDDDDD"])
  }

  @Test func `Core Data: a birthday is the local day of the phone`() throws {
    var settings = ForeignSettings()
    settings.localOffset = { $0 < 0 ? 3600 : -3600 }
    let file = try SyntheticStore.birthdayTracker.read(settings)
    var book = ForeignBook()
    book.take(file)
    #expect(
      Set(book.shown).isSuperset(of: [
        #"{"kind":"birthday","firstName":"Leap","lastName":"Larry","birthdate":"1952-03-01"}"#,
        #"{"kind":"birthday","firstName":"😀 Zoë","birthdate":"1969-12-31"}"#,
      ]))
    let leap = try CivilDate.parse("1952-02-29")
    let march = try CivilDate.parse("1952-03-01")
    #expect(file.notes[.row("ZBIRTHDAY", 2)] == [.otherDayInUTC(march, utc: leap)])
  }

  @Test func `Core Data: lists keep colours and to-dos, and to-dos without a list join the inbox`()
    throws
  {
    let (book, file) = try taken(.todo)
    #expect(
      book.shownWithoutTimes == [
        ##"{"kind":"list","name":"Home","colour":"#1d9bf6"}"##,
        #"{"kind":"list","name":"Work"}"#, #"{"kind":"list","name":"Inbox"}"#,
        line("Find Mike", "Home", book), line("Buy Eggos", "Home", book, isDone: true),
        line("Destroy Demogorgon", "Work", book), line("Nowhere", "Inbox", book),
        line("Lost", "Inbox", book),
      ])
    #expect(
      file.faults == [
        .row("ZCATEGORY", 3): .missing("ZNAME"), .row("ZITEM", 6): .missing("ZTITLE"),
      ])
    #expect(
      file.notes == [.row("ZCATEGORY", 2): [.keptAsWritten(field: "colour", "hot pink")]])
  }

  private func line(
    _ title: String, _ list: String, _ book: ForeignBook, isDone: Bool = false
  ) -> String {
    let document = book.document(list)
    let id = document?.uid(from: .coreData).flatMap { _ in document?.id.uuid } ?? ""
    return #"{"kind":"todo","title":"\#(title)","list":"\#(id)"\#(isDone ? #","done":true"# : "")}"#
  }

  @Test func `Core Data: to-dos keep their creation time`() throws {
    let (book, _) = try taken(.done)
    let todos = book.records.documents(.todo).compactMap { Todo($0) }
    #expect(
      Set(todos.map { "\($0.title) \($0.isDone) \($0.createdAt ?? 0)" })
        .isSuperset(of: ["Second false 1420070400250", "First true 1388534400000"]))
    #expect(todos.count == 3)
  }

  @Test func `Core Data: known priorities are kept, and unknown priorities become normal`() throws {
    let (book, file) = try taken(.toDoList)
    #expect(
      book.shownWithoutTimes == [
        #"{"kind":"todo","title":"High one","priority":2}"#,
        #"{"kind":"todo","title":"Low one","done":true,"priority":0}"#,
        #"{"kind":"todo","title":"Normal one"}"#, #"{"kind":"todo","title":"Odd one"}"#,
      ])
    #expect(file.faults == [.row("ZTODOITEM", 5): .missing("ZNAME")])
    #expect(
      file.notes == [
        .row("ZTODOITEM", 4): [.changed(field: "priority", "7", to: "normal")]
      ])
    let high = try #require(book.document("High one"))
    #expect(
      ForeignExtra(of: high, format: .coreData).properties
        == ["id": "00112233-4455-6677-8899-aabbccddeeff"])
  }

  @Test func `Core Data: choices stay with their questions, even with weight zero`() throws {
    let (book, file) = try taken(.hardChoice)
    #expect(
      Set(book.shown) == [
        #"{"kind":"question","content":"Lunch?"}"#, #"{"kind":"question","content":"Stay or go?"}"#,
        #"{"kind":"choice","name":"Noodles","weight":3}"#,
        #"{"kind":"choice","name":"Salad","weight":0}"#,
        #"{"kind":"choice","name":"Toast","weight":0}"#, #"{"kind":"choice","name":"Stay"}"#,
      ])
    let noodles = try #require(book.document("Noodles"))
    #expect(book.document("Lunch?")?.key == noodles.value(.owner).reference)
    #expect(file.faults == [.row("ZCHOICE", 5): .missing("question")])
    #expect(
      file.notes == [.row("ZCHOICE", 3): [.changed(field: "weight", "-2", to: "0")]])
  }

  private static let all: [SyntheticStore] = [
    .birthdayTracker, .todo, .done, .toDoList, .hardChoice,
  ]

  @Test(arguments: all.indices)
  func `Core Data: a second import finds all records, with or without the log`(place: Int) throws {
    let store = Self.all[place]
    let files = try store.files()
    let first = try FileFormat.coreData.read(files.main, files.settings)
    let again = try store.read()
    #expect(first.records == again.records)
    #expect(!first.records.isEmpty)
    var book = ForeignBook()
    let added = book.take(first)
    #expect(added == .init(added: first.records.count))
    let before = book.shown
    #expect(book.take(again) == .init(same: first.records.count))
    #expect(book.shown == before)
  }

  @Test func `Core Data: the same row of the same store has the same uid`() throws {
    let uids = try SyntheticStore.hardChoice.read().records.map(\.uid)
    // The first sixteen bytes of the SHA-256 of x-coredata://…/Question/p1, computed with Python.
    #expect(uids.first == "1198f338-adfc-864a-b44b-63d97f3cc2d7")
    #expect(Set(uids).count == uids.count)
  }
}

extension ForeignBook {
  /// The shown records without completion times, which these stores do not have.
  var shownWithoutTimes: Set<String> {
    Set(shown.map { $0.replacing(/,"completedAt":\d+/, with: "") })
  }
}
