import Bytes
import Domain
import Interchange
import Testing

/// Repeating to-dos exchanged between books and Taskwarrior.
struct TaskwarriorRepeatTests {
  private static func uuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  private static func book(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"op":"add","kind":"todo","t":1795132800000,"id":"b","title":"Bins",\#(fields)}"#)
    return book
  }

  /// A template as `task export` writes it.
  private static func template(_ recur: String, due: String, _ members: String = "") -> String {
    #"{"id":1,"description":"Dust","due":"\#(due)","entry":"20261101T080000Z","recur":"\#(recur)","rtype":"periodic","status":"recurring",\#(members)"uuid":"\#(uuid(1))","urgency":2}"#
  }

  private static func child(
    _ index: Int, due: String, _ members: String = #""status":"pending""#
  ) -> String {
    #"{"id":\#(index + 2),"description":"Dust","due":"\#(due)","entry":"20261101T080000Z","imask":\#(index).000000,"parent":"\#(uuid(1))","recur":"weekly",\#(members),"uuid":"\#(uuid(index + 2))"}"#
  }

  private static func read(_ tasks: String...) throws -> (ForeignBook, ForeignFile) {
    var book = ForeignBook()
    let text = "[\n" + tasks.joined(separator: ",\n") + "\n]\n"
    let file = try FileFormat.taskwarrior.read(Array(text.utf8))
    book.take(file)
    #expect(book.take(file) == .init(same: file.records.count))
    return (book, file)
  }

  /// The exported tasks, each with the given attributes.
  private static func written(_ book: ForeignBook, _ names: [String]) throws -> [String] {
    let tasks = try JSON(parsing: Array(try book.written(.taskwarrior).utf8)).array ?? []
    return tasks.map { task in
      names.compactMap { name in task[name].map { "\(name) \($0.string ?? $0.text())" } }
        .joined(separator: ", ")
    }
  }

  @Test(arguments: [
    ("daily", "FREQ=DAILY"), ("3days", "FREQ=DAILY;INTERVAL=3"), ("weekly", "FREQ=WEEKLY"),
    ("14d", "FREQ=WEEKLY;INTERVAL=2"), ("P2W", "FREQ=WEEKLY;INTERVAL=2"),
    ("fortnight", "FREQ=WEEKLY;INTERVAL=2"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("monthly", "FREQ=MONTHLY"), ("2m", "FREQ=MONTHLY;INTERVAL=2"),
    ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("P36M", "FREQ=YEARLY;INTERVAL=3"),
    ("yearly", "FREQ=YEARLY"), ("2mo", "FREQ=DAILY;INTERVAL=60"),
  ])
  func `Taskwarrior repeats: a recurring task is a series and is written back unchanged`(
    recur: String, rule: String
  ) throws {
    let (book, file) = try Self.read(Self.template(recur, due: "20261123T000000Z"))
    #expect(file.remarks == [])
    #expect(book.repeating("Dust") == "\(rule) from 2026-11-23: 2026-11-23")
    let names = ["due", "recur", "mask", "status"]
    #expect(
      try Self.written(book, names)[0]
        == "due 20261123T000000Z, recur \(recur), mask -, status recurring")
  }

  @Test func `Taskwarrior repeats: an unsupported period is kept and reported`() throws {
    for recur in ["12h", "PT12H", "soon", "0d"] {
      let (book, file) = try Self.read(
        Self.template(recur, due: "20261123T000000Z", #""mask":"-","#),
        Self.child(0, due: "20261123T000000Z"))
      #expect(file.remarks.map(\.note) == [.notActedOn("recur:\(recur)")])
      #expect(file.passedOver == [.recurringChild: 1])
      #expect(book.repeating("Dust") == nil)
      #expect(
        try Self.written(book, ["status", "recur", "mask"]) == [
          "status recurring, recur \(recur), mask -"
        ])
    }
  }

