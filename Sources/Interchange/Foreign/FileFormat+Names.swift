extension FileFormat {
  /// The formats that records leave a book in.
  package static let written: [FileFormat] = [
    .operations, .vCard, .iCalendar, .csv, .todoTxt, .taskwarrior, .markdown,
  ]

  /// The format of a name as people say it.
  package init?(named name: String) {
    let others: [String: FileFormat] = [
      "vcard": .vCard, "icalendar": .iCalendar, "ical": .iCalendar, "todo.txt": .todoTxt,
      "md": .markdown, "jsonl": .operations, "propertylist": .propertyList, "core-data": .coreData,
      "google-tasks": .googleTasks,
    ]
    let name = name.lowercased()
    guard let format = FileFormat(rawValue: name) ?? others[name] else { return nil }
    self = format
  }

  /// Whether a file is a Realm database, which only programs of its maker can read.
  package static func isRealm(_ bytes: [UInt8]) -> Bool {
    bytes.count > 24 && bytes[16..<20].elementsEqual("T-DB".utf8)
  }
}
