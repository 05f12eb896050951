internal import Domain

enum NotionTable {
  /// A Notion database, whose columns the user defines, except those that Notion fills in.
  ///
  /// Source: "Export your content", Notion's help centre.
  static let notion = CSVProgram(
    name: "notion", title: "Notion",
    signature: [
      ["Name", "Task name", "Task"],
      [
        "Assign", "Created time", "Last edited time", "Created by", "Last edited by",
        "Parent item", "Sub-item",
      ],
    ],
    kind: .todo,
    columns: [
      "Name": .title, "Task name": .title, "Task": .title, "Status": .status, "Done": .done,
      "Checkbox": .done, "Completed": .done, "Due": .due, "Due Date": .due, "Deadline": .due,
      "Date": .due, "Project": .list, "Tags": .tags, "Labels": .tags, "Priority": .priority,
      "Notes": .note, "Description": .note, "Summary": .note, "Created time": .createdAt,
      "Completed at": .completedAt, "Parent item": .parent, "Parent task": .parent,
    ],
    hasUnnamedState: true)
}
