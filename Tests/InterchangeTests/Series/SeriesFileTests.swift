import Bytes
import Domain
import Interchange
import Testing

/// Series with their stored dates, in files of all formats.
struct SeriesFileTests {
  static let formats: [FileFormat] = [.todoTxt, .markdown, .taskwarrior, .csv, .iCalendar]

  /// A series: its fields, and its occurrences with their fields.
  struct Story: CustomTestStringConvertible, Sendable {
    var fields: String
    var occurrences: [(slot: String, fields: String)] = []

    var testDescription: String { fields }
  }

  static let stories: [Story] = [
    Story(fields: #""due":"2026-11-23","repeat":"FREQ=WEEKLY""#),
    Story(
      fields: #""due":"2026-11-23","repeat":"FREQ=WEEKLY","start":"2026-11-20""#,
      occurrences: [
        ("2026-11-23", #""done":true,"completedAt":1795700000123,"closedOn":"2026-11-26""#),
        ("2026-11-30", #""cancelled":true,"closedOn":"2026-11-26""#),
        ("2026-12-07", #""due":"2026-12-09""#),
      ]),
    Story(
      fields:
        #""due":"2026-08-31","repeat":"FREQ=MONTHLY;SKIP=BACKWARD;MISSED=KEEP","until":"2027-02-28""#,
      occurrences: [
        ("2026-08-31", #""done":true"#), ("2026-10-31", #""done":true,"closedOn":"2026-10-30""#),
      ]),
    Story(
      fields: #""due":"2026-11-23","dueTime":1020,"repeat":"FREQ=DAILY;INTERVAL=3;FROM=DONE""#,
      occurrences: [("2026-11-23", #""done":true,"closedOn":"2026-11-26""#)]),
    Story(
      fields: #""due":"2026-11-23","repeat":"FREQ=WEEKLY;BYDAY=MO,TH;COUNT=9""#,
      occurrences: [("2026-11-26", #""cancelled":true,"closedOn":"2026-11-26""#)]),
    Story(
      fields: #""due":"2026-11-23","start":"2026-11-20","repeat":"FREQ=MONTHLY;FROM=START""#,
      occurrences: [("2026-11-20", #""done":true,"closedOn":"2026-11-21""#)]),
    Story(
      fields: #""due":"2026-11-23","repeat":"FREQ=DAILY;COUNT=2""#,
      occurrences: [
        ("2026-11-23", #""done":true,"closedOn":"2026-11-23""#),
        ("2026-11-24", #""done":true,"completedAt":1795600000000,"closedOn":"2026-11-25""#),
      ]),
    Story(
      fields: #""due":"2026-11-23","repeat":"FREQ=DAILY;COUNT=1""#,
      occurrences: [("2026-11-23", #""cancelled":true,"closedOn":"2026-11-23""#)]),
    Story(
      fields: #""due":"2026-11-23","repeat":"FREQ=DAILY""#,
      occurrences: [
        ("2026-11-23", #""done":false"#), ("2026-11-25", #""done":true,"closedOn":"2026-11-25""#),
      ]),
    Story(fields: #""due":"2026-11-23","repeat":"FREQ=DAILY","until":"2026-11-22""#),
  ]

  private static func book(_ story: Story) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(#"{"op":"add","kind":"todo","t":5000,"id":"b","title":"Bins",\#(story.fields)}"#)
    for (slot, fields) in story.occurrences { try book.occur("Bins", slot, fields) }
    return book
  }

  @Test(arguments: formats, stories)
  func `Series: files return them with all their dates, and change nothing in their own book`(
    format: FileFormat, story: Story
  ) throws {
    let book = try Self.book(story)
    let text = try book.written(format)
    var same = book
    #expect(try same.take(text, format) == .init(same: 1), "\(text)")
    #expect(same.repeating("Bins") == book.repeating("Bins"), "\(text)")
    #expect(same.shown == book.shown, "\(text)")
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, format) == .init(added: 1), "\(text)")
    #expect(other.repeating("Bins") == book.repeating("Bins"), "\(text)")
    #expect(try other.take(text, format) == .init(same: 1), "\(text)")
    let again = try other.written(format)
    #expect(try same.take(again, format) == .init(same: 1), "\(text)\n\(again)")
    #expect(same.repeating("Bins") == book.repeating("Bins"), "\(text)\n\(again)")
  }

  @Test(arguments: formats)
  func `Series: an older file of the same book does not restore an undone completion`(
    format: FileFormat
  ) throws {
    var book = try Self.book(Self.stories[1])
    let text = try book.written(format)
    let done = try #require(book.records.documents(.todo).first { $0.slot?.iso == "2026-11-23" })
    try book.run(#"{"op":"delete","kind":"todo","id":"\#(done.id.uuid)"}"#)
    let shown = book.repeating("Bins")
    _ = try book.take(text, format)
    #expect(book.repeating("Bins") == shown)
  }

  @Test(arguments: formats)
  func `Series: another book takes over later completions, and keeps its own`(
    format: FileFormat
  ) throws {
    var book = try Self.book(Self.stories[0])
    var other = ForeignBook(number: 2)
    try other.take(try book.written(format), format)
    try other.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-24""#)
    try book.occur("Bins", "2026-11-30", #""cancelled":true,"closedOn":"2026-12-01""#)
    try other.take(try book.written(format), format)
    let told =
      "FREQ=WEEKLY from 2026-11-23: 2026-12-07; 2026-11-23 done 2026-11-24; "
      + "2026-11-30 skipped 2026-12-01"
    #expect(other.repeating("Bins") == told)
    try book.take(try other.written(format), format)
    #expect(book.repeating("Bins") == told)
  }

  @Test(arguments: formats)
  func `Series: a part returns with its own dates`(format: FileFormat) throws {
    var book = try Self.book(Self.stories[0])
    try book.run(
      #"{"op":"add","kind":"todo","t":6000,"id":"p","title":"Brown","parent":"b","due":"2026-11-22"}"#
    )
    try book.occur("Brown", "2026-11-16", #""cancelled":true,"closedOn":"2026-11-17""#)
    try book.occur("Brown", "2026-11-23", #""done":true,"closedOn":"2026-11-23""#)
    let text = try book.written(format)
    var same = book
    #expect(try same.take(text, format) == .init(same: 2), "\(text)")
    #expect(same.shown == book.shown)
    var other = ForeignBook(number: 2)
    #expect(try other.take(text, format) == .init(added: 2), "\(text)")
    for title in ["Bins", "Brown"] {
      #expect(other.repeating(title) == book.repeating(title), "\(text)")
    }
    #expect(try other.take(text, format) == .init(same: 2), "\(text)")
  }

  /// Returns a file after another program has completed the to-do *Brown*.
  private static func completing(_ text: String, _ format: FileFormat) -> String {
    let separator = format == .iCalendar ? "BEGIN:VTODO" : format == .csv ? "\r\n" : "\n"
    let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    return parts.map { part in
      guard part.contains("Brown") else { return part }
      return switch format {
      case .todoTxt: "x 2026-11-24 " + part
      case .markdown: part.replacing("- [ ]", with: "- [x]")
      case .csv: part.replacing(",no,", with: ",yes,")
      case .taskwarrior:
        part.replacing(
          #""status":"pending""#, with: #""end":"20261124T101500Z","status":"completed""#)
      default: part.replacing("NEEDS-ACTION", with: "COMPLETED")
      }
    }.joined(separator: separator)
  }

  @Test(arguments: formats)
  func `Series: a part that a program completes is done only on the current date`(
    format: FileFormat
  ) throws {
    var book = try Self.book(Self.stories[0])
    try book.run(
      #"{"op":"add","kind":"todo","t":6000,"id":"p","title":"Brown","parent":"b"}"#)
    let text = try book.written(format)
    var same = book
    #expect(try same.take(text, format) == .init(same: 2), "\(text)")
    #expect(same.shown == book.shown)
    let changed = Self.completing(text, format)
    #expect(try book.take(changed, format) == .init(edited: 1, same: 1), "\(changed)")
    let told = try #require(book.repeating("Brown"))
    #expect(told.hasPrefix("a part from 2026-11-23: 2026-11-23; 2026-11-23 done"), "\(told)")
    #expect(book.todo("Brown").flatMap { Todo($0) }?.isDone == false)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-24""#)
    #expect(
      book.repeating("Brown")
        == told.replacing(
          "a part from 2026-11-23: 2026-11-23", with: "a part from 2026-11-23: 2026-11-30"))
  }

  @Test(arguments: formats)
  func `Series: the occurrences of a to-do that no longer repeats are reported`(
    format: FileFormat
  ) throws {
    var book = try Self.book(Self.stories[1])
    let id = try #require(book.todo("Bins")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{"repeat":null}}"#)
    let written = try format.write(book.contents(), .test)
    let lost = written.lost.map { "\($0.count) \($0.what)" }
    #expect(lost.contains("3 occurrences of to-dos that no longer repeat"), "\(lost)")
  }
}
