internal import Domain

enum AsanaTable {
  /// An Asana project; a task with a completion date is done.
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
