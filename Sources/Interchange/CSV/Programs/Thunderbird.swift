internal import Domain

/// The header of a table that Thunderbird writes.
enum ThunderbirdTable {
  /// An address book of Thunderbird, which tells a birthday in three columns.
  ///
  /// Source: the columns that `AddrBookUtils.exportAttributes` of Thunderbird names.
  static let thunderbird = CSVProgram(
    name: "thunderbird", title: "Thunderbird",
    signature: [["First Name"], ["Display Name"], ["Birth Month"]], kind: .birthday,
    columns: [
      "First Name": .firstName, "Last Name": .lastName, "Display Name": .name,
      "Birth Year": .birthYear, "Birth Month": .birthMonth, "Birth Day": .birthDay,
      "Notes": .note,
    ])
}
