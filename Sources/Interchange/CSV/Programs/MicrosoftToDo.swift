internal import Domain

/// The header of a table that MicrosoftToDo writes.
enum MicrosoftToDoTable {
  /// Tasks of Microsoft To Do, whose states and columns are those of its interface Graph.
  ///
  /// Source: "todoTask resource type", Microsoft Graph.
  static let microsoftToDo = CSVProgram(
    name: "microsofttodo", title: "Microsoft To Do",
    signature: [["Title"], ["Status"], ["Importance"]], kind: .todo,
    columns: [
      "Id": .id, "Title": .title, "Status": .status, "Due Date": .due, "Importance": .priority,
      "Body": .note, "Completed Date": .completedAt, "Created Date": .createdAt,
      "List Name": .list, "Categories": .tags, "Start Date": .start, "Reminder Date": .reminder,
      "Recurrence": .repetition,
    ])
}
