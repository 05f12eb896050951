import Bytes
import Domain
import Interchange
import Testing

/// Signs of a format with a combining mark after them, which together are one Character.
struct CombiningMarkTests {
  @Test(arguments: [FileFormat.iCalendar, .csv, .todoTxt, .taskwarrior, .markdown])
  func `Export: signs with combining marks after them are escaped and come back`(
    format: FileFormat
  ) throws {
    let signs = "\"';,\\<>&|*_#[]()+@:=-!%$`~{}/^?."
    let titles = signs.flatMap {
      ["\($0)\u{301}b", "a\($0)\u{301}", "a \($0)\u{301},c \($0)\u{301} d"]
    }
    let lines = titles.enumerated().map { number, title in
      let add: [JSON.Member] = [
        JSON.Member("op", .string("add")), JSON.Member("kind", .string("todo")),
        JSON.Member("id", .string("t\(number)")), JSON.Member("title", .string(title)),
      ]
      return JSON.object(add).text(indented: false)
    }
    let book = try ForeignBook(lines.joined(separator: "\n"))
    var other = ForeignBook()
    try other.take(book.written(format), format)
    let back = titles.filter { other.document($0) != nil }
    #expect(back == titles)
  }
}
