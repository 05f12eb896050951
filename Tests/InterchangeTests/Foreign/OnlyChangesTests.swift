import Domain
import Foundation
import Interchange
import TestDice
import Testing

/// Random cards and calendars: changing one field changes only the lines of that field.
struct OnlyChangesTests {
  /// The number of files per format; `DAYBOOK_ROUND_TRIPS` overrides it.
  private static let count =
    ProcessInfo.processInfo.environment["DAYBOOK_ROUND_TRIPS"].flatMap { Int($0) } ?? 200

  enum Form: String, CaseIterable { case card21, card30, card40, event, task }

  /// A change, the properties that contain its field, and the time stamps that it updates.
  private struct Change {
    var set: String
    var names: Set<String>
  }

  private static let stamps: Set<String> = ["REV", "DTSTAMP", "LAST-MODIFIED"]

  @Test(arguments: Form.allCases)
  func `Field changes: in cards and calendars, only the changed field differs`(form: Form) throws {
    // The expression is created only once, because that takes longer than the rest of the test.
    let derived = /,"(createdAt|completedAt|list)":("[^"]*"|\d+)/
    for number in 0..<Self.count {
      var dice = Dice(seed: UInt64(number))
      let (text, lines) = Self.file(&dice, form)
      let format: FileFormat = [.event, .task].contains(form) ? .iCalendar : .vCard
      var book = ForeignBook()
      try #require(try book.take(text, format) == .init(added: 1), "\(number): \(text)")
      let before = try Self.written(book, form, hours: dice.number(26) - 11)
      if form != .card21 { try Self.expectAsItCame(lines, before, number) }
      let change = Self.change(&dice, form)
      try Self.edit(&book, change.set)
      let after = try Self.written(book, form, hours: dice.number(26) - 11)
      // The start of a one-day task is written back only as long as it is also the due date.
      let start: Set<String> =
        change.names.contains("DUE") && Self.isOfOneDay(lines) ? ["DTSTART"] : []
      let told = change.names.union(Self.stamps).union(start)
      try #require(
        after.filter { !told.contains(Self.name($0)) }
          == before.filter { !told.contains(Self.name($0)) },
        "\(number): \(change.set) in \(text)")
      let again = try format.read(Array(try book.written(format).utf8))
      var other = ForeignBook()
      try #require(other.take(again) == .init(added: 1), "\(number)")
      // Lists have different names in the other book, and files do not contain the time at which a to-do was imported.
      func shown(_ book: ForeignBook) -> [String] {
        form == .task ? book.shown.map { $0.replacing(derived, with: "") } : book.shown
      }
      try #require(shown(other) == shown(book), "\(number): \(change.set) in \(text)")
      try #require(book.take(again) == .init(same: 1), "\(number)")
    }
  }

  private static func file(_ dice: inout Dice, _ form: Form) -> (text: String, lines: [String]) {
    let lines = lines(&dice, form)
    let part = part(form)
    let component = "BEGIN:\(part)\r\n\(folded(lines))END:\(part)\r\n"
    let isCard = part == "VCARD"
    return (
      isCard ? component : "BEGIN:VCALENDAR\r\n\(component)END:VCALENDAR\r\n", lines
    )
  }

  private static func edit(_ book: inout ForeignBook, _ fields: String) throws {
    let documents = book.records.documents(.birthday) + book.records.documents(.todo)
    let document = try #require(documents.first)
    let kind = document.kind == .todo ? "todo" : "birthday"
    try book.run(
      #"{"op":"edit","kind":"\#(kind)","id":"\#(document.id.uuid)","set":{\#(fields)}}"#)
  }

  /// Expects all imported lines in their order, followed by the added lines.
  private static func expectAsItCame(_ came: [String], _ written: [String], _ number: Int) throws {
    let came = came.filter { !$0.hasPrefix("X-DAYBOOK-") }
    try #require(Array(written.prefix(came.count)) == came, "\(number)")
    let added = Set(written.dropFirst(came.count).map(name))
    try #require(added.isSubset(of: ["UID", "N", "FN"]), "\(number): \(added)")
  }

  private static func part(_ form: Form) -> String {
    switch form {
    case .card21, .card30, .card40: "VCARD"
    case .event: "VEVENT"
    case .task: "VTODO"
    }
  }

  private static func lines(_ dice: inout Dice, _ form: Form) -> [String] {
    switch form {
    case .card21, .card30, .card40: card(&dice, form)
    case .event: event(&dice)
    case .task: task(&dice)
    }
  }

  /// The lines of the exported component, without the lines that only this program reads.
  private static func written(
    _ book: ForeignBook, _ form: Form, hours: Int
  ) throws -> [String] {
    let part = part(form)
    let format: FileFormat = part == "VCARD" ? .vCard : .iCalendar
    var settings = ExportSettings.test
    settings.localOffset = { _ in hours * 3600 }
    let lines = try book.written(format, settings).replacing("\r\n ", with: "")
      .split(separator: "\r\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "BEGIN:" + part))
    let end = try #require(lines.firstIndex(of: "END:" + part))
    return lines[(start + 1)..<end].filter { !$0.hasPrefix("X-DAYBOOK-") }
  }

  private static func name(_ line: String) -> String {
    let head = line.prefix { !":;".contains($0) }
    return (head.split(separator: ".").last.map(String.init) ?? "").uppercased()
  }

  /// Whether a task starts when it is due.
  private static func isOfOneDay(_ lines: [String]) -> Bool {
    let start = lines.first { name($0) == "DTSTART" }?.split(separator: ":").last
    return start != nil && start == lines.first { name($0) == "DUE" }?.split(separator: ":").last
  }

  private static func folded(_ lines: [String]) -> String {
    lines.map { line in
      guard line.utf8.count > 60, line.allSatisfy(\.isASCII), !line.contains("QUOTED") else {
        return line + "\r\n"
      }
      return line.prefix(50) + "\r\n " + line.dropFirst(50) + "\r\n"
    }.joined()
  }
}

extension OnlyChangesTests {
  private static func change(_ dice: inout Dice, _ form: Form) -> Change {
    if form == .task { return taskChange(&dice) }
    let isCard = form != .event
    let names: Set<String> = isCard ? ["FN", "N"] : ["SUMMARY", "X-FNAME"]
    let date: Set<String> =
      isCard
      ? ["BDAY"]
      : [
        "DTSTART", "DTEND", "DURATION", "RRULE", "SUMMARY", "X-BIRTHDAY", "X-NEXTCLOUD-BC-YEAR",
        "X-NEXTCLOUD-BC-UNKNOWN-YEAR", "X-FOSSIFY-MISSING-YEAR",
      ]
    switch dice.number(8) {
    case 6 where isCard: return Change(set: #""birthdate":null"#, names: date)
    case 0: return Change(set: #""firstName":"Žofie, M.""#, names: names)
    case 1: return Change(set: #""lastName":"O'Neil; 2nd""#, names: names)
    case 2: return Change(set: #""birthdate":"1951-06-07""#, names: date)
    case 3: return Change(set: #""birthdate":"--02-29""#, names: date)
    case 4:
      return Change(
        set: #""note":"new \\ note,\nof two lines""#, names: [isCard ? "NOTE" : "DESCRIPTION"])
    case 5: return Change(set: #""tags":["neu","x, y"]"#, names: ["CATEGORIES"])
    default: return Change(set: #""lead":["9","2"]"#, names: [])
    }
  }

  private static let words = [
    "Ada", "Zoë", "O\\, P", "x\\;y", "🎂", "a b", "Łu", "\\\\n", "D:1", "e=mc", "(1815)", "T",
  ]

  private static func text(_ dice: inout Dice) -> String {
    (0...dice.number(4)).map { _ in words[dice.number(words.count)] }.joined(separator: " ")
  }

  private static let parameters = [
    "", ";TYPE=home", ";type=Work,pref", ";X-A=\"b;c\"", ";LANGUAGE=de", ";x-b=C;X-B=d", ";ALTID=1",
  ]

  private static func parameter(_ dice: inout Dice) -> String {
    parameters[dice.number(parameters.count)]
  }

  private static func card(_ dice: inout Dice, _ form: Form) -> [String] {
    let group = { (dice: inout Dice) in dice.chance(20) ? "item\(dice.number(3))." : "" }
    var lines = [
      "N:\(text(&dice));\(text(&dice));\(text(&dice));;", "FN\(parameter(&dice)):\(text(&dice))",
      group(&dice) + "BDAY" + birthday(&dice, form),
    ]
    for _ in 0..<dice.number(10) { lines.append(group(&dice) + property(&dice, form)) }
    if dice.chance(70) { lines.append("UID:u-\(text(&dice))") }
    if dice.chance(30) { lines.append("REV:20200101T000000Z") }
    lines.shuffle(using: &dice)
    let version = [Form.card21: "2.1", .card30: "3.0", .card40: "4.0"][form] ?? ""
    return ["VERSION:" + version] + lines
  }

  private static func birthday(_ dice: inout Dice, _ form: Form) -> String {
    let forms = [
      ":1815-12-10", ":18151210", ";VALUE=date:1990-02-03", ";value=DATE;X-SOURCE=p:1990-02-03",
      ":19730928T041500+0100", ";VALUE=date-time:1953-10-15T23:10:00-06:00", ":--0314T103000",
      ":--1203", ":--12-03", ":1985-12", ":1985", ";X-APPLE-OMIT-YEAR=1604:1604-12-05",
      ";X-APPLE-OMIT-YEAR=\"1604\";ALTID=1:1604-02-29", ":1604-06-26", ";VALUE=text:circa 1800",
      ";VALUE=text:5 December 1815", ":1952-02-29", ":19961022T140000Z",
    ]
    return forms[dice.number(forms.count)]
  }

  private static func property(_ dice: inout Dice, _ form: Form) -> String {
    let value = text(&dice)
    switch dice.number(form == .card21 ? 15 : 12) {
    case 0: return "FN\(parameter(&dice)):\(value)"
    case 1: return "N\(parameter(&dice)):\(value);\(text(&dice));;;"
    case 2: return "BDAY" + birthday(&dice, form)
    case 3: return "NOTE:\(value)"
    case 4: return "NOTE\(parameter(&dice)):\(value)"
    case 5: return "CATEGORIES:\(value),\(text(&dice))"
    case 6: return "categories\(parameter(&dice)):\(value)"
    case 7: return "TEL\(parameter(&dice)):+49 \(dice.number(99))"
    case 8: return "X-ABLabel:_$!<HomePage>!$_"
    case 9: return "ADR\(parameter(&dice)):;;\(value);;;;"
    case 10:
      return "PHOTO;ENCODING=b;TYPE=JPEG:\(String(repeating: "/9j4", count: dice.number(40)))"
    case 11: return "x-\(dice.number(9))\(parameter(&dice)):\(value)"
    case 12: return "TEL;HOME;VOICE:\(dice.number(99))"
    case 13: return "ORG;CHARSET=X-FOO;ENCODING=QUOTED-PRINTABLE:=C8=E2"
    default: return "TITLE;CHARSET=ISO-8859-2;ENCODING=QUOTED-PRINTABLE:=A3"
    }
  }

  private static func event(_ dice: inout Dice) -> [String] {
    let name = ["Ada", "Zoë King", "O. P. Łu", "Moritz"][dice.number(4)]
    let summaries = [
      name, "🎂 \(name)", "\(name)'s birthday", "\(name) (1980)", "Geburtstag von \(name)",
      "\(name) (4 Mar 1980)",
    ]
    let starts = [
      "DTSTART;VALUE=DATE:19800304", "DTSTART:19800304", "dtstart;value=date:19800304",
      "DTSTART:19800303T230000Z", "DTSTART;TZID=Asia/Tokyo:19800304T090000",
      "DTSTART;X-APPLE-OMIT-YEAR=1604;VALUE=DATE:16040304", "DTSTART;VALUE=DATE:16040304",
      "DTSTART;VALUE=DATE:19520229",
    ]
    var lines = [
      "SUMMARY\(dice.chance(20) ? ";LANGUAGE=de" : ""):\(summaries[dice.number(6)])",
      starts[dice.number(starts.count)], "RRULE:FREQ=YEARLY\(dice.chance(30) ? ";INTERVAL=1" : "")",
      "CATEGORIES:Birthday\(dice.chance(30) ? ",Friends" : "")",
    ]
    if dice.chance(80) { lines.append("UID:u\(dice.number(99))@example.org") }
    for _ in 0..<dice.number(10) { lines.append(eventProperty(&dice)) }
    // Most properties may occur only once.
    let repeated: Set<String> = ["CATEGORIES", "EXDATE", "COMMENT", "X-A"]
    var names: Set<String> = []
    lines = lines.filter {
      repeated.contains(Self.name($0)) || names.insert(Self.name($0)).inserted
    }
    lines.shuffle(using: &dice)
    return lines
  }

  private static func taskChange(_ dice: inout Dice) -> Change {
    let state: Set<String> = ["STATUS", "COMPLETED", "PERCENT-COMPLETE"]
    switch dice.number(12) {
    case 7: return Change(set: #""due":"2027-02-03","dueTime":605"#, names: ["DUE", "DURATION"])
    case 8:
      return Change(
        set: #""due":"2027-02-03","dueTime":0,"zone":"Europe/Berlin""#, names: ["DUE", "DURATION"])
    case 9: return Change(set: #""start":"2026-10-01""#, names: ["DTSTART"])
    case 10: return Change(set: #""cancelled":true,"done":false"#, names: state)
    case 11:
      return Change(
        set: #""remind":["2h","1w"]"#, names: ["BEGIN", "ACTION", "DESCRIPTION", "TRIGGER", "END"])
    case 0: return Change(set: #""title":"Mop, \\ twice""#, names: ["SUMMARY"])
    case 1: return Change(set: #""due":"2027-02-03""#, names: ["DUE", "DURATION"])
    case 2: return Change(set: #""due":null,"dueTime":null,"zone":null"#, names: ["DUE"])
    case 3: return Change(set: #""priority":\#(dice.number(3))"#, names: ["PRIORITY"])
    case 4: return Change(set: #""done":\#(dice.chance(50)),"cancelled":false"#, names: state)
    case 5: return Change(set: #""note":"new\nnote""#, names: ["DESCRIPTION"])
    default: return Change(set: #""tags":["neu","x, y"]"#, names: ["CATEGORIES"])
    }
  }

  private static func task(_ dice: inout Dice) -> [String] {
    let dues = [
      "DUE;VALUE=DATE:20261120", "DUE:20261120T233000Z", "due;tzid=Asia/Tokyo:20261120T170000",
    ]
    let states = [
      "STATUS:NEEDS-ACTION", "STATUS:IN-PROCESS", "STATUS:COMPLETED", "PERCENT-COMPLETE:40",
      "COMPLETED:20260102T030405Z", "STATUS:CANCELLED",
    ]
    let starts = [
      "DTSTART;VALUE=DATE:20261118", "DTSTART:20261118T080000Z",
      "DTSTART;TZID=Asia/Tokyo:20261117T000000", "DTSTART;VALUE=DATE:20261120",
    ]
    var lines = ["SUMMARY\(dice.chance(20) ? ";LANGUAGE=de" : ""):Sweep \(text(&dice))"]
    if dice.chance(60) { lines.append(dues[dice.number(3)]) }
    if dice.chance(60) { lines.append(states[dice.number(6)]) }
    if dice.chance(40) { lines.append(starts[dice.number(4)]) }
    if dice.chance(20) { lines.append("RELATED-TO;RELTYPE=SIBLING:v") }
    if dice.chance(60) { lines.append("PRIORITY:\(dice.number(10))") }
    if dice.chance(60) { lines.append("UID:u\(dice.number(99))@example.org") }
    if dice.chance(40) { lines += ["CATEGORIES:Home,a", "X-DAYBOOK-LIST:Home"] }
    if dice.chance(40) { lines.append("CREATED:20190101T000000Z") }
    for _ in 0..<dice.number(8) {
      let line = eventProperty(&dice)
      // `DTEND` belongs only to events, and `CATEGORIES` could name a list.
      if !["DTEND", "CATEGORIES"].contains(Self.name(line)) { lines.append(line) }
    }
    let repeated: Set<String> = ["CATEGORIES", "EXDATE", "COMMENT", "X-A"]
    var names: Set<String> = []
    lines = lines.filter {
      repeated.contains(Self.name($0)) || names.insert(Self.name($0)).inserted
    }
    lines.shuffle(using: &dice)
    return lines
  }

  private static func eventProperty(_ dice: inout Dice) -> String {
    let value = text(&dice)
    let properties = [
      "DTSTAMP:20200101T000000Z", "LAST-MODIFIED:20190601T000000Z", "SEQUENCE:5", "CLASS:PUBLIC",
      "TRANSP:OPAQUE", "DTEND;VALUE=DATE:19800305", "DURATION:P1D", "LOCATION:\(value)",
      "EXDATE;VALUE=DATE:20200304", "DESCRIPTION;ALTREP=\"cid:1\":\(value)",
      "DESCRIPTION:\(value)", "categories:\(value)", "COMMENT\(parameter(&dice)):\(value)",
      "X-A\(parameter(&dice)):\(value)", "X-NEXTCLOUD-BC-UNKNOWN-YEAR:0",
      "X-FOSSIFY-MISSING-YEAR:1", "STATUS:CONFIRMED", "URL;VALUE=URI:http://a.b/c?d=e",
    ]
    return properties[dice.number(properties.count)]
  }
}
