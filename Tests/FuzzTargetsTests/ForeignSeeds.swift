import Foundation
import Interchange

/// Files as other programs write them, each preceded by its format and settings.
enum ForeignSeeds {
  static var all: [[UInt8]] {
    let files =
      texts.flatMap { format, files in
        files.map { (format, Array($0.utf8)) }
      } + [(FileFormat.propertyList, binaryPropertyList)]
    return files.enumerated().map { place, file in
      let number = FileFormat.allCases.firstIndex(of: file.0) ?? 0
      return [UInt8(number), place.isMultiple(of: 2) ? 0 : 0x1d] + file.1
    }
  }

  private static var binaryPropertyList: [UInt8] {
    let tasks: [[String: Any]] = [
      ["title": "Sweep", "done": false, "due": Date(timeIntervalSince1970: 1_795_165_200)],
      ["name": "Ada", "birthday": "1815-12-10", "tags": ["a", "ü"], "n": 3.5],
    ]
    let data = try? PropertyListSerialization.data(
      fromPropertyList: tasks, format: .binary, options: 0)
    return Array(data ?? Data())
  }

  private static let texts: KeyValuePairs<FileFormat, [String]> = [
    .googleTasks: [
      #"{"kind":"tasks#taskLists","items":[{"title":"Home","items":[{"id":"a","title":"Mop","due":"2026-12-01T00:00:00Z","status":"completed","parent":"b"}]}]}"#
    ],
    .operations: [
      """
      {"t":1,"op":"add","kind":"list","id":"l","name":"Home"}
      {"t":2,"op":"add","kind":"todo","id":"t","list":"l","title":"Sweep","due":"2026-12-24","priority":"high"}
      {"t":3,"op":"edit","kind":"todo","id":"t","set":{"done":true,"tags":["a","b"]},"because":"x"}
      {"t":4,"op":"delete","kind":"todo","id":"t","by":"Ada"}

      """
    ],
    .vCard: [
      """
      BEGIN:VCARD\r
      VERSION:3.0\r
      N:Lovelace;Ada;;;\r
      FN:Ada Lovelace\r
      BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10\r
      NOTE:long\\, and\r
        folded\r
      END:VCARD\r

      """,
      """
      BEGIN:VCARD
      VERSION:2.1
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Bob
      BDAY:19120623
      X-FOO:1
      END:VCARD

      """,
    ],
    .iCalendar: [
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      BEGIN:VEVENT\r
      UID:1@x\r
      SUMMARY:Ada's birthday\r
      DTSTART;VALUE=DATE:19121210\r
      RRULE:FREQ=YEARLY\r
      END:VEVENT\r
      BEGIN:VTODO\r
      UID:2@x\r
      SUMMARY:Sweep\r
      DUE;TZID=Europe/Berlin:20261224T120000\r
      STATUS:COMPLETED\r
      PRIORITY:1\r
      CATEGORIES:Home,b\r
      END:VTODO\r
      END:VCALENDAR\r

      """
    ],
    .todoTxt: [
      """
      (A) 2026-11-20 Sweep the floor +Home @house due:2026-12-24 uuid:1
      x 2026-11-21 2026-11-20 Mop list:Home

      """
    ],
    .taskwarrior: [
      """
      [{"uuid":"00000000-0000-4000-8000-000000000001","description":"Sweep","status":"pending",
      "entry":"20261120T090000Z","due":"20261224T000000Z","project":"Home","priority":"H",
      "tags":["a"],"annotations":[{"entry":"20261120T090000Z","description":"n"}],"urgency":3.2},
      {"uuid":"00000000-0000-4000-8000-000000000002","description":"Mop","status":"completed",
      "end":"20261121T090000Z","modified":"20261121T090000Z"}]
      """
    ],
    .csv: [
      "First name,Last name,Birthday,Phone\nAda,Lovelace,1815-12-10,1\n\"Al, an\",Turing,23.6.1912,2\n",
      "Title;List;Due;Done;Completed at;Tags\nSweep;Home;2026-12-01;yes;2026-03-04T00:00:00Z;a b\n",
      "TYPE,CONTENT,PRIORITY,INDENT,DATE\nsection,Home,,,\ntask,Mop @a,1,2,every monday\nnote,wet,,,\n",
      "\"Version: 7.1\"\nList Name,Kind,Title,Due Date,Is All Day,taskId\nHome,TEXT,Mop,2026-12-01T23:00:00+0000,true,1\n",
    ],
    .markdown: [
      """
      # Home
      - [ ] Sweep 📅 2026-12-24
        - [x] the floor
      * [X] Mop <!-- daybook a b -->

      ```
      - [ ] code
      ```

      """
    ],
    .propertyList: [
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><array><dict><key>title</key><string>Sweep &amp; mop</string>
      <key>due</key><date>2026-12-24T00:00:00Z</date><key>done</key><false/></dict></array></plist>
      """,
      #"( { title = "Sweep\U00fc"; done = 0; tags = (a, b); data = <0f 1e>; } )"#,
    ],
  ]
}
