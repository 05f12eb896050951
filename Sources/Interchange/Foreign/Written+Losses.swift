internal import Domain

extension ForeignText.Written {
  /// Counts a rule that only daybook finds in the file, because the format cannot express it.
  mutating func loseForeignRule() {
    lose("repeat rule in a form for other programs", "repeat rules in a form for other programs")
  }

  /// Counts the fields of lists that are lost in a format that contains only the names of lists.
  mutating func loseFields(ofListsIn contents: ExportContents) {
    let lists = contents.documents(.list)
    lose("list's note", "lists' notes", count: lists.count { $0.note != nil })
    lose("list's tags", "lists' tags", count: lists.count { !$0.tags.isEmpty })
    // If a list has a colour from the palette, the user usually did not choose it.
    let chosen = lists.compactMap { TodoList($0)?.colour }.filter {
      !ListColour.palette.contains($0)
    }
    lose("colour of a list", "colours of lists", count: chosen.count)
  }

  /// Counts the due dates and starts without a day, which are lost in a format that supports only days.
  mutating func losePartialDues(of contents: ExportContents) {
    let count = contents.documents(.todo).count { document in
      Todo(document)?.due.map { !$0.isComplete } ?? false
    }
    lose("due month or year", "due months and years", count: count)
    let starts = contents.documents(.todo).count { document in
      Todo(document)?.start.map { !$0.isComplete } ?? false
    }
    lose("month or year of start", "months and years of start", count: starts)
  }

  /// Counts the days on which to-dos were cancelled, which most formats cannot contain.
  mutating func loseClosingDays(of contents: ExportContents) {
    let count = contents.documents(.todo).count { document in
      Todo(document)?.isCancelled ?? false && document.value(Field.Todo.closedOn) != .null
    }
    lose("day of cancelling", "days of cancelling", count: count)
  }

  /// Counts the occurrences of to-dos that no longer repeat, which only operations contain.
  mutating func loseFormerOccurrences(of contents: ExportContents) {
    let count = contents.documents(.todo).reduce(0) { sum, todo in
      contents.recurrence(of: todo) == nil ? sum + contents.occurrences(of: todo).count : sum
    }
    lose(
      "occurrence of a to-do that no longer repeats", "occurrences of to-dos that no longer repeat",
      count: count)
  }

  /// Counts the details of occurrences that are lost in a format with one entry for a series.
  mutating func loseDetailsOfOccurrences(of contents: ExportContents) {
    let all = contents.documents(.todo).compactMap { ExportedSeries($0, in: contents) }
    lose(
      "detail of a closed occurrence", "details of closed occurrences",
      count: all.reduce(0) { $0 + $1.detailCount })
    lose(
      "detail of an open occurrence", "details of open occurrences",
      count: all.reduce(0) { $0 + $1.untoldCount })
  }

  /// Counts the control characters, which content lines cannot hold.
  mutating func loseControls(of contents: ExportContents, in kinds: [Kind]) {
    let documents = kinds.flatMap(contents.documents)
    let texts = documents.flatMap { document in
      document.fields.filter { $0.field != .extra }.flatMap(\.value.allTexts)
        + [contents.listName(of: document)].compactMap(\.self)
    }
    let count = texts.reduce(0) { $0 + $1.unicodeScalars.count(where: ContentLine.isLost) }
    lose("control character", "control characters", count: count)
  }
}

extension Value {
  fileprivate var allTexts: [String] {
    switch self {
    case .text(let text): [text]
    case .texts(let texts): texts
    default: []
    }
  }
}
