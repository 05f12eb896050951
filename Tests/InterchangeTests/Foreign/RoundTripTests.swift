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
      if dice.chance(20) { line += #","note":"\#(text(&dice, atMost: 9))""# }
      if dice.chance(40) { line += #","done":true,"completedAt":\#(1_795_276_000_000 + number)"# }
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

  @Test func `Round trip: another book gets every to-do from Taskwarrior JSON`() throws {
    var dice = Dice(seed: 23)
    func plain(_ book: ForeignBook) -> [String] {
      book.shown.filter { !$0.contains(#""kind":"list""#) }
        .map { $0.replacing(/"list":"[^"]+"/, with: "") }.sorted()
    }
    for _ in 0..<12 {
      let book = try Self.book(&dice)
      var other = ForeignBook()
      let text = try book.written(.taskwarrior).replacing(#""uuid":"0"#, with: #""uuid":"1"#)
      #expect(try other.take(text, .taskwarrior).added == 12)
      #expect(plain(other) == plain(book))
    }
  }
}
