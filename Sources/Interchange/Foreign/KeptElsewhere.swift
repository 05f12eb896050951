internal import Domain

/// Counts the details that records keep from files of other formats and that a file of one format cannot contain.
enum KeptElsewhere {
  /// Returns the number of details kept with a record that a file of the given format cannot contain.
  static func count(of document: Document, writing format: FileFormat) -> Int {
    guard document.shown(.extra) != nil else { return 0 }
    return ForeignExtra.properties(of: document, besides: format).reduce(0) { sum, kept in
      sum + count(of: kept.name, kept.text, kept.format, document)
    }
  }

  /// Returns the number of details in a kept property.
  private static func count(
    of name: String, _ text: String, _ format: FileFormat, _ document: Document
  ) -> Int {
    switch (format, name) {
    case (.vCard, KeptComponent.lines): countOfLines(text, besides: cardNames)
    case (.iCalendar, KeptComponent.lines):
      countOfLines(text, besides: calendarNames.union(rule(of: document)))
    case (.iCalendar, KeptComponent.exceptions) where document.value(Field.Todo.repeat) != .null: 0
    case (.iCalendar, KeptComponent.zones): 0
    // The fields contain the due time only to the minute, but its seconds do not count as a loss.
    case (.taskwarrior, "due"), (.taskwarrior, "status"), (.taskwarrior, "annotations"): 0
    case (.todoTxt, "priority"), (.markdown, "indent"): 0
    default: 1
    }
  }

  /// Returns the names of the rule properties that the record itself represents.
  ///
  /// A birthday recurs each year without a rule, and a series stores its rule in a field.
  private static func rule(of document: Document) -> Set<String> {
    if document.kind == .birthday { return ["RRULE"] }
    return document.value(Field.Todo.repeat) == .null ? [] : ["RRULE", "EXDATE"]
  }

  /// Returns the number of properties of a component that no field of the record represents.
  private static func countOfLines(_ text: String, besides known: Set<String>) -> Int {
    text.split(separator: "\n").count { line in
      let name = line.prefix { $0 != ":" && $0 != ";" }.split(separator: ".").last ?? ""
      return !known.contains(name.uppercased()) && !name.uppercased().hasPrefix("X-DAYBOOK-")
    }
  }

  /// Properties of cards that are represented by fields, or that are about the file.
  private static let cardNames: Set<String> = [
    "BEGIN", "END", "VERSION", "PRODID", "UID", "REV", "N", "FN", "BDAY", "NOTE", "CATEGORIES",
  ]

  /// Properties of events and tasks that are represented by fields, or that are about the file.
  private static let calendarNames: Set<String> = [
    "BEGIN", "END", "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "SUMMARY",
    "DESCRIPTION", "DUE", "STATUS", "COMPLETED", "PERCENT-COMPLETE", "PRIORITY", "CATEGORIES",
    "CLASS", "TRANSP", "DTSTART", "DTEND", "DURATION",
  ]
}

extension ForeignText.Written {
  /// Counts the details from files of other formats that the exported records keep.
  mutating func loseKept(by contents: ExportContents, writing format: FileFormat) {
    let kinds: [Kind] =
      switch format {
      case .csv: Schema.kinds.map(\.kind).filter { $0 != .pick }
      case .vCard: [.birthday]
      case .iCalendar: [.birthday, .todo, .list]
      default: [.todo, .list]
      }
    let count = kinds.reduce(0) { sum, kind in
      contents.documents(kind).reduce(sum) { $0 + KeptElsewhere.count(of: $1, writing: format) }
    }
    lose(
      "detail kept from a file of another format", "details kept from files of other formats",
      count: count)
  }
}
