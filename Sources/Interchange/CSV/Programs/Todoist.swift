internal import Domain

enum TodoistTable {
  /// A Todoist project, from its CSV export or a backup: each row is a task, a note, a section or a setting.
  ///
  /// Source: "How to format your CSV file so you can import it into Todoist", Todoist's help centre.
  static let todoist = CSVProgram(
    name: "todoist", title: "Todoist", signature: [["TYPE"], ["CONTENT"], ["INDENT"]],
    kind: .todo,
    columns: [
      "TYPE": .rowKind, "CONTENT": .title, "DESCRIPTION": .note, "PRIORITY": .priority,
      "DATE": .due, "DEADLINE": .due, "INDENT": .parent, "TIMEZONE": .zone,
    ],
    words: CSVWords(priorities: ["1": .high, "2": .normal, "3": .normal, "4": .normal]),
    rowKinds: ["task": .record, "note": .note, "section": .section, "meta": .other],
    isListByFile: true, topLevel: "1", hasTagsInTitle: true, hasPhrasesForDue: true)
}
