import Domain
import Interchange
import Testing

/// The kind of record that a table's rows contain: people, to-dos or lists.
struct CSVSubjectTests {
  private func told(_ text: String, _ maps: [String] = []) throws -> [String] {
    var settings = ForeignSettings()
    settings.columnMeanings = try maps.map(ColumnMeaning.init)
    var book = ForeignBook()
    try book.take(text, .csv, settings)
    return book.toldWithLists
  }

  private static let tables: [(text: String, records: [String])] = [
    // A column of types from another program is not our column of kinds.
    ("Type,Title,Done\nBug,Fix,no\nStory,Write,yes\n", ["[ ] Fix", "[x] Write"]),
    ("Title,Kind\nMop,TEXT\nDig,NOTE\n", ["[ ] Dig", "[ ] Mop"]),
    ("Type,Name,Birthday\nFriend,Ada,1815-12-10\n", ["Ada 1815-12-10"]),
    ("Type,Title\nlist,Groceries\nepic,Dig\n", ["[ ] Dig", "[ ] Groceries"]),
    // In our own column of kinds, an unknown word means a to-do.
    (
      "Kind,Title,Name,List\ntodo,Mop,,Home\ntask,Dig,,Home\nlist,,,Shop\nbirthday,,Ada,\n",
      ["Ada", "[ ] Dig, on Home", "[ ] Mop, on Home", "list Home", "list Shop"]
    ),
    // An additional column with list names does not turn a card into a list.
    ("List Name,Card Title\nDoing,Order\n", ["[ ] Order, on Doing", "list Doing"]),
    ("List,Colour\nHome,#00ff80\n", ["list Home"]),
    // A person's title is not a to-do, and a task may have a column for its name.
    (
      "Title,First name,Last name,Birthday\nDr.,Ada,Lovelace,1815-12-10\n",
      ["Ada Lovelace 1815-12-10"]
    ),
    ("Title,Birthday\nAda Byron,1815-12-10\n", ["Ada Byron 1815-12-10"]),
    ("Name,Due\nPay,2026-12-01\nCall,\n", ["[ ] Call", "[ ] Pay, due 2026-12-01"]),
    ("Name,Email,Status\nAda,a@b.example,active\n", ["Ada"]),
    ("Name,Assignee Email,Status\nPay,a@b.example,active\n", ["[ ] Pay"]),
    ("Name,Status\nPay,\nCall,done\n", ["[ ] Pay", "[x] Call"]),
    // The table has a title above the header.
    ("My people,,\nName,Birthday,Phone\nAda,1815-12-10,1\n", ["Ada 1815-12-10"]),
    // The row has more cells than the table has columns, and the additional cells are empty.
    ("Title,Due\nMop,2026-12-01,,\n", ["[ ] Mop, due 2026-12-01"]),
  ]

  @Test(arguments: tables)
  func `CSV: the columns together determine the kind of the rows`(
    text: String, records: [String]
  ) throws {
    #expect(try told(text) == records.sorted())
  }

