internal import Domain

enum ThingsTable {
  /// To-dos from Things, as exported by scripts that use its AppleScript dictionary.
  static let things = CSVProgram(
    name: "things", title: "Things", signature: [["Title"], ["Creation Date"], ["Area"]],
    kind: .todo,
    columns: [
      "Id": .id, "UUID": .id, "Title": .title, "Notes": .note, "Tags": .tags, "Status": .status,
      "Project": .list, "Area": .list, "Due Date": .due, "Deadline": .due,
      "Start Date": .start, "Creation Date": .createdAt, "Completion Date": .completedAt,
    ])
}
