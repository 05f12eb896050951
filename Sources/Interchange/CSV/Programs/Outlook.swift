internal import Domain

enum OutlookTable {
  /// Outlook tasks, as Outlook exports them for other programs.
  static let outlook = CSVProgram(
    name: "outlook", title: "Outlook", signature: [["Subject"], ["% Complete"]], kind: .todo,
    columns: [
      "Subject": .title, "% Complete": .percent, "Status": .status, "Due Date": .due,
      "Start Date": .start, "Date Completed": .completedAt, "Notes": .note,
      "Categories": .tags, "Priority": .priority, "Reminder Date": .reminder,
    ])

  /// Outlook contacts, whose *Title* is a person's title, such as *Dr.*
  static let outlookContacts = CSVProgram(
    name: "outlookcontacts", title: "Outlook's contacts",
    signature: [
      ["First Name"], ["Last Name"], ["Business Phone", "E-mail Address", "Given Yomi"],
    ],
    kind: .birthday,
    columns: [
      "First Name": .firstName, "Last Name": .lastName, "Birthday": .birthday, "Notes": .note,
      "Categories": .tags,
    ])
}
