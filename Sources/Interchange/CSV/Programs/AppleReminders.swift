internal import Domain

enum AppleRemindersTable {
  /// Reminders from Apple Reminders, as scripts export them, with the priorities of iCalendar (RFC 5545 3.8.1.9).
  static let reminders = CSVProgram(
    name: "reminders", title: "Reminders",
    signature: [["List Name", "List"], ["Completion Date"], ["Flagged"]], kind: .todo,
    columns: [
      "Id": .id, "Title": .title, "Name": .title, "List Name": .list, "List": .list,
      "Notes": .note, "Due Date": .due, "Completed": .done, "Completion Date": .completedAt,
      "Creation Date": .createdAt, "Priority": .priority, "Flagged": .flagged,
    ],
    words: CSVWords(priorities: [
      "0": .normal, "none": .normal, "1": .high, "2": .high, "3": .high, "4": .high,
      "high": .high, "5": .normal, "medium": .normal, "6": .low, "7": .low, "8": .low,
      "9": .low, "low": .low,
    ]))
}
