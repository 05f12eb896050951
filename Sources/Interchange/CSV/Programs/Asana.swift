internal import Domain

/// The header of a table that Asana writes.
enum AsanaTable {
  /// A project of Asana, in which a task is done once it has a day of completion.
  ///
  /// Source: "Exporting projects", Asana's help centre.
  static let asana = CSVProgram(
    name: "asana", title: "Asana", signature: [["Task ID"], ["Section/Column"]], kind: .todo,
    columns: [
      "Task ID": .id, "Name": .title, "Notes": .note, "Projects": .list,
      "Section/Column": .section, "Tags": .tags, "Created At": .createdAt,
      "Completed At": .completedAt, "Due Date": .due, "Start Date": .start,
      "Parent task": .parent,
    ],
    hasSeveralLists: true)
}