  @Test(arguments: ["Id,List Name,Owner\n1,Doing,Ann\n", "Vote,Place\n1,2\n", "Dear diary,\n"])
  func `CSV: a table without a title column is refused with its column names`(
    text: String
  ) throws {
    let columns = text.split(separator: "\n")[0].split(separator: ",").map(String.init)
    let names = columns.count == 1 ? columns + ["column 2"] : columns
    #expect(throws: ForeignFault.noTitleColumn(has: names)) {
      try FileFormat.csv.read(Array(text.utf8))
    }
  }

  private static let states: [(table: String, open: Bool)] = [
    ("Title,Status\nMop,notStarted\n", true), ("Title,Status\nMop,In Progress\n", true),
    ("Title,State\nMop,Waiting on someone else\n", true), ("Title,Status\nMop,Triage\n", true),
    ("Title,Status\nMop,cancelled\n", true), ("Title,Progress\nMop,50%\n", true),
    ("Title,% Complete\nMop,99\n", true), ("Title,Done\nMop,in progress\n", true),
    ("Title,Status\nMop,Won't do\n", true), ("Title,Done\nMop,-\n", true),
    ("Title,Status\nMop,Completed\n", false), ("Title,State\nMop,CLOSED\n", false),
    ("Title,Status\nMop,erledigt\n", false), ("Title,Status\nMop,完成\n", false),
    ("Title,Percent complete\nMop,100%\n", false), ("Title,Completed\nMop,2026-11-02\n", false),
    ("Title,Date completed\nMop,2026-11-02\n", false), ("Title,Done\nMop,✓\n", false),
    ("Title,Progress\nMop,100%\n", false), ("Title,Status,Done\nMop,Doing,yes\n", false),
  ]

  @Test(arguments: states)
  func `CSV: states of other programs are read without losing a row`(
    table: String, open: Bool
  ) throws {
    let lines = try told(table)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(open ? "[ ] Mop" : "[x] Mop") == true)
  }

  @Test func `CSV: an unknown state is kept and reported, and a new to-do is open`() throws {
    let file = try FileFormat.csv.read(Array("Title,Status\nMop,Triage\nDig,Doing\n".utf8))
    #expect(file.notes == [.line(2): [.keptAsWritten(field: "Status", "Triage")]])
    #expect(file.records.map(\.extra) == [["Status": "Triage"], ["Status": "Doing"]])
    let flags = try FileFormat.csv.read(Array("Title,Done\nMop,perhaps\nDig,no\n".utf8))
    #expect(flags.notes == [.line(2): [.keptAsWritten(field: "Done", "perhaps")]])
    #expect(flags.records.map(\.extra) == [["Done": "perhaps"], [:]])
    var book = ForeignBook()
    book.take(flags)
    #expect(book.told == ["[ ] Dig", "[ ] Mop"])
  }

  @Test func `CSV: columns without a field are kept under their headers and reported`() throws {
    let table = """
      Title,Start date,Repeat,Cancelled,Parent,Votes
      Mop,2026-12-01,weekly,yes,7,3
      Dig,,,no,,
      """
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(
      file.records.map(\.extra) == [
        ["Repeat": "weekly", "Parent": "7", "Votes": "3"], [:],
      ])
    #expect(
      file.notes == [
        .line(1): [.columnsKept(["Votes"])],
        .line(2): [
          .notActedOn("Repeat: weekly"), .notActedOn("Parent: 7"),
        ],
      ])
  }

  @Test func `CSV: duplicate columns keep all their values`() throws {
    let table = """
      Title,Notes,Notes,Description,Due,Deadline
      Mop,a,b,c,,2026-12-01
      Dig,,b,,soon,2026-12-02
      """
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(file.records.map(\.extra) == [["Notes 2": "b", "Description": "c"], ["Due": "soon"]])
    #expect(
      file.notes == [
        .line(1): [.columnsBeside(["Notes 2", "Description"])],
        .line(3): [.keptAsWritten(field: "Due", "soon")],
      ])
    #expect(
      try told(table) == ["[ ] Dig, due 2026-12-02: b", "[ ] Mop, due 2026-12-01: a"])
  }

  @Test func `Notion: a single yes/no column is read as the done state and reported`() throws {
    func read(_ table: String) throws -> (told: [String], notes: [ForeignNote]) {
      let file = try FileFormat.csv.read(Array(table.utf8))
      var book = ForeignBook()
      book.take(file)
      return (book.told, file.remarks.map(\.note))
    }
    let time = "\"November 1, 2026 9:15 AM\""
    #expect(
      try read("Name,Created time,Bought\nMilk,\(time),Yes\nTea,\(time),No\n")
        == (["[ ] Tea", "[x] Milk"], [.takenForDone("Bought")]))
    // Two Yes/No columns are ambiguous; next to a state column, a Yes/No column is not the done state.
    #expect(
      try read("Name,Created time,Bought,Cold\nMilk,\(time),Yes,Yes\n")
        == (["[ ] Milk"], [.columnsKept(["Bought", "Cold"])]))
    #expect(
      try read("Name,Created time,Cold,Status\nMilk,\(time),Yes,Done\n")
        == (["[x] Milk"], [.columnsKept(["Cold"])]))
    // The same column in a table from another program is not read as the done state.
    #expect(try read("Title,Urgent\nMop,Yes\n").told == ["[ ] Mop"])
  }

  @Test func `CSV: a row with an unclosed quotation is refused and not read as records`()
    throws
  {
    let file = try FileFormat.csv.read(Array("Title,Note\nwhole,n\n\"unclosed,x\na,b\n".utf8))
    #expect(file.records.map(\.place) == [.line(2)])
    #expect(file.faults == [.line(3): .broken("a quotation mark is never closed")])
  }

  @Test func `Todoist: a note belongs only to the task above it`() throws {
    let table = """
      TYPE,CONTENT,INDENT,AUTHOR
      note,lost,,Ann
      task,Mop,1,
      note,wet,,Ann
      task,,1,
      note,of nothing,,Bob
      reminder,Dig,1,
      """
    let file = try FileFormat.csv.read(Array(table.utf8))
    #expect(
      file.faults == [
        .line(2): .missing("the task of the note"), .line(5): .missing("a title"),
        .line(6): .missing("the task of the note"),
      ])
    #expect(
      file.records.map(\.extra) == [
        ["AUTHOR of note 1": "Ann"], ["TYPE": "reminder"],
      ])
    #expect(file.records.map { $0.fields[.note] } == [.value(.text("wet")), nil])
    #expect(file.notes == [.line(7): [.keptAsWritten(field: "TYPE", "reminder")]])
  }

  private static let maps: [(table: String, maps: [String], records: [String])] = [
    ("Was,Wann\nMop,2026-12-01\n", ["Was=title", "Wann=due"], ["[ ] Mop, due 2026-12-01"]),
    ("Was,Wann\nAda,1815-12-10\n", ["was=name", "WANN=birthday"], ["Ada 1815-12-10"]),
    ("Card Name,Due\nMop,2026-12-01\n", ["Due="], ["[ ] Mop"]),
    ("Title,Task\nChapter 1,Mop\n", ["Task=title"], ["[ ] Mop"]),
    ("Title,Gekauft\nMop,Yes\nDig,No\n", ["Gekauft=done"], ["[ ] Dig", "[x] Mop"]),
    (
      "a=b,When\nMop,2026-12-01\n", ["a=b=title", "When=completedAt"], ["[x] Mop, done 2026-12-01"]
    ),
    (
      "Wer,J,M,T\nAda,1815,12,10\n",
      ["Wer=name", "J=yearOfBirth", "M=monthOfBirth", "T=dayOfBirth"], ["Ada 1815-12-10"]
    ),
    ("Sorte,Title\ntodo,Mop\nlist,Home\n", ["Sorte=kind"], ["[ ] Mop", "list Home"]),
  ]

  @Test(arguments: maps)
  func `CSV: a column meaning from the user overrides the header`(
    table: String, maps: [String], records: [String]
  ) throws {
    #expect(try told(table, maps) == records)
  }

  @Test func `CSV: an unknown column or field is refused with the available ones`() throws {
    var settings = ForeignSettings()
    settings.columnMeanings = [try ColumnMeaning("Card=title")]
    #expect(throws: ForeignFault.noSuchColumn("Card", has: ["Title", "Due"])) {
      try FileFormat.csv.read(Array("Title,Due\nMop,\n".utf8), settings)
    }
    for words in ["", "=title", "Card"] {
      #expect(throws: ColumnMeaning.Fault.self) { try ColumnMeaning(words) }
    }
    #expect(throws: ColumnMeaning.Fault.self) { try ColumnMeaning("Card=colour of hair") }
    #expect(ColumnMeaning.fields.contains("completedAt"))
  }

  @Test func `CSV: a named program is used, and refused when its columns are missing`() throws {
    var settings = ForeignSettings()
    settings.program = CSVProgram(named: "Notion")
    var book = ForeignBook()
    try book.take("Name,Date,Status\nMop,\"December 3, 2026\",Done\n", .csv, settings)
    #expect(book.told == ["[x] Mop, due 2026-12-03"])
    settings.program = .init(named: "Microsoft To Do")
    #expect(throws: ForeignFault.notOfProgram("Microsoft To Do", has: ["x", "y"])) {
      try FileFormat.csv.read(Array("x,y\nMop,1\n".utf8), settings)
    }
    #expect(CSVProgram(named: "nobody") == nil)
  }

  @Test func `CSV: values kept under known headers survive an export and import`() throws {
    let table = "Title,Due,Status,Start date\nMop,soon,Doing,2026-12-01\n"
    var book = ForeignBook()
    try book.take(table, .csv)
    let written = try book.written(.csv)
    var other = ForeignBook()
    #expect(try other.take(written, .csv) == .init(added: 1))
    let header = "Kind,Id,Title,Done,Completed at,Priority,Created at,Due,Start date,Status\r\n"
    #expect(try other.written(.csv).hasPrefix(header) == written.hasPrefix(header))
    let file = try FileFormat.csv.read(Array(written.utf8))
    #expect(
      file.records.map(\.extra) == [
        ["Due": "soon", "Status": "Doing"]
      ])
    #expect(file.notes == [.line(2): [.keptAsWritten(field: "Due", "soon")]])
  }
}
