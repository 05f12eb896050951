import Domain
import Interchange
import TestDice
import Testing

/// Random to-dos with the syntax of all formats, exported and imported.
struct RoundTripTests {
  private static let words = [
    "x", "(A)", "+plus", "@at", "due:2026-01-01", "2026-11-20", "a:b", "uuid:1", "base:-",
    "- [ ]", "#", "<!-- daybook a b -->", "```", "\\\"", "{", "é🎂", ",", "=1+1", "|",
    "%20",
    "t:2026-01-01", "remind:1d", "parent:a", "status:cancelled", "zone:Europe/Berlin", "#tag", "#5",
    "📅 2026-12-01", "⏫", "🔁 every day", "📅", "^a1", "\\\\#b", "\\\\📅",
    "list:a", "⏎", "\\\\", "http://a.b/c", "[x]", "*", "END:VTODO", "\\u00a0", ";",
  ]

  private static func text(_ dice: inout Dice, atMost count: Int) -> String {
    (0...dice.number(count)).map { _ in words[dice.number(words.count)] }
      .joined(separator: dice.chance(10) ? "  " : " ")
  }

  /// A book with random lists and to-dos that contain special characters.
  private static func book(_ dice: inout Dice) throws -> ForeignBook {
    var lines = (0..<3).map {
      #"{"op":"add","kind":"list","id":"l\#($0)","name":"\#(text(&dice, atMost: 3)) \#($0)"}"#
    }
    for number in 0..<12 {
      var line =
        #"{"op":"add","kind":"todo","id":"t\#(number)","t":\#(1_795_176_000_000 + number * 7_777),"#
        + #""title":"\#(text(&dice, atMost: 5)) \#(number)""#
      if dice.chance(60) { line += #","list":"l\#(dice.number(3))""# }
      if dice.chance(40) { line += #","due":"2026-1\#(dice.number(3))-2\#(dice.number(9))""# }
      if dice.chance(40) { line += #","priority":\#(dice.number(3))"# }
      if dice.chance(30) { line += #","tags":["\#(text(&dice, atMost: 1))","z"]"# }
      if dice.chance(30) { line += #","dueTime":\#(dice.number(1440))"# }
      if dice.chance(20) { line += #","zone":"\#(text(&dice, atMost: 2))""# }
      if dice.chance(30) { line += #","start":"2026-1\#(dice.number(3))-2\#(dice.number(9))""# }
      if dice.chance(20) { line += #","remind":["1d","\#(text(&dice, atMost: 2))"]"# }
      if number > 0, dice.chance(30) { line += #","parent":"t\#(dice.number(number))""# }
      if dice.chance(20) { line += #","note":"\#(text(&dice, atMost: 9))""# }
      if dice.chance(40) {
        line += #","done":true,"completedAt":\#(1_795_276_000_000 + number)"#
      } else if dice.chance(30) {
        line += #","cancelled":true,"closedOn":"2026-11-2\#(dice.number(9))""#
      }
      lines.append(line + "}")
    }
    return try ForeignBook(lines.joined(separator: "\n"))
  }

  @Test(arguments: [FileFormat.todoTxt, .taskwarrior, .markdown])
  func `Round trip: importing a book's own export changes nothing`(format: FileFormat) throws {
    var dice = Dice(seed: 19)
    for _ in 0..<12 {
      var book = try Self.book(&dice)
      let before = book.shown
      let file = try format.read(Array(try book.written(format).utf8))
      #expect(file.skipped == [])
      let outcome = book.take(file)
      #expect(outcome == .init(same: 12))
      #expect(book.shown.filter { !before.contains($0) } == [])
    }
  }

  @Test(arguments: [FileFormat.todoTxt, .taskwarrior, .markdown])
  func `Round trip: another book reads the same to-dos from an export`(format: FileFormat) throws {
    var dice = Dice(seed: 23)
    for _ in 0..<12 {
      let book = try Self.book(&dice)
      var other = ForeignBook(number: 2)
      #expect(try other.take(try book.written(format), format).added == 12)
      // In todo.txt, a project or a context is one word, and a sign stands for a line break.
      func plain(_ text: String) -> String {
        format != .todoTxt ? text : text.replacing("_", with: " ").replacing("\n", with: " ⏎ ")
      }
      let told = [other, book].map { book in
        book.toldTodos.map { "\(plain($0.key)): \(plain($0.value))" }.sorted()
      }
      #expect(told[0] == told[1])
    }
  }

  @Test(arguments: [FileFormat.todoTxt, .taskwarrior, .markdown, .iCalendar, .csv])
  func `Round trip: if to-dos are parts of each other, the later parent is left out`(
    format: FileFormat
  ) throws {
    var book = ForeignBook(number: 1)
    try book.run(
      """
      {"op":"add","kind":"todo","id":"a","title":"A"}
      {"op":"add","kind":"todo","id":"b","title":"B","parent":"a"}
      {"op":"edit","kind":"todo","id":"a","set":{"parent":"b"}}
      """)
    let text = try book.written(format)
    let file = try format.read(Array(text.utf8))
    #expect(file.remarks == [])
    #expect(book.take(file) == .init(same: 2))
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, format) == .init(added: 2))
    #expect(other.toldTodos == ["A": "", "B": "of A"])
  }
}
