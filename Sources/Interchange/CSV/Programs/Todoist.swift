internal import Domain

/// The header of a table that Todoist writes.
enum TodoistTable {
  /// A project of Todoist, as its CSV export and its backups have it: a row for a task, a note, a section or a setting.
  ///
  /// Source: "How to format your CSV file so you can import it into Todoist", Todoist's help centre.
  static let todoist = CSVProgram(
    name: "todoist", title: "Todoist", signature: [["TYPE"], ["CONTENT"], ["INDENT"]],
    kind: .todo,
    columns: [
      "TYPE": .rowKind, "CONTENT": .title, "DESCRIPTION": .note, "PRIORITY": .priority,
      "DATE": .due, "DEADLINE": .due, "INDENT": .parent,
    ],
    words: CSVWords(priorities: ["1": .high, "2": .normal, "3": .normal, "4": .normal]),
    rowKinds: ["task": .record, "note": .note, "section": .section, "meta": .other],
    isListByFile: true, topLevel: "1", hasTagsInTitle: true)
}
