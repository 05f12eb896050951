internal import Domain

enum ThunderbirdTable {
  /// A Thunderbird address book, which stores a birthday in three columns.
  ///
  /// Source: the columns in `AddrBookUtils.exportAttributes` of Thunderbird.
  static let thunderbird = CSVProgram(
    name: "thunderbird", title: "Thunderbird",
    signature: [["First Name"], ["Display Name"], ["Birth Month"]], kind: .birthday,
    columns: [
      "First Name": .firstName, "Last Name": .lastName, "Display Name": .name,
      "Birth Year": .birthYear, "Birth Month": .birthMonth, "Birth Day": .birthDay,
      "Notes": .note,
    ])
}