  @Test func `Taskwarrior repeats: children are occurrences, placed by their index`() throws {
    let (book, file) = try Self.read(
      Self.template(
        "weekly", due: "20261102T000000Z", #""mask":"+X-+-","until":"20270228T000000Z","#),
      Self.child(0, due: "20261102T000000Z", #""status":"completed","end":"20261103T101500Z""#),
      Self.child(1, due: "20261109T000000Z", #""status":"deleted","end":"20261110T101500Z""#),
      Self.child(2, due: "20261118T170000Z"),
      Self.child(3, due: "20261123T000000Z", #""status":"completed","end":"20261123T101500Z""#),
      Self.child(4, due: "20261130T000000Z"))
    #expect(file.records.count == 1)
    #expect(file.passedOver == [:])
    // The open third date would be passed over.
    let told =
      "FREQ=WEEKLY from 2026-11-02 until 2027-02-28: 2026-11-18; 2026-11-02 done 2026-11-03; "
      + "2026-11-09 skipped 2026-11-10; 2026-11-16 open due 2026-11-18 17:00; "
      + "2026-11-23 done 2026-11-23"
    #expect(book.repeating("Dust") == told)
    #expect(
      try Self.written(book, ["uuid", "status", "imask", "due", "end", "mask"]) == [
        "uuid \(Self.uuid(1)), status recurring, due 20261102T000000Z, mask +X-+-",
        "uuid \(Self.uuid(2)), status completed, imask 0, due 20261102T000000Z, end 20261103T101500Z",
        "uuid \(Self.uuid(3)), status deleted, imask 1, due 20261109T000000Z, end 20261110T000000Z",
        "uuid \(Self.uuid(4)), status pending, imask 2, due 20261118T170000Z",
        "uuid \(Self.uuid(5)), status completed, imask 3, due 20261123T000000Z, end 20261123T101500Z",
        "uuid \(Self.uuid(6)), status pending, imask 4, due 20261130T000000Z",
      ])
  }

  @Test func `Taskwarrior repeats: an open child before a closed child keeps missed dates`() throws
  {
    let (book, _) = try Self.read(
      Self.template("weekly", due: "20261102T000000Z", #""mask":"+-+","#),
      Self.child(1, due: "20261109T000000Z"),
      Self.child(2, due: "20261116T000000Z", #""status":"completed","end":"20261116T101500Z""#))
    #expect(
      book.repeating("Dust")
        == "FREQ=WEEKLY;MISSED=KEEP from 2026-11-02: 2026-11-09; 2026-11-02 done; "
        + "2026-11-16 done 2026-11-16")
  }

  @Test
  func
    `Taskwarrior repeats: purged children are closed as the mask says, those of old dates at once`()
    throws
  {
    let (book, _) = try Self.read(
      Self.template("weekly", due: "20261102T000000Z", #""mask":"++--","#),
      Self.child(3, due: "20261123T000000Z"))
    #expect(
      book.repeating("Dust") == "FREQ=WEEKLY from 2026-11-02: 2026-11-23; 2026-11-16 skipped")
    let (all, _) = try Self.read(
      Self.template("weekly", due: "20261102T000000Z", #""mask":"+X-","#))
    #expect(all.repeating("Dust") == "FREQ=WEEKLY from 2026-11-02: 2026-11-16; 2026-11-09 skipped")
  }

  @Test func `Taskwarrior repeats: a day that months lack drifts in Taskwarrior, but not here`()
    throws
  {
    let (book, _) = try Self.read(
      Self.template("monthly", due: "20270131T000000Z", #""mask":"++-","#),
      Self.child(0, due: "20270131T000000Z", #""status":"completed","end":"20270131T101500Z""#),
      Self.child(1, due: "20270228T000000Z", #""status":"completed","end":"20270228T101500Z""#),
      Self.child(2, due: "20270328T000000Z"))
    #expect(
      book.repeating("Dust")
        == "FREQ=MONTHLY;SKIP=BACKWARD from 2027-01-31: 2027-03-31; 2027-01-31 done 2027-01-31; "
        + "2027-02-28 done 2027-02-28")
  }

  @Test func `Taskwarrior series: a template has the mask, and children have the stored dates`()
    throws
  {
    var book = try Self.book(
      #""due":"2026-11-09","start":"2026-11-07","repeat":"FREQ=WEEKLY","until":"2027-02-28""#)
    try book.occur("Bins", "2026-11-09", #""done":true,"closedOn":"2026-11-26""#)
    let id = try #require(book.todo("Bins")).id.uuid
    let occurrence = try #require(book.records.documents(.todo).first { $0.slot != nil })
    let names = [
      "status", "due", "wait", "imask", "mask", "parent", "until", "daybookseries", "daybookclosed",
    ]
    let tasks = try Self.written(book, names)
    #expect(
      tasks == [
        "status recurring, due 20261109T000000Z, wait 20261107T000000Z, mask +XX-, "
          + "until 20270228T235959Z, daybookseries repeat:FREQ=WEEKLY first:2026-11-09/2026-11-07 "
          + "until:2027-02-28 slot:2026-11-30 "
          + "slots:2026-11-09=done/2026-11-26/1970-01-01T00%3A00%3A00.002Z",
        "status completed, due 20261109T000000Z, wait 20261107T000000Z, imask 0, parent \(id), "
          + "daybookclosed 19700101T000000Z 2026-11-26",
        "status pending, due 20261130T000000Z, wait 20261128T000000Z, imask 3, parent \(id)",
      ])
    // The uuid of an occurrence is the same in each book, whether or not the occurrence is stored.
    let series = try #require(book.todo("Bins"))
    let uuid = Source(
      occurrence: try CivilDate.parse("2026-11-09"), of: series.source, id: series.id
    ).uid.text
    #expect(try Self.written(book, ["uuid"])[1] == "uuid \(uuid)")
    #expect(occurrence.id.uuid != uuid || occurrence.source?.uid.text == uuid)
    #expect(try FileFormat.taskwarrior.write(book.contents(), .test).lost.map(\.what) == [])
  }

  @Test func `Taskwarrior series: without a period, the current date is a task of its own`() throws
  {
    var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY;BYDAY=MO,TH""#)
    try book.occur("Bins", "2026-11-23", #""done":true,"closedOn":"2026-11-23""#)
    #expect(
      try Self.written(book, ["status", "due", "recur", "mask", "daybookseries"]) == [
        "status pending, due 20261126T000000Z, "
          + "daybookseries repeat:FREQ=WEEKLY;BYDAY=MO,TH first:2026-11-23 slot:2026-11-26 "
          + "slots:2026-11-23=done/2026-11-23/1970-01-01T00%3A00%3A00.002Z"
      ])
    let written = try FileFormat.taskwarrior.write(book.contents(), .test)
    #expect(
      written.lost.map { "\($0.count) \($0.what)" } == [
        "1 repeat rule in a form for other programs"
      ])
    let text = String(decoding: written.bytes, as: UTF8.self)
    let done = text.replacing(
      #""status":"pending""#, with: #""end":"20261127T101500Z","status":"completed""#)
    #expect(try book.take(done, .taskwarrior) == .init(edited: 1))
    #expect(
      book.repeating("Bins")
        == "FREQ=WEEKLY;BYDAY=MO,TH from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-23; "
        + "2026-11-26 done 2026-11-27")
  }

  @Test func `Taskwarrior series: changes by Taskwarrior to a child change its date`() throws {
    func after(_ change: (String) -> String) throws -> String? {
      var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#)
      var lines = try book.written(.taskwarrior).split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex { $0.contains(#""imask":0"#) })
      let line = lines[place]
      lines[place] = change(line)
      try #require(lines[place] != line)
      let text = lines.joined(separator: "\n")
      #expect(try book.take(text, .taskwarrior) == .init(edited: 1))
      #expect(try book.take(text, .taskwarrior) == .init(same: 1))
      return book.repeating("Bins")
    }
    func closed(_ state: String) -> (String) -> String {
      {
        $0.replacing(
          #""status":"pending""#, with: #""end":"20261124T101500Z","status":"\#(state)""#)
      }
    }
    #expect(
      try after(closed("completed"))
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-24")
    #expect(
      try after(closed("deleted"))
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 skipped 2026-11-24")
    #expect(
      try after { $0.replacing(#""due":"20261123T000000Z""#, with: #""due":"20261125T093000Z""#) }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-25; 2026-11-23 open due 2026-11-25 09:30")
    #expect(
      try after { $0.replacing(#""description":"Bins""#, with: #""description":"All bins""#) }
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-23; 2026-11-23 open 'All bins'")
  }

  @Test func `Taskwarrior series: a new period or first date of the template changes the series`()
    throws
  {
    func after(_ old: String, _ new: String) throws -> String? {
      var book = try Self.book(#""due":"2026-11-23","repeat":"FREQ=WEEKLY""#)
      var lines = try book.written(.taskwarrior).split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex { $0.contains(#""mask":"#) })
      lines[place] = lines[place].replacing(old, with: new)
      lines.removeAll { $0.contains(#""parent":"#) }
      try book.take(lines.joined(separator: "\n"), .taskwarrior)
      return book.repeating("Bins")
    }
    #expect(
      try after(#""recur":"weekly""#, #""recur":"daily""#)
        == "FREQ=DAILY from 2026-11-23: 2026-11-23")
    #expect(
      try after(#""due":"20261123T000000Z""#, #""due":"20261124T000000Z""#)
        == "FREQ=WEEKLY from 2026-11-24: 2026-11-24")
  }
}
