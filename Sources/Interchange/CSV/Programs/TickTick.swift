internal import Domain

enum TickTickTable {
  /// A TickTick backup; the lines before its header contain the date, the version and the states.
  ///
  /// Source: "Backup", TickTick's help centre, and the lines before the header themselves.
  static let tickTick = CSVProgram(
    name: "ticktick", title: "TickTick", signature: [["List Name"], ["Kind"], ["taskId"]],
    kind: .todo,
    columns: [
      "taskId": .id, "Title": .title, "List Name": .list, "Tags": .tags, "Content": .note,
      "Status": .status, "Priority": .priority, "Due Date": .due, "Is All Day": .allDay,
      "Start Date": .start, "Repeat": .repetition, "Reminder": .reminder, "parentId": .parent,
      "Timezone": .zone,
      "Created Time": .createdAt, "Completed Time": .completedAt,
    ],
    words: CSVWords(
      states: ["0": .open, "1": .done, "2": .done, "-1": .cancelled],
      priorities: ["0": .normal, "1": .low, "3": .normal, "5": .high]))
}
