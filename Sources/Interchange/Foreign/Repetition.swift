import Bytes
package import Domain

/// How a to-do that does not repeat here repeats in the program from which it was imported.
package enum Repetition {
  /// Returns the rule in the syntax of that program, such as `RRULE:FREQ=WEEKLY` or `recur:weekly`; nil if the to-do
  /// does not repeat.
  ///
  /// The rule is among the kept properties of the record: the RRULE and RDATE lines of iCalendar (RFC 5545, section
  /// 3.8.5), the `recur` of Taskwarrior, the `rec` of todo.txt, the 🔁 of Markdown, or the repetition column of a
  /// table.
  package static func rule(of document: Document) -> String? {
    guard document.value(Field.Todo.repeat) == .null else { return nil }
    let calendar = ForeignExtra(of: document, format: .iCalendar).properties[KeptComponent.lines]
    let rules = ContentLine.lines(of: calendar)
      .filter { ["RRULE", "RDATE"].contains($0.name) }
    if let rule = rules.first { return rule.unfolded }
    let task = ForeignExtra(of: document, format: .taskwarrior).properties["recur"]
    let frequency = task.flatMap { try? JSON(parsing: Array($0.utf8)).string }
    if let frequency { return "recur:\(frequency)" }
    let line = ForeignExtra(of: document, format: .todoTxt).properties
    for key in [TodoTxtLine.repeatKey, SeriesWords.Key.rule.rawValue] {
      if let word = line[key] { return "\(key):\(word)" }
    }
    let sign = MarkdownSign.repeat
    if let rule = ForeignExtra(of: document, format: .markdown).properties[sign.rawValue] {
      return "\(sign.text) \(rule)"
    }
    let column = CSVColumn.repetition.rawValue
    return ForeignExtra(of: document, format: .csv).properties[column].map { "\(column): \($0)" }
  }
}
