/// A format for importing and exporting records.
///
/// The raw values are the names by which users select them.
package enum FileFormat: String, CaseIterable, Sendable {
  case operations = "ops"
  case vCard = "vcf"
  case iCalendar = "ics"
  case todoTxt = "todotxt"
  case taskwarrior
  case csv
  case markdown
  case propertyList = "plist"
  case coreData = "coredata"
  case googleTasks = "googletasks"

  /// The namespace of the uids in files of the format, as stored in sources.
  package var importer: UInt64 {
    switch self {
    case .operations: 0
    case .vCard: 1
    case .iCalendar: 2
    case .todoTxt: 3
    case .taskwarrior: 4
    case .csv: 5
    case .markdown: 6
    case .propertyList: 7
    case .coreData: 8
    // The number 9 is used for the occurrences of a series.
    case .googleTasks: 10
    }
  }

  /// A number that increases whenever daybook begins to read the format differently, so that files that have already
  /// been read are read again.
  package var edition: Int {
    switch self {
    case .csv, .iCalendar: 4
    case .taskwarrior, .todoTxt, .markdown: 3
    default: 1
    }
  }

  /// Whether files of the format name the book that wrote each record and the states that it had read from other books.
  package var namesWriters: Bool {
    [.vCard, .iCalendar, .todoTxt, .markdown, .csv, .taskwarrior].contains(self)
  }

  /// The name of the format, for use in a sentence.
  package var title: String {
    switch self {
    case .operations: "operations"
    case .vCard: "vCard"
    case .iCalendar: "iCalendar"
    case .todoTxt: "todo.txt"
    case .taskwarrior: "Taskwarrior's JSON"
    case .csv: "CSV"
    case .markdown: "a Markdown check list"
    case .propertyList: "a property list"
    case .coreData: "a Core Data store"
    case .googleTasks: "Google Tasks' JSON"
    }
  }
}
