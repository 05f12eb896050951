import Domain
import Foundation
import Interchange
import Testing

/// Imports files written by other programs and libraries.
struct ForeignWriterTests {
  @Test(.enabled(if: CalendarOracleTests.has("vobject"), "python3-vobject is not installed"))
  func `Foreign writers: a card from vobject is read and keeps unknown properties`() throws {
    let script = """
      import vobject
      card = vobject.vCard()
      card.add("n").value = vobject.vcard.Name(family="O, P", given="Zoë")
      card.add("fn").value = "Zoë O, P"
      card.add("bday").value = "1990-05-06"
      card.add("note").value = "a; b\\nc " + "long " * 29 + "long"
      card.add("tel").value = "+1 555 0100"
      card.add("uid").value = "from-vobject"
      print(card.serialize(), end="")
      """
    var book = ForeignBook()
    let text = try CalendarOracleTests.run(script, input: "")
    #expect(try book.take(text, .vCard) == .init(added: 1))
    let note = #"a; b\nc "# + String(repeating: "long ", count: 29) + "long"
    #expect(
      book.shown == [
        #"{"kind":"birthday","firstName":"Zoë","lastName":"O, P","birthdate":"1990-05-06","#
          + #""note":"\#(note)"}"#
      ])
    let written = try book.written(.vCard)
    #expect(written.contains("\r\nTEL:+1 555 0100\r\n"))
    #expect(written.contains("\r\nUID:from-vobject\r\n"))
  }

  @Test(.enabled(if: CalendarOracleTests.has("icalendar"), "python3-icalendar is not installed"))
  func `Foreign writers: a calendar from icalendar is read`() throws {
    let script = """
      import sys, icalendar, datetime
      calendar = icalendar.Calendar()
      calendar.add("prodid", "-//somebody//EN")
      calendar.add("version", "2.0")
      event = icalendar.Event()
      event.add("uid", "e"), event.add("dtstamp", datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
      event.add("dtstart", datetime.date(1952, 2, 29))
      event.add("rrule", {"freq": "yearly", "byyearday": 60})
      event.add("summary", "Leap Larry"), event.add("categories", ["BIRTHDAY"])
      todo = icalendar.Todo()
      todo.add("uid", "t"), todo.add("summary", "Sweep; mop"), todo.add("priority", 9)
      todo.add("due", datetime.date(2026, 12, 1)), todo.add("categories", ["Home"])
      calendar.add_component(event), calendar.add_component(todo)
      sys.stdout.buffer.write(calendar.to_ical())
      """
    var book = ForeignBook()
    let text = try CalendarOracleTests.run(script, input: "")
    #expect(try book.take(text, .iCalendar) == .init(added: 2))
    let shown = book.shown.map { $0.replacing(/"list":"[^"]+"/, with: #""list":"""#) }.sorted()
    #expect(
      shown == [
        #"{"kind":"birthday","firstName":"Leap","lastName":"Larry","birthdate":"1952-02-29","leapRule":1}"#,
        #"{"kind":"list","name":"Home"}"#,
        #"{"kind":"todo","title":"Sweep; mop","list":"","priority":0,"due":"2026-12-01"}"#,
      ])
  }

  private static let calcurse = "/usr/bin/calcurse"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: calcurse), "calcurse is not installed"))
  func `Foreign writers: a calendar from calcurse is read`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("[2] Sweep; mop\n[9] Rest\n".utf8).write(to: URL(filePath: folder + "/todo"))
    try Data("02/29/1952 [1] {1Y} Leap Larry\n".utf8).write(to: URL(filePath: folder + "/apts"))
    let text = String(
      decoding: try Oracle.run(
        program: Self.calcurse, ["-D", folder, "-x"],
        environment: ["HOME": folder, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]),
      as: UTF8.self)
    var settings = ForeignSettings()
    settings.takesEventsAsBirthdays = true
    var book = ForeignBook()
    #expect(try book.take(text, .iCalendar, settings).added == 3)
    #expect(
      book.shown.sorted() == [
        #"{"kind":"birthday","firstName":"Leap","lastName":"Larry","birthdate":"1952-02-29"}"#,
        #"{"kind":"todo","title":"Rest","priority":0}"#,
        #"{"kind":"todo","title":"Sweep; mop","priority":2}"#,
      ])
  }
}
