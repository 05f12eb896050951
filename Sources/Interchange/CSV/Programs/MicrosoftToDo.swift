internal import Domain

enum MicrosoftToDoTable {
  /// Microsoft To Do tasks, with the states and columns of the Microsoft Graph API.
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
