internal import Domain

/// The tables of Asana.
enum AsanaTable {
  /// A project of Asana, in which a task with a completion date is done.
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
