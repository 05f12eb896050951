internal import Domain

enum GoogleContactsTable {
  /// Google Contacts, with its columns from before or after 2024; the groups that Google defines begin with a star.
  ///
  /// Source: "Export, back up or restore contacts", Google's help, and its import template.
  static let googleContacts = CSVProgram(
    name: "googlecontacts", title: "Google Contacts",
    signature: [
      ["Given Name", "First Name"], ["Family Name", "Last Name"],
      ["Group Membership", "Phonetic First Name", "Yomi Name"],
    ],
    kind: .birthday,
    columns: [
      "Given Name": .firstName, "First Name": .firstName, "Family Name": .lastName,
      "Last Name": .lastName, "Name": .name, "Birthday": .birthday, "Notes": .note,
      "Group Membership": .tags, "Labels": .tags,
    ],
    words: CSVWords(tagSeparator: ":::", systemTagSign: "*"))
}
