import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Import of other programs' tables.
struct ImportTableTests {
  private func stage(_ text: String, as name: String) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    try stage.disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
    return stage
  }

  private static let cards = """
    Card ID,Card Name,Votes,List Name,Due Complete,Archived
    65aa,Order tiles,3,Doing,false,false
    65ab,Paint,1,Done,true,false
    65ac,Old,0,Done,false,true

    """

  @Test(
    "Import table: headers in German and Chinese are known",
    arguments: [
      "Titel,Liste,Fällig,Priorität,Notiz,Schlagwörter,Erledigt",
      "标题,清单,截止日期,优先级,备注,标签,完成",
    ])
  func translatedHeaders(header: String) throws {
    let stage = try stage(
      "\(header)\nBrot,Einkauf,2026-12-04,high,dunkel,essen,nein\n", as: "t.csv")
    _ = stage.answer("import", "t.csv")
    let todos = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    let todo = try #require(todos.array?.first)
    #expect((todo["title"], todo["listName"], todo["due"]) == ("Brot", "Einkauf", "2026-12-04"))
    #expect((todo["priority"], todo["note"]) == ("high", "dunkel"))
    #expect(todo["tags"] == .array(["essen"]))
  }

  @Test func `Import table: a dry run shows the meaning of each column`() throws {
    let stage = try stage(Self.cards, as: "board.csv")
    let trial = stage.run("import", "board.csv", "-n")
    #expect(
      trial.output == """
        new  todo  Order tiles  Doing
        new  todo  Paint        Done, done
        new  todo  Old          Done
        column  Card ID       id
        column  Card Name     title
        column  Votes         kept as text
        column  List Name     list
        column  Due Complete  done
        column  Archived      cancelled
        Read as CSV from Trello: 3 new, 2 new lists. Nothing was written.

        """)
    #expect(
      trial.error == """
        daybook: line 1: the column 'Votes' matches no field, and its content is kept as text.

        """)
    #expect(
      stage.answer("import", "board.csv", "-n", "--json").contains(
        """
          "program": "Trello",
          "columns": [
            {
              "column": "Card ID",
              "field": "id"
            },
        """))
    #expect(
      stage.answer("import", "board.csv")
        == "Read 3 records as CSV from Trello: added 3, made 2 lists. To undo this import, run 'daybook undo'.\n"
    )
    #expect(stage.answer("import", "board.csv").contains("has already been imported"))
    // A dry run lists the columns even if the file was imported before.
    #expect(stage.answer("import", "board.csv", "-n").contains("column  Card Name     title\n"))
  }

  @Test func `Import table: with a different column mapping, it is a new import`() throws {
    let stage = try stage("Was,Wann\nMop,2026-12-01\n", as: "liste.csv")
    let refused = stage.run("import", "liste.csv")
    #expect(refused.code == .refused)
    #expect(
      refused.error
        == "daybook: liste.csv cannot be imported: none of its columns is known to contain a title or "
        + "a name; its columns are 'Was', 'Wann'. Choose one with --map 'COLUMN=title', or with --map "
        + "'COLUMN=name' for people.\n")
    #expect(stage.answer("import", "liste.csv", "--map", "Was=title").contains("added 1"))
    let maps = ["import", "liste.csv", "--map", "Was=title", "--map", "Wann=due"]
    #expect(stage.run(maps).output.contains("edited 1"))
    #expect(stage.answer("list", "todos").contains("2026-12-01"))
    #expect(stage.run(maps).output.contains("has already been imported"))
  }

  @Test func `Import table: a dry run shows kept, ignored and unsuitable columns`() throws {
    let table =
      "Title,First name,Last name,Birthday,Start date,Phone\nDr.,Ada,Byron,1815-12-10,,7\n"
    let stage = try stage(table, as: "people.csv")
    #expect(
      stage.run("import", "people.csv", "-n", "--map", "Phone=").output == """
        new  birthday  Ada Byron  1815-12-10
        column  Title       kept as text
        column  First name  firstName
        column  Last name   lastName
        column  Birthday    birthday
        column  Start date  kept as text
        column  Phone       ignored
        Read as CSV: 1 new. Nothing was written.

        """)
  }

  private static let wrong: [(words: [String], code: ExitCode, error: String)] = [
    (
      ["--map", "Was"], .refused,
      "--map cannot be 'Was'. Use COLUMN=FIELD, as in --map 'Card Name=title'."
    ),
    (
      ["--map", "Was=hair"], .refused, "the field cannot be 'hair'. Use one of kind, id, firstName,"
    ),
    (
      ["--map", "Wo=title"], .refused,
      "liste.csv cannot be imported: it has no column 'Wo'; its columns are 'Was', 'Wann'."
    ),
    (["--as", "word"], .refused, "the program cannot be 'word'. Use one of todoist, ticktick,"),
    (
      ["--as", "trello"], .refused,
      "liste.csv cannot be imported: it does not have the columns of Trello; its columns are 'Was', 'Wann'."
    ),
    (
      ["--format", "todotxt", "--as", "trello"], .refused,
      "--as cannot be 'todotxt'. It applies only to CSV."
    ),
    (
      ["--format", "todotxt", "--map", "Was=title"], .refused,
      "--map cannot be 'todotxt'. It applies only to CSV."
    ),
  ]

  @Test(arguments: wrong)
  func `Import table: an unknown column, field or program is refused by name`(
    words: [String], code: ExitCode, error: String
  ) throws {
    let stage = try stage("Was,Wann\nMop,2026-12-01\n", as: "liste.csv")
    let outcome = stage.run(["import", "liste.csv"] + words)
    #expect(outcome.code == code)
    #expect(outcome.error.hasPrefix("daybook: " + error), "\(outcome.error)")
    #expect(stage.run("list", "todos").code == .refused)
  }

  @Test func `Import table: text values exit 0, and with --strict nothing is imported`() throws {
    let stage = try stage("Title,Due\nMop,soon\nDig,2026-12-01\n", as: "todos.csv")
    let strict = stage.run("import", "todos.csv", "--strict")
    #expect(strict.code == .refused)
    #expect(strict.error == "daybook: line 2: Due cannot be 'soon'. Nothing was imported.\n")
    let taken = stage.run("import", "todos.csv")
    #expect(taken.code == .done)
    #expect(taken.output.hasPrefix("Read 2 records as CSV: added 2, kept 1 value as text."))
    #expect(
      taken.error.hasSuffix("daybook: line 2: Due 'soon' cannot be read; it is kept unchanged.\n"))
    #expect(stage.answer("show", "mop").contains("soon"))
  }

  @Test func `Import table: people without a birthday column are reported`() throws {
    let stage = try stage("Name,Date\nAda,1815-12-10\n", as: "people.csv")
    let taken = stage.run("import", "people.csv", "-n")
    #expect(
      taken.error.contains(
        "daybook: line 1: no column was read as a birthday; choose one with --map "
          + "'COLUMN=birthday'.\n"
      ))
    #expect(
      stage.run("import", "people.csv", "--map", "Date=birthday").output.contains("added 1"))
    #expect(stage.answer("list", "birthdays").contains("1815-12-10"))
  }

  @Test func `Import: a Google Tasks file is recognised by its contents`() throws {
    let stage = try stage(
      #"{"kind":"tasks#tasks","title":"Home","items":[{"id":"a","title":"Mop","status":"completed"}]}"#,
      as: "Tasks.json")
    #expect(
      stage.answer("import", "Tasks.json")
        == "Read 1 record as Google Tasks' JSON: added 1, made 1 list. To undo this import, run 'daybook undo'.\n"
    )
    #expect(stage.answer("list", "todos", "--done").contains("[x]"))
  }

  @Test
  func
    `Import table: phrases of Todoist repeat from their next date, and importing again changes nothing`()
    throws
  {
    let rows = [
      "Bins,every monday at 9am,en", "Filter,every! 3 months starting 1 dec,en",
      "Pflanzen,jeden Donnerstag,de", "Dentist,5 Dec,en",
    ]
    let table =
      (["TYPE,CONTENT,DATE,DATE_LANG,INDENT"]
      + rows.map { "task,\($0),1" }).joined(separator: "\n")
    let stage = try stage(table + "\n", as: "House.csv")
    #expect(
      stage.run("import", "House.csv").error.contains(
        "DATE '5 Dec' cannot be read; it is kept unchanged"))
    let exported = stage.answer("export", "--format", "csv", "--kind", "todos")
    for row in [
      #"2026-11-23,09:00,"FREQ=WEEKLY;BYDAY=MO""#,
      #"2026-12-01,,"FREQ=MONTHLY;INTERVAL=3;SKIP=BACKWARD;FROM=DONE""#,
      #"2026-11-26,,"FREQ=WEEKLY;BYDAY=TH""#,
    ] { #expect(exported.contains(row), "\(row)") }
    try stage.disk.replace(Path("/home/ada/House.csv"), with: Array((table + "\n\n").utf8))
    #expect(stage.answer("import", "House.csv").contains("4 unchanged"))
  }
}
