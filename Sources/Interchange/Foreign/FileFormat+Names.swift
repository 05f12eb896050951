extension FileFormat {
  /// The formats that a book can be exported to.
  package static let written: [FileFormat] = [
    .operations, .vCard, .iCalendar, .csv, .todoTxt, .taskwarrior, .markdown,
  ]

  /// Finds a format by one of the names that people use.
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

  /// Returns whether a file is a Realm database, which only Realm's own software can read.
  package static func isRealm(_ bytes: [UInt8]) -> Bool {
    bytes.count > 24 && bytes[16..<20].elementsEqual("T-DB".utf8)
  }
}
