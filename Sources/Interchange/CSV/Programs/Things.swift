internal import Domain

/// The header of a table that Things writes.
enum ThingsTable {
  /// To-dos of Things, as scripts over its AppleScript dictionary export them.
  static let things = CSVProgram(
    name: "things", title: "Things", signature: [["Title"], ["Creation Date"], ["Area"]],
    kind: .todo,
    columns: [
      "Id": .id, "UUID": .id, "Title": .title, "Notes": .note, "Tags": .tags, "Status": .status,
      "Project": .list, "Area": .list, "Due Date": .due, "Deadline": .due,
      "Start Date": .start, "Creation Date": .createdAt, "Completion Date": .completedAt,
    ])
}
