internal import Domain

/// The header of a table that GoogleContacts writes.
enum GoogleContactsTable {
  /// Contacts of Google, in the columns they had before 2024 or have since; its own groups begin with a star.
  ///
  /// Source: "Export, back up or restore contacts", Google's help, and the template for imports there.
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
