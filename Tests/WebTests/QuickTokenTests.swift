import Bytes
import Daybook
import Domain
import Testing

@testable import Web

/// Words of a quick line that set fields, on Friday, 2026-11-20.
struct QuickTokenTests {
  private static let home = UniqueID(uuid: "00000000-0000-8000-8000-000000000001")
  private static let rooms = UniqueID(uuid: "00000000-0000-8000-8000-000000000002")

  private func read(
    _ text: String, as kind: String = "todo", keeping kept: Set<String> = []
  ) throws -> QuickLine {
    QuickLine(
      text, as: kind, today: try CivilDate(year: 2026, month: 11, day: 20), now: 600,
      lists: [
        .init(id: try #require(Self.home), name: "Home"),
        .init(id: try #require(Self.rooms), name: "Home improvement"),
      ], kept: kept)
  }

  /// Returns the title, and the words of the chips.
  private func told(_ line: QuickLine) -> String {
    ([line.rest] + line.parts.map(\.words)).joined(separator: "|")
  }

  @Test(arguments: [
    ("Buy milk +food due:fri", "Buy milk|#food|due Fri 27 Nov 2026"),
    ("Buy #food milk", "Buy milk|#food"),
    ("Buy milk #food,shop +food", "Buy milk|#food #shop|#food"),
    ("Party +🎉", "Party|#🎉"),
    ("Fix issue #1", "Fix issue #1"),
    ("Call +49 123", "Call +49 123"),
    ("Learn C++", "Learn C++"),
    ("Buy paint @home", "Buy paint|to Home"),
    ("@HOME buy paint", "buy paint|to Home"),
    ("Buy @home improvement paint", "Buy paint|to Home improvement"),
    ("Buy paint @work", "Buy paint @work"),
    ("Pay !high tomorrow", "Pay|high priority|due tomorrow"),
    ("Pay !HIGH", "Pay|high priority"),
    ("Wow !!!", "Wow !!!"),
    ("Pay tomorrow +bank", "Pay|#bank|due tomorrow"),
    ("Pay next +bank friday", "Pay next|#bank|due Fri 27 Nov 2026"),
    ("Pay due:mon tomorrow", "Pay tomorrow|due Mon 23 Nov 2026"),
    ("Read due:someday", "Read|#someday"),
    ("Call due:2026-11-23T17:00", "Call|due Mon 23 Nov 2026 17:00"),
    ("Call due:5pm", "Call|due today 17:00"),
    ("Call due:9:00", "Call|due tomorrow 09:00"),
    ("Tag \\+food \\#a \\@home \\!high \\due:fri", "Tag +food #a @home !high due:fri"),
    ("Buy  two   things +a", "Buy  two   things|#a"),
    ("Paint start:mon", "Paint|not before Mon 23 Nov 2026"),
    ("Tax due:2026-12-24 start:-2w", "Tax|due Thu 24 Dec 2026|not before Thu 10 Dec 2026"),
    ("Tax start:-2d friday", "Tax|not before Wed 25 Nov 2026|due Fri 27 Nov 2026"),
    ("Bins repeat:mon", "Bins|every Mon, first Mon 23 Nov 2026"),
    (
      "Bins repeat:mon start:-1d",
      "Bins|every Mon, first Mon 23 Nov 2026|not before Sun 22 Nov 2026"
    ),
    ("Bins due:mon repeat:weekly", "Bins|due Mon 23 Nov 2026|every week"),
  ])
  func `Quick line: words set the fields of a to-do`(text: String, expected: String) throws {
    let line = try read(text)
    #expect(told(line) == expected)
    #expect(line.fault == nil)
  }

  @Test(arguments: [
    ("Bins every mon", "Bins|every Mon, first Mon 23 Nov 2026"),
    ("Bins every mon at 9am", "Bins|every Mon, first Mon 23 Nov 2026 09:00"),
    ("Bins every mon +home", "Bins|#home|every Mon, first Mon 23 Nov 2026"),
    ("Swim monday every week", "Swim|every Mon, first Mon 23 Nov 2026"),
    ("Water plants every! 3 days", "Water plants|every! 3 days, first today"),
    ("Read daily until 2026-12-24", "Read|every day until 2026-12-24, first today"),
    ("浇花 每周一", "浇花|every Mon, first Mon 23 Nov 2026"),
    ("Film \\every friday", "Film every friday"),
    ("Every day", "Every day"),
    ("Every day counts", "Every day counts"),
    ("Meet every client", "Meet every client"),
  ])
  func `Quick line: a repeat phrase at the end is how a to-do repeats`(
    text: String, expected: String
  ) throws {
    let line = try read(text)
    #expect(told(line) == expected)
    #expect(line.fault == nil)
  }

  @Test func `Quick line: the tags, list, priority and date of the words are read`() throws {
    let line = try read("Fix gate +wood,oak @home !low due:sat #wood")
    #expect(line.tags == ["wood", "oak"])
    #expect((line.list, line.priority) == (Self.home, "low"))
    #expect(line.date?.iso == "2026-11-21")
    #expect(
      line.parts.map(\.place) == [9..<18, 19..<24, 25..<29, 30..<37, 38..<43])
    #expect(try read("Buy paint @wrk").missingLists == ["wrk"])
  }

  @Test func `Quick line: a part that was turned back into text stays in the title`() throws {
    #expect(told(try read("Film tomorrow", keeping: ["tomorrow"])) == "Film tomorrow")
    #expect(told(try read("Film due tomorrow", keeping: ["due tomorrow"])) == "Film due tomorrow")
    #expect(told(try read("Film +a tomorrow", keeping: ["+a"])) == "Film +a|due tomorrow")
    #expect(told(try read("Film every friday", keeping: ["every friday"])) == "Film every friday")
    let kept = try read("Buy @home improvement paint", keeping: ["@home improvement"])
    #expect(told(kept) == "Buy @home improvement paint")
    #expect(kept.missingLists.isEmpty)
  }

  @Test(arguments: [
    ("Pay !high !low", "more than one priority"), ("Pay due:fri due:sat", "more than one due date"),
    ("Pay @home @home improvement", "more than one list"),
    ("Pay due:blursday", "blursday"), ("Pay start:blursday", "blursday"),
    ("Pay repeat:blursday", "Cannot read 'blursday' as a repeat"),
    ("Pay repeat:daily repeat:weekly", "more than one repeat"),
    ("Pay start:mon start:tue", "more than one start"), ("Pay start:-3x", "-3d"),
    ("Pay start:-3d", "counts back from the due date"),
    ("Pay due:5pm every day at 6pm", "more than one due time"),
  ])
  func `Quick line: a contradiction or an unreadable date is refused`(
    text: String, part: String
  ) throws {
    #expect(try read(text).fault?.contains(part) == true)
  }

  @Test func `Quick line: a name that several lists have is not guessed`() throws {
    let ids = [try #require(Self.home), try #require(Self.rooms)]
    func read(_ text: String, _ names: [String]) throws -> QuickLine {
      QuickLine(
        text, as: "todo", today: try CivilDate(year: 2026, month: 11, day: 20),
        lists: zip(ids, names).map { .init(id: $0, name: $1) })
    }
    #expect(try read("Pay @home", ["Home", "Home"]).fault?.contains("2 lists") == true)
    #expect(try read("Pay @home", ["Home", "home"]).list == ids[1])
    #expect(try read("Pay @HOME", ["Home", "home"]).fault?.contains("2 lists") == true)
    #expect(try read("Pay @caf\u{E9}", ["Cafe\u{301}", "Bar"]).list == ids[0])
  }

  @Test func `Quick line: tokens make a line a to-do, and mean nothing in other records`() throws {
    let line = try read("Ada 10 dec 1815 +family", as: "any")
    #expect((line.kind, line.tags) == ("todo", ["family"]))
    #expect(told(try read("Ada +family 10 dec 1815", as: "birthday")).hasPrefix("Ada +family|"))
    for kind in ["list", "question", "choice"] {
      #expect(told(try read("Ada +family", as: kind)) == "Ada +family")
    }
  }

  @Test func `Page actions: a quick line with tokens adds a to-do to the list that it names`()
    throws
  {
    let desk = try Desk()
    let home = try desk.perform(.addList(name: "Home", colour: nil))
    let work = try desk.perform(.addList(name: "Work", colour: nil))
    let added = try desk.wish(
      "add", ("kind", "any"), ("text", "Call Bob @work +phone !high #boss tomorrow"),
      ("list", .string(home.uuid)))
    #expect(added["said"] == "Added “Call Bob”.")
    let row = try #require(try desk.get("view/list/\(work.uuid)").rows.first)
    #expect((row["title"], row["priority"]) == ("Call Bob", "high"))
    #expect(row["when"] == .object(("text", "Sat 21"), ("date", "2026-11-21"), ("tone", "soon")))
    let id = try #require(added["id"]?.string)
    let fields = try desk.get("item/\(id)")["fields"]?.array ?? []
    #expect(fields.last?["value"] == "boss, phone")
    let kept = try desk.wish(
      "add", ("kind", "todo"), ("text", "Film +noir tomorrow @cinema"),
      ("kept", .array(["tomorrow", "+noir"])))
    let said =
      "Added “Film +noir tomorrow @cinema”, on no list. "
      + "No list is called “cinema”, so “@cinema” stays in the title."
    #expect(kept["said"]?.string == said)
  }

  @Test func `Page actions: a form without a script reads the line as the script does`() throws {
    let desk = try Desk()
    let read = try desk.post(
      "read", .object(("text", "Pay +bank fri"), ("kind", "todo"), ("kept", .array(["fri"]))))
    #expect(
      read.json["parts"]
        == .array([
          .object(
            ("from", 4), ("to", 9), ("field", "tag"), ("value", "bank"), ("words", "#bank"))
        ]))
    try desk.wish("add", ("kind", "any"), ("text", "Pay \\+bank fri"), ("back", ""))
    let row = try #require(try desk.get("view/list/none").rows.first)
    #expect((row["title"], row["when"]?["date"]) == ("Pay +bank", "2026-11-27"))
    let wrong = try desk.post(
      "read", .object(("text", "x"), ("kind", "todo"), ("kept", .array([1]))))
    #expect(wrong.status == 400)
  }
}
