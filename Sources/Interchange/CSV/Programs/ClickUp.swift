internal import Domain

enum ClickUpTable {
  /// A ClickUp workspace; ClickUp writes times both in words and as milliseconds since 1970.
  ///
  /// Source: "Task data export", ClickUp's help centre.
  static let clickUp = CSVProgram(
    name: "clickup", title: "ClickUp", signature: [["Task ID"], ["Task Name"]], kind: .todo,
    columns: [
      "Task ID": .id, "Task Name": .title, "Task Content": .note, "List Name": .list,
      "Tags": .tags, "Status": .status, "Priority": .priority, "Due Date (Unix)": .due,
      "Due Date": .due, "Start Date (Unix)": .start, "Start Date": .start,
      "Date Created (Unix)": .createdAt, "Date Created": .createdAt, "Parent ID": .parent,
    ],
    words: CSVWords(priorities: [
      "1": .high, "2": .high, "3": .normal, "4": .low, "urgent": .high, "high": .high,
      "normal": .normal, "low": .low,
    ]),
    emptyWord: "null")
}
